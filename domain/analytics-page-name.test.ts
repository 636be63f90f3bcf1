import { expect, test } from 'vitest';
import { pageName } from './analytics-page-name.ts';

test.each([
  ['/', '261_homepage'],
  ['', '261_homepage'],
  ['/prepaid-recharge', '261_prepaid_recharge'],
  ['/orp/fixed-internet/', '261_fixed_internet'],
  ['/storeLocator', '261_storelocator'],
  ['/payment/start/card?x=/y', '261_card'],
  ['/gethelp#top', '261_gethelp'],
  ['/payment/status/7f3A9c0d1e2b4a5f6789abcd', '261_status'],
  ['/buy/0390000001', '261_buy'],
])('%s is %s', (path, expected) => {
  expect(pageName(path, '261')).toBe(expected);
});

test.each([
  ['/offers/promo1', '261_promo1'],
  ['/offers/abc123', '261_abc123'],
  ['/buy/123456', '261_buy'],
  ['/page/a-very-long-name-of-2026', '261_a_very_long_name_of_2026'],
  ['/page/averylongnamewithoutanydigit', '261_averylongnamewithoutanydigit'],
  ['/page/2026-plans-for-everybody', '261_2026_plans_for_everybody'],
  ['/status/abcdefghijklmno1', '261_status'],
])('a segment that only resembles an identifier is kept: %s is %s', (path, expected) => {
  expect(pageName(path, '261')).toBe(expected);
});
