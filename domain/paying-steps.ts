import { pageName } from './page-name.ts';
import { paths } from './paths.ts';

/** The pages on the way to paying: what is bought, how it is paid, what became of it. */
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

/** Which step a page of the counts is; null for every other one. */
export function payingStepOf(name: string, countryCode: string): PayingStep | null {
  return payingSteps.find((step) => pages[step].some((path) => pageName(path, countryCode) === name)) ?? null;
}
