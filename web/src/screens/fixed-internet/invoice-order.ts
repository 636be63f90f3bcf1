import type { ResultOf } from '@portal/contract/contract.ts';
import { isFixedInternetAccount, readFixedInternetAccount } from '@portal/domain/account-number.ts';
import { emailProblem } from '@portal/domain/email.ts';
import { fromWire } from '@portal/domain/msisdn.ts';
import { paths } from '@portal/domain/paths.ts';
import type { Asked } from '../../features/challenge/question.ts';
import type { Answer } from '../../lib/api.ts';
import type { QueryData } from '../../lib/session.ts';

export type OpenInvoices = ResultOf<'openInvoices'>['response'];
export type Invoice = OpenInvoices['invoices'][number];

export interface Account {
  accountNo: string;
  email: string;
}

export interface FixedInternetLoaded {
  account: Account;
  found: OpenInvoices | null;
  asked?: Asked;
  /** The server's message. */
  refusal?: string;
}

/** Why there are no bills: the billing system did not answer, or refuses for now. */
export function readAnswer(answer: Answer<{ response: OpenInvoices }>): Omit<FixedInternetLoaded, 'account'> {
  if (answer.ok) return { found: answer.result.response };
  return { found: null, ...(answer.isSaid ? { refusal: answer.message } : {}) };
}

export const readAccount = (typed: { accountNo?: string; email?: string }): Account => ({
  accountNo: readFixedInternetAccount(typed.accountNo ?? ''),
  email: (typed.email ?? '').trim(),
});

/** Text keys of the errors by field. */
export function accountProblems({ accountNo, email }: Account): { accountNo?: string; email?: string } {
  const problem = emailProblem(email);
  return {
    ...(isFixedInternetAccount(accountNo) ? {} : { accountNo: 'fixed.accountInvalid' }),
    ...(problem ? { email: problem === 'missing' ? 'fixed.emailMissing' : 'fixed.emailInvalid' } : {}),
  };
}

export const invoicesBody = ({ accountNo, email }: Account) => ({ accountNo, contactPersonEmailId: email });

export const isUnpaid = ({ invoiceStatus }: Invoice) => invoiceStatus !== 'PAID';

/** The server prices it again, so an invoice that was paid elsewhere meanwhile is refused there. */
export function invoiceOrder(invoice: Invoice, found: OpenInvoices, email: string): QueryData {
  const { accountNo, invoiceNo, billingStartDate, billingEndDate, dueDate, amountDue, currency } = invoice;
  const { invoiceToken } = invoice;
  return {
    // For an account without a line, the server takes the recipient from the token.
    msisdn: fromWire(found.lineNumber ?? ''),
    emailId: email,
    amount: amountDue,
    currency,
    transactionType: 'POSTPAID_BILL',
    redirectPage: paths.fixedInternet,
    invoiceDetail: { accountNo, invoiceNo, billingStartDate, billingEndDate, dueDate, invoiceToken },
  };
}
