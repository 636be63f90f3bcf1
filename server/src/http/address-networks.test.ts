import { expect, test } from 'vitest';
import { limitFactors, networksOf } from './address-networks.ts';

test('SEC-19 an IPv6 address counts by /64, /56 and /48, an IPv4 address by itself and by its /24', () => {
  expect(networksOf('2001:db8:1:2ab::1')).toEqual(['20010db8000102ab/64', '20010db8000102/56', '20010db80001/48']);
  expect(networksOf('2001:db8::7')).toEqual(['20010db800000000/64', '20010db8000000/56', '20010db80000/48']);
  expect(networksOf('203.0.113.77')).toEqual(['203.0.113.77', '203.0.113.0/24']);
  expect(networksOf('::ffff:203.0.113.77')).toEqual(['203.0.113.77', '203.0.113.0/24']);
  expect(networksOf('no address')).toEqual(['no address']);
});

test('each wider network has a higher limit, and every network of an address has one', () => {
  expect(limitFactors(networksOf('2001:db8::7').length)).toEqual([1, 4, 16]);
  expect(limitFactors(networksOf('203.0.113.77').length)).toEqual([1, 16]);
  expect(limitFactors(1)).toEqual([1]);
});
