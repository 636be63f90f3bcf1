import { expect, test } from 'vitest';
import { isFixedInternetAccount, isPostpaidAccount, readFixedInternetAccount } from './account-number.ts';

test('a postpaid account number has exactly ten digits', () => {
  expect(isPostpaidAccount('1000000002')).toBe(true);
  for (const wrong of ['', '100000000', '10000000021', '100000000A', ' 1000000002', '1000000002\n']) {
    expect(isPostpaidAccount(wrong)).toBe(false);
  }
});

test('a fixed-internet account number is P or E, one more letter, ten digits', () => {
  expect(isFixedInternetAccount('PA1000000001')).toBe(true);
  expect(isFixedInternetAccount('EB1000000002')).toBe(true);
  for (const wrong of ['', 'QA1000000001', 'P11000000001', 'PA100000001', 'PA10000000011', 'PA1000000001\n']) {
    expect(isFixedInternetAccount(wrong)).toBe(false);
  }
});

test('an account number as printed on a bill is understood', () => {
  expect(readFixedInternetAccount(' pa 1000-000-001 ')).toBe('PA1000000001');
});

test('an account number is cut after twelve characters, and nothing may precede it', () => {
  expect(readFixedInternetAccount('PA0123456789 and more')).toBe('PA0123456789');
  expect(isFixedInternetAccount('XPA0123456789')).toBe(false);
});
