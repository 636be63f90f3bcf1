import type { Handlers } from '../http/register-calls.ts';
import type { Bills } from './bills.service.ts';

export function billHandlers(bills: Bills): Handlers {
  return {
    openInvoices: async ({ body }) => ({
      response: await bills.openInvoices({ accountNo: body.accountNo, email: body.contactPersonEmailId }),
    }),
  };
}
