import { expect, test } from 'vitest';
import { textsOf, translator } from './translate.ts';

const t = translator({ 'common.pay': 'Pay {amount} to {brand}', 'status.title': 'Your payment', 'common.empty': '' });

test('a text is filled in', () => {
  expect(t('common.pay', { amount: 'MGA 500', brand: 'Fanilo' })).toBe('Pay MGA 500 to Fanilo');
  expect(t('status.title')).toBe('Your payment');
});

test('a missing parameter stays readable, and a missing text shows its key', () => {
  expect(t('common.pay', { amount: 0 })).toBe('Pay 0 to {brand}');
  expect(t('no.such.key')).toBe('no.such.key');
  expect(t('no.such.key', { a: 1 })).toBe('no.such.key');
  expect(t('common.empty')).toBe('');
});

test('a value that looks like a placeholder is not filled in again', () => {
  expect(t('common.pay', { amount: '{brand}', brand: '$&' })).toBe('Pay {brand} to $&');
});

test('a screen loads its own namespaces and the common one', () => {
  const all = { 'common.a': '1', 'status.b': '2', 'statusx.c': '3', 'home.d': '4' };
  expect(textsOf(all, ['status'])).toEqual({ 'common.a': '1', 'status.b': '2' });
});
