import { expect, test } from 'vitest';
import { accountProblems, type Invoice, invoiceOrder, isUnpaid, readAccount } from './invoice-order.ts';

const invoice: Invoice = {
  accountNo: 'PA1000000001',
  invoiceNo: 'PA1000000001-3',
  dueDate: '2026-12-05',
  billingStartDate: '2026-10-16',
  billingEndDate: '2026-11-14',
  currency: 'MGA',
  outstandingAmount: 94_500.5,
  amountDue: 94_501,
  invoiceStatus: 'DUE',
  invoiceToken: 'sealed',
};

test('FIX-1 an account is a P or E, a letter and ten digits, in any spelling of a bill', () => {
  const email = 'client@example.mg';
  for (const typed of ['PA1000000001', ' pa 1000 000 001 ', 'eb-1000000002'])
    expect(accountProblems(readAccount({ accountNo: typed, email })), typed).toEqual({});
  for (const typed of ['', 'AA1000000001', 'P11000000001', 'PA100000001', '1000000002', 'PA10000000O1'])
    expect(accountProblems(readAccount({ accountNo: typed, email })), typed).toEqual({
      accountNo: 'fixed.accountInvalid',
    });
});

test('FIX-1 an email is required, and one with a space is invalid', () => {
  const accountNo = 'PA1000000001';
  expect(accountProblems(readAccount({ accountNo, email: '  ' }))).toEqual({ email: 'fixed.emailMissing' });
  expect(accountProblems(readAccount({ accountNo, email: 'cli ent@example.mg' }))).toEqual({
    email: 'fixed.emailInvalid',
  });
  expect(accountProblems(readAccount({ accountNo, email: ' client@example.mg ' }))).toEqual({});
});

test('FIX-3 the order has the invoice, the payable amount, and the line of the account', () => {
  const found = { invoices: [invoice], lineNumber: '0390000005' as const, contactPersonMsisdn: '39 •• ••• 01' };
  expect(invoiceOrder(invoice, found, 'client@example.mg')).toEqual({
    msisdn: '390000005',
    emailId: 'client@example.mg',
    amount: 94_501,
    currency: 'MGA',
    transactionType: 'POSTPAID_BILL',
    redirectPage: '/orp/fixed-internet',
    invoiceDetail: {
      accountNo: 'PA1000000001',
      invoiceNo: 'PA1000000001-3',
      billingStartDate: '2026-10-16',
      billingEndDate: '2026-11-14',
      dueDate: '2026-12-05',
      invoiceToken: 'sealed',
    },
  });
  const { lineNumber: _, ...withoutLine } = found;
  expect(invoiceOrder(invoice, withoutLine, 'client@example.mg').msisdn).toBe('');
});

test('FIX-2 only unpaid invoices can be paid', () => {
  expect(isUnpaid(invoice)).toBe(true);
  expect(isUnpaid({ ...invoice, invoiceStatus: 'OVERDUE' })).toBe(true);
  expect(isUnpaid({ ...invoice, invoiceStatus: 'PAID' })).toBe(false);
});
