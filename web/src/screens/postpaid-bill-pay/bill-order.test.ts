import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, test } from 'vitest';
import { billOrder, needsHybridCheck, paysByBill, readBillAmount, readPostpaidAccount } from './bill-order.ts';

const operator = publicPack(pack);
const read = (typed: string) => readBillAmount(typed, operator, 'en-GB');

test('POS-1 the limits are those of bills, with the texts of a recharge', () => {
  expect(read('')).toEqual({ amount: null, error: null });
  expect(read('1 000')).toEqual({ amount: 1_000, error: null });
  expect(read('5000000')).toEqual({ amount: 5_000_000, error: null });
  const minimum = { key: 'recharge.minimum', params: { amount: 'MGA 1,000' } };
  const maximum = { key: 'recharge.maximum', params: { amount: 'MGA 5,000,000' } };
  expect(read('0')).toEqual({ amount: null, error: minimum });
  expect(read('999')).toEqual({ amount: null, error: minimum });
  expect(read('5000001')).toEqual({ amount: null, error: maximum });
  expect(read('1000000000000')).toEqual({ amount: null, error: maximum });
});

test('POS-1 a fraction is refused, never cut', () => {
  for (const typed of ['12.5', '1000,5', '-1000', '1e6', 'abc'])
    expect(read(typed), typed).toEqual({ amount: null, error: { key: 'recharge.amountWhole' } });
});

test('POS-2 postpaid and hybrid lines pay by bill, and a hybrid one is checked where the operator wants it', () => {
  expect((['PREPAID', 'POSTPAID', 'HYBRID'] as const).filter(paysByBill)).toEqual(['POSTPAID', 'HYBRID']);
  const without = { features: { ...operator.features, postpaidHybridCheck: false } };
  expect(needsHybridCheck('HYBRID', operator)).toBe(true);
  expect(needsHybridCheck('HYBRID', without)).toBe(false);
  expect(needsHybridCheck('POSTPAID', operator)).toBe(false);
});

test('POS-4 an account number is read as it is copied from a bill', () => {
  expect(readPostpaidAccount(' 1000 000-002 ')).toBe('1000000002');
  expect(readPostpaidAccount('10000000029')).toBe('1000000002');
});

test('POS-6 the order is for the bill of the line', () => {
  expect(billOrder({ national: '390000002', amount: 45_251, lineType: 'POSTPAID' }, operator)).toEqual({
    msisdn: '390000002',
    amount: 45_251,
    currency: 'MGA',
    lineType: 'POSTPAID',
    transactionType: 'POSTPAID_BILL',
    redirectPage: '/postpaid-bill-pay',
  });
});
