import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, test } from 'vitest';
import { billOrder, needsHybridCheck, paysByBill, readPostpaidAccount } from './bill-order.ts';

const operator = publicPack(pack);

test('POS-2 postpaid and hybrid numbers pay by bill, and a hybrid one is checked if the operator’s pack says so', () => {
  expect((['PREPAID', 'POSTPAID', 'HYBRID'] as const).filter(paysByBill)).toEqual(['POSTPAID', 'HYBRID']);
  const without = { features: { ...operator.features, postpaidHybridCheck: false } };
  expect(needsHybridCheck('HYBRID', operator)).toBe(true);
  expect(needsHybridCheck('HYBRID', without)).toBe(false);
  expect(needsHybridCheck('POSTPAID', operator)).toBe(false);
});

test('POS-4 an account number is accepted as copied from a bill', () => {
  expect(readPostpaidAccount(' 1000 000-002 ')).toBe('1000000002');
  expect(readPostpaidAccount('10000000029')).toBe('1000000002');
});

test('POS-6 the order is for the number’s bill', () => {
  expect(billOrder({ national: '390000002', amount: 45_251, lineType: 'POSTPAID' }, operator)).toEqual({
    msisdn: '390000002',
    amount: 45_251,
    currency: 'MGA',
    lineType: 'POSTPAID',
    transactionType: 'POSTPAID_BILL',
    redirectPage: '/postpaid-bill-pay',
  });
});
