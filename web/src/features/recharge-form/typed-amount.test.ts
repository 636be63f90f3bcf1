import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, test } from 'vitest';
import { readTyped, writtenBack } from './typed-amount.ts';

const { limits, currency } = publicPack(pack);
const read = (typed: string) => readTyped(typed, limits.postpaid, currency, 'en-GB');

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

test('POS-1 a fraction is refused, not truncated', () => {
  for (const typed of ['12.5', '1000,5', '-1000', '1e6', 'abc'])
    expect(read(typed), typed).toEqual({ amount: null, error: { key: 'recharge.amountWhole' } });
});

test('a refused amount is shown again as typed, up to a maximum length', () => {
  expect(writtenBack('1e4')).toBe('1e4');
  expect(writtenBack('9'.repeat(4_000))).toHaveLength(40);
});
