import type { ResultOf } from '@portal/contract/contract.ts';
import { parseMajor, roundUpToMajor } from '@portal/domain/money.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Billing, Invoice } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Lines } from '../lines/lines.service.ts';

export interface AmountDue {
  /** Whole minor units, which is what can be paid. */
  amountDue: number;
  isRoundedUp: boolean;
}

export interface Owed extends AmountDue {
  /** As the billing system states it, such as "45250.40". */
  totalOutstanding: string;
  currency: string;
  accountNo: string;
}

export type InvoiceToPay = Invoice & AmountDue;

export interface Bills {
  /** What a postpaid or hybrid line owes. Whose line it is must be proved before. */
  owed(msisdn: string): Promise<Owed>;
  /** The account that a payment for the line goes to; null when it has none. Told to nobody who has not proved the line. */
  accountOf(msisdn: string): Promise<string | null>;
  /** Whether the account belongs to the line; throws with the billing system's own words when it does not. */
  matchAccount(msisdn: string, accountNo: string): Promise<{ accountNo: string }>;
  openInvoices(account: { accountNo: string; email: string }): Promise<ResultOf<'openInvoices'>['response']>;
  /** One invoice as it stands now, paid or not; null when there is none of this number. */
  invoiceToPay(invoiceNo: string): Promise<InvoiceToPay | null>;
}

const statedDigits = 2;

/** What is owed comes from the billing system at each question: a bill may be paid elsewhere at any moment. */
export function createBills(
  billing: Billing,
  lines: Lines,
  pack: Pick<OperatorPack, 'currency' | 'features' | 'timeZone'>,
  now: () => Date = () => new Date(),
): Bills {
  function dueOf(outstanding: string, currency: string): AmountDue {
    const hundredths = parseMajor(outstanding, statedDigits);
    if (hundredths === null || currency !== pack.currency.code)
      throw new PortalError('upstreamFailed', 'The bill could not be read. Please try again later.');
    return amountDue(hundredths, { digits: pack.currency.digits, up: pack.features.amountToHigherValue });
  }

  return {
    async owed(msisdn) {
      const line = await lines.find(msisdn);
      if (!line) throw new PortalError('lineUnknown', 'Invalid Mobile No', { field: 'data.msisdn' });
      if (line.lineType === 'PREPAID')
        throw new PortalError('lineNotEligible', 'This is a prepaid number: it has no bill.');
      const found = await billing.owedByLine(msisdn);
      if (found.kind === 'unclear') throw noAnswer();
      if (found.kind === 'none') throw new PortalError('lineNotEligible', 'There is no bill for this number.');
      const { accountNo, outstanding, currency } = found;
      return { totalOutstanding: outstanding, ...dueOf(outstanding, currency), currency, accountNo };
    },

    async accountOf(msisdn) {
      const found = await billing.owedByLine(msisdn);
      if (found.kind === 'unclear') throw noAnswer();
      return found.kind === 'owed' ? found.accountNo : null;
    },

    async matchAccount(msisdn, accountNo) {
      const match = await billing.matchAccount(msisdn, accountNo);
      if (match.kind === 'unclear') throw noAnswer();
      if (match.kind === 'mismatch') throw new PortalError('accountMismatch', match.message);
      if (match.kind === 'unknown') throw new PortalError('accountUnknown', match.message);
      return { accountNo: match.accountNo };
    },

    async openInvoices(account) {
      const found = await billing.invoices(account);
      if (found.kind === 'unclear') throw noAnswer();
      // An account without invoices says no more than an account that is not theirs.
      if (found.kind === 'none' || found.invoices.length === 0) return { invoices: [] };
      const today = calendarDay(now(), pack.timeZone);
      const invoices = found.invoices
        .map((invoice) => ({
          accountNo: invoice.accountNo,
          invoiceNo: invoice.invoiceNo,
          dueDate: invoice.dueDate,
          billingStartDate: invoice.periodStart,
          billingEndDate: invoice.periodEnd,
          currency: invoice.currency,
          outstandingAmount: Number(invoice.outstanding),
          amountDue: dueOf(invoice.outstanding, invoice.currency).amountDue,
          invoiceStatus: statusOf(invoice, today),
        }))
        .sort((left, right) => right.dueDate.localeCompare(left.dueDate));
      return {
        invoices,
        ...(found.lineNumber === null ? {} : { lineNumber: found.lineNumber }),
        ...(found.contactMsisdn === null ? {} : { contactPersonMsisdn: found.contactMsisdn }),
      };
    },

    async invoiceToPay(invoiceNo) {
      const found = await billing.invoice(invoiceNo);
      if (found.kind === 'unclear') throw noAnswer();
      if (found.kind === 'none') return null;
      return { ...found.invoice, ...dueOf(found.invoice.outstanding, found.invoice.currency) };
    },
  };
}

/**
 * Hundredths in the units that can be paid. Where those are coarser, the operator decides whether the next higher one
 * is asked for; otherwise nobody is asked for more than is owed, and the rest stays on the bill.
 */
export function amountDue(hundredths: number, units: { digits: number; up: boolean }): AmountDue {
  const finer = units.digits - statedDigits;
  if (finer >= 0) return { amountDue: hundredths * 10 ** finer, isRoundedUp: false };
  const { amount, rounded } = roundUpToMajor(hundredths, -finer);
  if (!rounded || units.up) return { amountDue: amount, isRoundedUp: rounded };
  return { amountDue: amount - 1, isRoundedUp: false };
}

function statusOf(invoice: Invoice, today: string): 'PAID' | 'DUE' | 'OVERDUE' {
  if (invoice.isPaid) return 'PAID';
  return invoice.dueDate < today ? 'OVERDUE' : 'DUE';
}

function calendarDay(instant: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return format.format(instant);
}

function noAnswer(): PortalError {
  return new PortalError('upstreamTimeout', 'We could not reach the billing system just now. Please try again.');
}
