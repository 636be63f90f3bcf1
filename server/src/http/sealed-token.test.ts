import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sealedTokens } from './sealed-token.ts';

let time = Date.parse('2026-03-02T08:00:00Z');
const tokens = sealedTokens('a secret of at least thirty-two characters', () => new Date(time));
const order = { msisdn: '390000001', amount: 5_000 };

test('a token opens to its value, and does not show it', () => {
  const token = tokens.seal('order', order, 60);
  expect(tokens.open('order', token)).toEqual(order);
  expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('390000001');
});

test('any JSON value comes back unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(tokens.open('order', tokens.seal('order', value, 60))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: 100 },
  );
});

test('changing any single byte invalidates the token', () => {
  const bytes = Buffer.from(tokens.seal('order', order, 60), 'base64url');
  for (let index = 0; index < bytes.length; index += 1) {
    const altered = Buffer.from(bytes);
    altered[index] = (altered[index] ?? 0) ^ 1;
    expect(tokens.open('order', altered.toString('base64url')), `byte ${index}`).toBeNull();
  }
});

test('a token that is cut, extended, empty or made up does not open', () => {
  const token = tokens.seal('order', order, 60);
  for (const given of ['', 'x', token.slice(0, -2), token.slice(4), `${token}AAAA`, 'A'.repeat(5_000), '../../etc'])
    expect(tokens.open('order', given)).toBeNull();
});

test('a token opens only for its own purpose and with the same secret', () => {
  const token = tokens.seal('order', order, 60);
  expect(tokens.open('receipt', token)).toBeNull();
  const other = sealedTokens('another secret of thirty-two characters', () => new Date(time));
  expect(other.open('order', token)).toBeNull();
});

test('a token expires', () => {
  const token = tokens.seal('order', order, 60);
  time += 59_000;
  expect(tokens.open('order', token)).toEqual(order);
  time += 1_000;
  expect(tokens.open('order', token)).toBeNull();
});

test('the same order gives a different token each time', () => {
  expect(tokens.seal('order', order, 60)).not.toBe(tokens.seal('order', order, 60));
});
