import { initiationBody as initiationSchema } from '@portal/contract/payment-payloads.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/cd/pack.ts';
import { expect, test, vi } from 'vitest';
import type { Api } from '../../lib/api.ts';
import type { QueryData } from '../../lib/session.ts';
import {
  chargeOf,
  fetchConversion,
  initiationBody,
  isSameOrder,
  offeredFor,
  type PaymentOption,
  type PaymentOrder,
} from './payment-order.ts';

const operator = publicPack(pack);
const options: PaymentOption[] = pack.methods.map(({ name, type, mode }) => ({ name, type, paymentMode: mode }));
const order: QueryData = {
  msisdn: '950000001',
  amount: 250,
  currency: 'USD',
  transactionType: 'PREPAID_RECHARGE',
  redirectPage: '/',
};
const inFrancs: PaymentOrder = { ...order, charged: { amount: 7_000, currency: 'CDF', exchangeQuote: 'sealed' } };
const typesOf = (of: PaymentOrder) => offeredFor(of, options, operator).map(({ type }) => type);

test('PAY-5 dollars offer every payment method, francs those that settle them, and under one dollar the wallet only', () => {
  expect(typesOf(order)).toEqual(['PG', 'AIRTIME', 'AM']);
  expect(typesOf(inFrancs)).toEqual(['PG', 'AM']);
  expect(typesOf({ ...order, amount: 100 })).toEqual(['PG', 'AIRTIME', 'AM']);
  expect(typesOf({ ...order, amount: 99 })).toEqual(['AM']);
  expect(typesOf({ ...inFrancs, amount: 99 })).toEqual(['AM']);
});

test('PAY-5 PAY-7 the amount that was shown is sent with its quote; in dollars there is no quote', () => {
  const [card] = options as [PaymentOption];
  const francs = initiationBody(inFrancs, card, { msisdn: '' }, operator);
  expect(initiationSchema.parse(francs)).toMatchObject({ amount: 7_000, currencyCode: 'CDF', exchangeQuote: 'sealed' });
  const dollars = initiationBody(order, card, { msisdn: '' }, operator);
  expect(dollars).toMatchObject({ amount: 250, currencyCode: 'USD' });
  expect(dollars).not.toHaveProperty('exchangeQuote');
  expect(chargeOf(inFrancs)).toMatchObject({ amount: 7_000, currency: 'CDF' });
});

test('PAY-5 the conversion is requested in major units, and not with a single currency', async () => {
  const api = vi.fn(async () => ({ ok: false, code: 'X', message: '' }));
  await fetchConversion(api as unknown as Api, { ...order, amount: 5 }, operator);
  expect(api).toHaveBeenCalledWith('exchangeRate', {
    query: { fromCurrency: 'USD', toCurrency: 'CDF', amount: '0.05' },
  });
  const { secondCurrency: _, ...single } = operator;
  expect(fetchConversion(api as unknown as Api, order, single)).toBeNull();
});

test('PAY-5 values that the page derives from an order do not change the order', () => {
  expect(isSameOrder({ ...order, enableDualCurrency: true, usdAmount: 2.5, emailId: 'a@b.cd' }, order)).toBe(true);
  expect(isSameOrder({ ...order, amount: 251 }, order)).toBe(false);
});
