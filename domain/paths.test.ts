import { expect, test } from 'vitest';
import { moneyPath, paths, paymentMethodPath, shopsPath, statusPath, withQuery } from './paths.ts';

test('every path of the specification is defined', () => {
  const specified = [
    '/',
    '/about',
    '/page-not-found',
    '/storeLocator',
    '/openNetworks',
    '/gethelp',
    '/table',
    '/prepaid-recharge',
    '/postpaid-bill-pay',
    '/data-bundle',
    '/broadband-recharge',
    '/orp/fixed-internet',
    '/payment/status',
    '/hbb-lead',
    '/hbb-lead-status',
    '/contact-us',
    '/store_finder/dealers',
    '/give_your_feedback',
    '/store-locator',
  ];
  expect(Object.values(paths)).toEqual(expect.arrayContaining(specified));
  expect(shopsPath('fanilo')).toBe('/store_finder/fanilo_shop');
  expect(moneyPath('fanilo')).toBe('/more-fanilo-money');
});

test('no two names share a path', () => {
  const all = Object.values(paths);
  expect(new Set(all).size).toBe(all.length);
});

test('builders', () => {
  expect(paymentMethodPath('card')).toBe('/payment/start/card');
  expect(statusPath('abc')).toBe('/payment/status?id=abc');
  expect(statusPath('a b&c')).toBe('/payment/status?id=a%20b%26c');
  expect(withQuery('/x', { a: '1', b: null, c: undefined, d: '' })).toBe('/x?a=1');
  expect(withQuery('/x', {})).toBe('/x');
  expect(withQuery('/x', { a: 'é &' })).toBe('/x?a=%C3%A9+%26');
});
