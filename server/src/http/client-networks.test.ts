import { expect, test } from 'vitest';
import { networksOf } from './client-networks.ts';

test('an IPv6 address counts by /64, /56 and /48, an IPv4 address by itself', () => {
  expect(networksOf('2001:db8:1:2ab::1')).toEqual(['20010db8000102ab/64', '20010db8000102/56', '20010db80001/48']);
  expect(networksOf('2001:db8::7')).toEqual(['20010db800000000/64', '20010db8000000/56', '20010db80000/48']);
  expect(networksOf('203.0.113.77')).toEqual(['203.0.113.77']);
  expect(networksOf('::ffff:203.0.113.77')).toEqual(['203.0.113.77']);
});
