import { expect, test } from 'vitest';
import { isUpdateUnwelcome } from './busy-rules.ts';

test('a new version is never offered during a payment, a home-broadband order or in a form', () => {
  for (const path of ['/payment', '/payment/start', '/payment/start/card', '/payment/status', '/hbb-lead'])
    expect(isUpdateUnwelcome(path, false), path).toBe(true);
  expect(isUpdateUnwelcome('/prepaid-recharge', true)).toBe(true);
  for (const path of ['/', '/prepaid-recharge', '/gethelp', '/payments-explained'])
    expect(isUpdateUnwelcome(path, false), path).toBe(false);
});
