import { expect, test } from 'vitest';
import { payerEndings, paymentReasons } from './reasons.ts';
import { standardWayHealthRules, wayFailures, wayHealth, wayHealthRulesOf } from './way-health.ts';

const of = (taken: number, failed: number, medianSeconds: number | null = 20) =>
  wayHealth({ taken, failed, medianSeconds }, standardWayHealthRules);

test('LIV-2 (its rules; the page beside the payment page) below twenty payments there is no health, however they ended', () => {
  expect([of(0, 0), of(19, 0), of(0, 19), of(10, 9)]).toEqual(Array(4).fill('noRecentData'));
  expect([of(20, 0), of(0, 20)]).toEqual(['works', 'trouble']);
});

test('LIV-2 (its rules; the page beside the payment page) in trouble if 30 % failed, slow if the median is two minutes, trouble first', () => {
  expect([of(71, 29), of(70, 30), of(69, 31)]).toEqual(['works', 'trouble', 'trouble']);
  expect([of(20, 0, 120), of(20, 0, 121), of(20, 0, null)]).toEqual(['works', 'slow', 'works']);
  expect(of(0, 20, 500)).toBe('trouble');
});

test('a payer’s decision is not a failure of the way to pay', () => {
  const payers = paymentReasons.filter((reason) => !wayFailures.includes(reason));
  expect(payers).toEqual(expect.arrayContaining([...payerEndings]));
});

test('an operator may set each of the numbers', () => {
  expect(wayHealthRulesOf({})).toEqual(standardWayHealthRules);
  expect(wayHealthRulesOf({ wayHealth: { slowSeconds: 300 } })).toEqual({
    ...standardWayHealthRules,
    slowSeconds: 300,
  });
});
