import { pageName } from './analytics-page-name.ts';
import { paths } from './paths.ts';

/** The steps of paying: choosing what to buy, choosing how to pay, the status. */
export const payingSteps = ['form', 'choose', 'status'] as const;
export type PayingStep = (typeof payingSteps)[number];

const pages: Record<PayingStep, readonly string[]> = {
  form: [
    paths.prepaidRecharge,
    paths.dataBundle,
    paths.broadbandRecharge,
    paths.postpaidBillPay,
    paths.fixedInternet,
    paths.homeBroadband,
  ],
  choose: [paths.paymentStart],
  status: [paths.paymentStatus],
};

/** The step of a counted page; null for any other page. */
export function payingStepOf(name: string, countryCode: string): PayingStep | null {
  return payingSteps.find((step) => pages[step].some((path) => pageName(path, countryCode) === name)) ?? null;
}
