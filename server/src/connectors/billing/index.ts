import type { HttpClient } from '../http-client.ts';
import { majorNumber } from '../major-amount.ts';
import type { Billing } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { TmfClient, type TmfSettings, unclear } from '../tmf-client.ts';
import { maxBills, readAccounts, readBills, readMatch, readPayment, readPayments, sumOutstanding } from './messages.ts';

export interface BillingSettings extends TmfSettings {
  currency: { code: string; digits: number };
}

const accountApi = '/tmf-api/accountManagement/v4';
const billApi = '/tmf-api/customerBillManagement/v4';
const paymentApi = '/tmf-api/paymentManagement/v4';

/** The billing system, by TMF666 (accounts), TMF678 (bills) and TMF676 (payments). */
export function billingSystem(http: HttpClient, settings: BillingSettings): Billing {
  const client = new TmfClient(http, settings);
  const { code, digits } = settings.currency;

  async function bills(filter: Record<string, string>) {
    const answer = await client.get(`${billApi}/customerBill`, { ...filter, limit: String(maxBills) });
    return readBills(answer) ?? unclear(answer);
  }

  const accounts = (filter: Record<string, string>) => client.get(`${accountApi}/billingAccount`, filter);

  const invoice: Billing['invoice'] = async (invoiceNo) => {
    const found = await bills({ billNo: invoiceNo });
    if (!Array.isArray(found)) return found;
    const [bill, ...others] = found.filter((one) => one.invoiceNo === invoiceNo);
    if (others.length > 0) return { kind: 'unclear', detail: 'several bills of one number' };
    return bill ? { kind: 'invoice', invoice: bill } : { kind: 'none' };
  };

  return {
    ...termsOf({ lag: settings.lag }),
    async owedByLine(msisdn) {
      const answer = await accounts({ 'relatedParty.id': msisdn, 'relatedParty.role': 'subscriber' });
      const [account, ...others] = readAccounts(answer)?.filter(({ lines }) => lines.includes(msisdn)) ?? [null];
      if (account === null) return unclear(answer);
      if (!account) return { kind: 'none' };
      if (others.length > 0) return { kind: 'unclear', detail: 'several accounts for one line' };
      const { accountNo } = account;
      const found = await bills({ 'billingAccount.id': accountNo });
      if (!Array.isArray(found)) return found;
      if (found.some((bill) => bill.accountNo !== accountNo))
        return { kind: 'unclear', detail: 'bills of another account' };
      const outstanding = sumOutstanding(found);
      if (outstanding === null) return { kind: 'unclear', detail: 'bills in several currencies' };
      return { kind: 'owed', accountNo, outstanding, currency: found[0]?.currency ?? code };
    },

    async matchAccount(msisdn, accountNo) {
      const path = `${accountApi}/billingAccount/${encodeURIComponent(accountNo)}`;
      return readMatch(await client.get(path, { 'relatedParty.id': msisdn }), { msisdn, accountNo });
    },

    async invoices({ accountNo, email }) {
      // Both requests run concurrently, so that the response time does not reveal whether account and email match.
      const emailFilter = 'contact.contactMedium.characteristic.emailAddress';
      const [answer, found] = await Promise.all([
        accounts({ id: accountNo, [emailFilter]: email }),
        bills({ 'billingAccount.id': accountNo }),
      ]);
      const matching = readAccounts(answer);
      if (!matching) return unclear(answer);
      if (!Array.isArray(found)) return found;
      const isTheirs = (address: string) => address.toLowerCase() === email.toLowerCase();
      const account = matching.find((one) => one.accountNo === accountNo && one.emails.some(isTheirs));
      if (!account) return { kind: 'none' };
      if (found.some((bill) => bill.accountNo !== accountNo))
        return { kind: 'unclear', detail: 'bills of another account' };
      const [lineNumber = null] = account.lines;
      const [contactMsisdn = null] = account.phones;
      return { kind: 'invoices', invoices: found, lineNumber, contactMsisdn };
    },

    invoice,

    async isSettled({ item }) {
      if (item.kind !== 'bill' || item.billNo === null) return false;
      const found = await invoice(item.billNo);
      return found.kind === 'invoice' && found.invoice.isPaid;
    },

    async deliver({ reference, msisdn, amount, currency, item }) {
      if (item.kind !== 'bill') return { kind: 'refused', detail: 'the billing system takes only bills' };
      const money = { unit: currency, value: majorNumber(amount, digits) };
      const answer = await client.post(`${paymentApi}/payment`, {
        correlatorId: reference,
        amount: money,
        totalAmount: money,
        account: { id: item.accountNo, '@referredType': 'BillingAccount' },
        payer: { id: msisdn, '@referredType': 'Customer' },
        ...(item.billNo === null
          ? {}
          : { paymentItem: [{ amount: money, item: { id: item.billNo, '@referredType': 'CustomerBill' } }] }),
      });
      return readPayment(answer);
    },

    async findDelivery(delivery) {
      const answer = await client.get(`${paymentApi}/payment`, { correlatorId: delivery.reference });
      return readPayments(answer, delivery, digits);
    },
  };
}
