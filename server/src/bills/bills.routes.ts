import { type Budgets, countedGuess } from '../budgets/budgets.service.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Visits } from '../http/visits.ts';
import type { Bills } from './bills.service.ts';

interface BillRoutes {
  bills: Bills;
  budgets: Budgets;
  visits: Visits;
  now: () => Date;
}

export function billHandlers({ bills, budgets, visits, now }: BillRoutes): Handlers {
  return {
    async openInvoices({ body, headers, ip }) {
      const { accountNo, contactPersonEmailId: email } = body;
      const response = await countedGuess(
        { budgets, now, draws: [{ budget: 'invoiceGuess', subject: accountNo }] },
        () => bills.openInvoices({ accountNo, email }, visits.of({ headers, ip })),
        // An account without invoices answers like one that is not theirs, so it costs the same.
        ({ invoices }) => invoices.length === 0,
      );
      return { response };
    },
  };
}
