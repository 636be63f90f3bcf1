import { expect, test } from 'vitest';
import { pageName } from './page-name.ts';

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
