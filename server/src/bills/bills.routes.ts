import { reservedShare } from '@portal/domain/challenge/price.ts';
import { type Budgets, countedGuess, type Draw, networkDraws } from '../budgets/budgets.service.ts';
import { askerOf, type Challenges } from '../challenges/challenges.service.ts';
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
    /**
     * Wrong emails of one address are refused after some. Those of all addresses together refuse nobody, for then any stranger
     * could shut the owner out; they take a challenge, which grows dearer with each.
     */
    async openInvoices({ body, headers, ip }) {
      const { accountNo, contactPersonEmailId: email } = body;
      const asker = askerOf(visits)({ headers, ip });
      const fromHere = networkDraws('invoiceGuess', ip).map((draw) => ({
        ...draw,
        subject: `${accountNo} from ${draw.subject}`,
      }));
      const all: Draw = { budget: 'invoiceGuessAll', subject: accountNo };
      const wanted = { effect: 'bills', subject: accountNo, asker, scarce: all, reserved: [all.budget] } as const;
      let wasChallenged = false;
      const take = () =>
        challenges.admit(wanted, (transaction, { room, askedFrom }) => {
          wasChallenged = askedFrom !== null;
          const part = room === 'open' ? { reserved: reservedShare } : { factor: Number.POSITIVE_INFINITY };
          return budgets.take([...fromHere, { ...all, ...part }], transaction);
        });
      const response = await countedGuess(
        { budgets, now, draws: [...fromHere, all], take },
        () => bills.openInvoices({ accountNo, email }, asker.visit),
        // An account without invoices answers like one that is not theirs, so it costs the same.
        ({ invoices }) => invoices.length === 0,
      );
      // Who was shown the bills asks once more to pay one of them, without script, and is not asked for work again.
      if (wasChallenged && response.invoices.length > 0)
        await otp.issueProof({ purpose: purposes.account, subject: accountNo, visit: asker.visit, payment: null });
      return { response };
    },
  };
}
