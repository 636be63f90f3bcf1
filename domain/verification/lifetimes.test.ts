import { expect, test } from 'vitest';
import { standardBudgets } from '../budgets.ts';
import {
  codeLifeSeconds,
  numberBlock,
  pinKeyLifeSeconds,
  pinLifeSeconds,
  pinTriesLeft,
  proofLifeSeconds,
  resendWait,
  tokenLifeSeconds,
  triesLeft,
  unansweredPinSeconds,
  walletLockSeconds,
} from './lifetimes.ts';

test('a code and a PIN have five attempts each, and the rest is never negative', () => {
  expect([0, 1, 4, 5, 9].map(triesLeft)).toEqual([5, 4, 1, 0, 0]);
  expect([0, 5, 6].map(pinTriesLeft)).toEqual([5, 0, 0]);
});

test('another code may be requested after a minute', () => {
  expect(resendWait(0)).toBe(60);
  expect(resendWait(59.2)).toBe(1);
  expect(resendWait(60)).toBeNull();
});

test('a code expires within ten minutes, and a number gets at most ten a day', () => {
  expect(codeLifeSeconds).toBeLessThanOrEqual(600);
  expect(standardBudgets.codeNumberDay).toEqual({ most: 12, seconds: 86_400 });
});

test('numbers that differ in their last four digits are neighbours', () => {
  expect(numberBlock('0390000001')).toBe(numberBlock('0390009999'));
  expect(numberBlock('0390000001')).not.toBe(numberBlock('0390010001'));
});

test('a proof is valid for minutes, a lock for a day', () => {
  expect([codeLifeSeconds, proofLifeSeconds, tokenLifeSeconds]).toEqual([300, 600, 900]);
  expect([pinLifeSeconds, unansweredPinSeconds]).toEqual([120, 3_600]);
  expect([pinKeyLifeSeconds, walletLockSeconds]).toEqual([86_400, 86_400]);
});
