import { contract } from '@portal/contract/contract.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Billing, Invoice } from '../connectors/ports.ts';
import { sealedTokens } from '../http/sealed-token.ts';
import type { Line } from '../lines/lines.service.ts';
import { scriptedFulfilment } from '../testing/scripted-providers.ts';
import { amountDue, createBills } from './bills.service.ts';

const find = vi.fn<(msisdn: string) => Promise<Line | null>>();
const owedByLine = vi.fn<Billing['owedByLine']>();
const matchAccount = vi.fn<Billing['matchAccount']>();
const invoices = vi.fn<Billing['invoices']>();
const invoice = vi.fn<Billing['invoice']>();
const billing: Billing = { ...scriptedFulfilment(), owedByLine, matchAccount, invoices, invoice };
const lines = { find, balances: async () => [] };
// 22:30 in London is already the next day in Antananarivo.
const now = () => new Date('2026-03-09T22:30:00Z');
const refused = vi.fn<(reason: string) => void>();
const more = { tokens: sealedTokens('a secret of tests', now), events: { refused }, now };
const bills = createBills(billing, lines, pack, more);
const withoutRounding = createBills(
  billing,
  lines,
  { ...pack, features: { ...pack.features, amountToHigherValue: false } },
  more,
);

beforeEach(() => {
  for (const mock of [find, owedByLine, matchAccount, invoices, invoice, refused]) mock.mockReset();
  find.mockResolvedValue({ lineType: 'POSTPAID', broadband: false, codeRecipient: null, since: null });
});

const unclear = { kind: 'unclear', detail: 'HTTP 500' } as const;
const owes = (outstanding: string, currency = 'MGA') =>
  owedByLine.mockResolvedValue({ kind: 'owed', accountNo: '1000000002', outstanding, currency });
const bill = (more: Partial<Invoice> = {}): Invoice => ({
  accountNo: 'PA1000000001',
  invoiceNo: 'PA1000000001-1',
  dueDate: '2026-03-10',
  periodStart: '2026-01-19',
  periodEnd: '2026-02-17',
  currency: 'MGA',
  outstanding: '89000.00',
  isPaid: false,
  ...more,
});

describe('what a line owes', () => {
  test('POS-5 a fraction is rounded up if the operator wants it, and the response says so', async () => {
    owes('45250.40');
    expect(await bills.owed('0390000002')).toEqual({
      totalOutstanding: '45250.40',
      amountDue: 45_251,
      isRoundedUp: true,
      currency: 'MGA',
      accountNo: '1000000002',
    });
    expect(await withoutRounding.owed('0390000002')).toMatchObject({ amountDue: 45_250, isRoundedUp: false });
    owes('12000.00');
    expect(await bills.owed('0390000003')).toMatchObject({ amountDue: 12_000, isRoundedUp: false });
  });

  test('a prepaid line, no line, no account and no response are told apart', async () => {
    find.mockResolvedValueOnce({ lineType: 'PREPAID', broadband: false, codeRecipient: null, since: null });
    await expect(bills.owed('0390000001')).rejects.toMatchObject({ kind: 'lineNotEligible' });
    find.mockResolvedValueOnce(null);
    await expect(bills.owed('0390000009')).rejects.toMatchObject({ kind: 'lineUnknown' });
    expect(owedByLine).not.toHaveBeenCalled();
    owedByLine.mockResolvedValueOnce({ kind: 'none' });
    await expect(bills.owed('0390000014')).rejects.toMatchObject({ kind: 'lineNotEligible' });
    owedByLine.mockResolvedValueOnce(unclear);
    await expect(bills.owed('0390000002')).rejects.toMatchObject({ kind: 'upstreamTimeout' });
  });

  test('a bill in another currency, or without a valid amount, is not relabelled', async () => {
    owes('45250.40', 'USD');
    await expect(bills.owed('0390000002')).rejects.toMatchObject({ kind: 'upstreamFailed' });
    owes('much');
    await expect(bills.owed('0390000002')).rejects.toMatchObject({ kind: 'upstreamFailed' });
  });

  test('the account of a line, for a payment', async () => {
    owes('0.00');
    expect(await bills.accountOf('0390000002')).toBe('1000000002');
    owedByLine.mockResolvedValueOnce({ kind: 'none' });
    expect(await bills.accountOf('0390000014')).toBeNull();
    owedByLine.mockResolvedValueOnce(unclear);
    await expect(bills.accountOf('0390000002')).rejects.toMatchObject({ kind: 'upstreamTimeout' });
  });
});

test('the amount due is within a unit of what is owed, and above it only if the operator rounds up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 14 }), fc.integer({ min: 0, max: 3 }), (hundredths, digits) => {
      // In thousandths, which every one of these units divides.
      const owed = hundredths * 10;
      const unit = 10 ** (3 - digits);
      const up = amountDue(hundredths, { digits, up: true });
      const down = amountDue(hundredths, { digits, up: false });
      expect(up.amountDue * unit - owed).toBeGreaterThanOrEqual(0);
      expect(up.amountDue * unit - owed).toBeLessThan(unit);
      expect(up.isRoundedUp).toBe(up.amountDue * unit !== owed);
      expect(owed - down.amountDue * unit).toBeGreaterThanOrEqual(0);
      expect(owed - down.amountDue * unit).toBeLessThan(unit);
      expect(down.isRoundedUp).toBe(false);
    }),
  );
});

