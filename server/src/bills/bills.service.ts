import type { ResultOf } from '@portal/contract/contract.ts';
import { isFillerAccount } from '@portal/domain/account-number.ts';
import { calendarDay } from '@portal/domain/calendar-day.ts';
import { parseMajor, roundUpToMajor } from '@portal/domain/money.ts';
import { fromWire, maskNational, type WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import type { Billing, Invoice } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import type { Lines } from '../lines/lines.service.ts';
import type { BillEvents } from './bills.events.ts';

export interface AmountDue {
  /** In minor units, rounded to what can be paid. */
  amountDue: number;
  isRoundedUp: boolean;
}

export interface Owed extends AmountDue {
  /** As the billing system states it, such as "45250.40". */
  totalOutstanding: string;
  currency: string;
  accountNo: string;
}

/** With the phone number of the account, if it has one. */
export type InvoiceToPay = Invoice & AmountDue & { msisdn: WireNumber | null };

export interface NamedInvoice {
  accountNo: string;
  invoiceNo: string;
  /** Issued by SHOW BILLS: only a visit that was shown an invoice may look it up. */
  token: string;
}

export interface Bills {
  /** What a postpaid or hybrid line owes. The caller must have verified the line's owner. */
  owed(msisdn: WireNumber): Promise<Owed>;
  /**
   * The account that payments for the line go to; null if it has none. Must not be shown to anybody who has not proved
   * the line.
   */
  accountOf(msisdn: WireNumber): Promise<string | null>;
  /** Whether the account belongs to the line. A mismatch does not reveal whether the account exists. */
  matchAccount(msisdn: WireNumber, accountNo: string): Promise<boolean>;
  openInvoices(
    account: { accountNo: string; email: string },
    visit: string | null,
  ): Promise<ResultOf<'openInvoices'>['response']>;
  /** A token that is valid only for the visit that was shown the invoice. */
  tokenOf(shown: Shown, visit: string | null): string;
  /** The current state of an invoice, paid or not; null if the visit was not shown it. */
  invoiceToPay(named: NamedInvoice, visit: string | null): Promise<InvoiceToPay | null>;
}

interface Shown {
  accountNo: string;
  invoiceNo: string;
  msisdn: WireNumber | null;
}

const statedDigits = 2;

/** Always asks the billing system and caches nothing, because a bill may be paid elsewhere at any moment. */
export function createBills(
  billing: Billing,
  lines: Lines,
  pack: Pick<OperatorPack, 'currency' | 'features' | 'numbering' | 'timeZone'>,
  { tokens, events, now }: { tokens: SealedTokens; events: BillEvents; now: () => Date },
): Bills {
  const purposeFor = (visit: string | null) => `invoice of visit ${visit}`;

  const tokenOf: Bills['tokenOf'] = (shown, visit) => tokens.seal(purposeFor(visit), shown, orderLifeSeconds);

  function dueOf(outstanding: string, currency: string): AmountDue {
    const hundredths = parseMajor(outstanding, statedDigits);
    if (hundredths === null || currency !== pack.currency.code) throw new PortalError('billUnreadable');
    return amountDue(hundredths, { digits: pack.currency.digits, up: pack.features.amountToHigherValue });
  }

  const masked = (msisdn: WireNumber) => maskNational(fromWire(msisdn), pack.numbering.groups);

  return {
    async owed(msisdn) {
      const line = await lines.find(msisdn);
      if (!line) throw new PortalError('lineUnknown', { field: 'data.msisdn' });
      if (line.lineType === 'PREPAID') throw new PortalError('prepaidHasNoBill');
      const found = await billing.owedByLine(msisdn);
      if (found.kind === 'unclear') throw noAnswer();
      if (found.kind === 'none') throw new PortalError('noBillForNumber');
      const { accountNo, outstanding, currency } = found;
      return { totalOutstanding: outstanding, ...dueOf(outstanding, currency), currency, accountNo };
    },

    async accountOf(msisdn) {
      const found = await billing.owedByLine(msisdn);
      if (found.kind === 'unclear') throw noAnswer();
      return found.kind === 'owed' ? found.accountNo : null;
    },

    async matchAccount(msisdn, accountNo) {
      // Refused without a request to the billing system, so it reveals nothing about any account.
      if (isFillerAccount(accountNo)) throw new PortalError('accountUnknown');
      const match = await billing.matchAccount(msisdn, accountNo);
      if (match.kind === 'unclear') throw noAnswer();
      if (match.kind === 'match') return true;
      events.refused(match.kind === 'mismatch' ? 'accountMismatch' : 'accountUnknown');
      return false;
    },

    async openInvoices(account, visit) {
      const found = await billing.invoices(account);
      if (found.kind === 'unclear') throw noAnswer();
      // The same response for an account without invoices and one that does not match.
      if (found.kind === 'none' || found.invoices.length === 0) return { invoices: [] };
      const msisdn = found.lineNumber ?? found.contactMsisdn;
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
          invoiceToken: tokenOf({ accountNo: invoice.accountNo, invoiceNo: invoice.invoiceNo, msisdn }, visit),
        }))
        .sort((left, right) => right.dueDate.localeCompare(left.dueDate));
      return {
        invoices,
        ...(found.lineNumber === null ? {} : { lineNumber: found.lineNumber }),
        ...(found.contactMsisdn === null ? {} : { contactPersonMsisdn: masked(found.contactMsisdn) }),
      };
    },

    tokenOf,

    async invoiceToPay({ accountNo, invoiceNo, token }, visit) {
      const shown = tokens.open(purposeFor(visit), token) as Shown | null;
      // No request to the billing system: neither its response nor its timing reaches a stranger.
      if (shown?.accountNo !== accountNo || shown.invoiceNo !== invoiceNo) {
        events.refused(token ? 'otherToken' : 'noToken');
        return null;
      }
      const found = await billing.invoice(invoiceNo);
      if (found.kind === 'unclear') throw noAnswer();
      if (found.kind === 'none' || found.invoice.accountNo !== accountNo) {
        events.refused('invoiceGone');
        return null;
      }
      const { invoice } = found;
      return { ...invoice, ...dueOf(invoice.outstanding, invoice.currency), msisdn: shown.msisdn };
    },
  };
}

/**
 * Converts hundredths to units that can be paid. If those are coarser, the operator decides whether to round up.
 * Rounding down leaves the rest on the bill.
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

function noAnswer(): PortalError {
  return new PortalError('billingSilent');
}
