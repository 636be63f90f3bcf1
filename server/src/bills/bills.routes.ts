import type { Budgets } from '../budgets/budgets.service.ts';
import { askerOf, boundedGuess, type Challenges } from '../challenges/challenges.service.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import { type Otp, purposes } from '../otp/otp.service.ts';
import type { Bills } from './bills.service.ts';

interface BillRoutes {
  bills: Bills;
  otp: Otp;
  budgets: Budgets;
  challenges: Challenges;
  visits: Visits;
  now: () => Date;
}

export function billHandlers({ bills, otp, budgets, challenges, visits, now }: BillRoutes): Handlers {
  return {
    async openInvoices({ body, headers, ip }) {
      const { accountNo, contactPersonEmailId: email } = body;
      const asker = askerOf(visits)({ headers, ip });
      const { answer: response, wasChallenged } = await boundedGuess(
        { budgets, challenges, now },
        { effect: 'bills', subject: accountNo, asker, budgets: { network: 'invoiceGuess', all: 'invoiceGuessAll' } },
        () => bills.openInvoices({ accountNo, email }, asker.visit),
        // An account without invoices gets the response of an account that does not match, so it counts as a guess too.
        ({ invoices }) => invoices.length === 0,
      );
      // Without script, paying a bill repeats this request. A client that solved a challenge to see the bills does not
      // have to solve another.
      if (wasChallenged && response.invoices.length > 0)
        await otp.issueProof({ purpose: purposes.account, subject: accountNo, visit: asker.visit, payment: null });
      return { response };
    },
  };
}