describe('account match', () => {
  test('another line’s account and an unknown account get one response, and two reasons in the log', async () => {
    matchAccount.mockResolvedValueOnce({ kind: 'match', accountNo: '1000000002' });
    expect(await bills.matchAccount('0390000002', '1000000002')).toBe(true);
    matchAccount.mockResolvedValueOnce({ kind: 'mismatch' });
    expect(await bills.matchAccount('0390000014', '1000000002')).toBe(false);
    matchAccount.mockResolvedValueOnce({ kind: 'unknown' });
    expect(await bills.matchAccount('0390000002', '9999999901')).toBe(false);
    expect(refused.mock.calls).toEqual([['accountMismatch'], ['accountUnknown']]);
    matchAccount.mockResolvedValueOnce(unclear);
    await expect(bills.matchAccount('0390000002', '1000000002')).rejects.toMatchObject({ kind: 'upstreamTimeout' });
  });

  test('one digit ten times is refused without a request to the billing system', async () => {
    const unknown = { kind: 'accountUnknown' };
    for (const accountNo of ['9999999999', '0000000000'])
      await expect(bills.matchAccount('0390000002', accountNo)).rejects.toMatchObject(unknown);
    expect(matchAccount).not.toHaveBeenCalled();
  });
});

describe('fixed-internet invoices', () => {
  const account = { accountNo: 'PA1000000001', email: 'client@example.mg' };
  const found = (...list: Invoice[]) =>
    invoices.mockResolvedValue({
      kind: 'invoices',
      invoices: list,
      lineNumber: '0390000005',
      contactMsisdn: '0390000001',
    });

  test('FIX-2 paid, due and overdue by the calendar of the country, newest first', async () => {
    found(
      bill({ invoiceNo: 'a', dueDate: '2026-02-01', outstanding: '0.00', isPaid: true }),
      bill({ invoiceNo: 'b', dueDate: '2026-03-09' }),
      bill({ invoiceNo: 'c', dueDate: '2026-03-10', outstanding: '94500.50' }),
    );
    const answer = await bills.openInvoices(account, null);
    expect(answer.invoices.map(({ invoiceNo, invoiceStatus }) => [invoiceNo, invoiceStatus])).toEqual([
      ['c', 'DUE'],
      ['b', 'OVERDUE'],
      ['a', 'PAID'],
    ]);
    expect(answer).toMatchObject({ lineNumber: '0390000005', contactPersonMsisdn: '39 •• ••• 01' });
    expect(answer.invoices[0]).toMatchObject({ outstandingAmount: 94_500.5, amountDue: 94_501, currency: 'MGA' });
    expect(contract.openInvoices.result.safeParse({ response: answer }).error).toBeUndefined();
  });

  test('FIX-4 an account without invoices gets the response of one that does not match', async () => {
    found();
    const empty = await bills.openInvoices(account, null);
    invoices.mockResolvedValue({ kind: 'none' });
    const foreign = await bills.openInvoices(account, null);
    expect(empty).toEqual(foreign);
    expect(foreign).toEqual({ invoices: [] });
  });

  test('no response is not an empty list', async () => {
    invoices.mockResolvedValue(unclear);
    await expect(bills.openInvoices(account, null)).rejects.toMatchObject({ kind: 'upstreamTimeout' });
  });

  test('one invoice, at its current amount, for the visit that was shown it', async () => {
    found(bill());
    const [shown] = (await bills.openInvoices(account, 'visit')).invoices;
    const { accountNo = '', invoiceNo = '', invoiceToken: token = '' } = shown ?? {};
    const named = { accountNo, invoiceNo, token };
    invoice.mockResolvedValueOnce({ kind: 'invoice', invoice: bill({ outstanding: '94500.50' }) });
    expect(await bills.invoiceToPay(named, 'visit')).toMatchObject({
      amountDue: 94_501,
      isRoundedUp: true,
      msisdn: '0390000005',
    });
    invoice.mockResolvedValueOnce({ kind: 'invoice', invoice: bill({ outstanding: '0.00', isPaid: true }) });
    expect(await bills.invoiceToPay(named, 'visit')).toMatchObject({ amountDue: 0, isPaid: true });
    invoice.mockResolvedValueOnce({ kind: 'none' });
    expect(await bills.invoiceToPay(named, 'visit')).toBeNull();
    invoice.mockResolvedValueOnce({ kind: 'invoice', invoice: bill({ accountNo: 'PA1000000009' }) });
    expect(await bills.invoiceToPay(named, 'visit')).toBeNull();
    expect(refused.mock.calls).toEqual([['invoiceGone'], ['invoiceGone']]);
    invoice.mockResolvedValueOnce(unclear);
    await expect(bills.invoiceToPay(named, 'visit')).rejects.toMatchObject({ kind: 'upstreamTimeout' });
  });
});
