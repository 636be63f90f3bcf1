import { sealedKinds } from '@portal/contract/render-page.ts';
import { describe, expect, test } from 'vitest';
import { sealedTokens } from '../http/sealed-token.ts';
import { visitTokens } from './visit-tokens.ts';

const tokens = sealedTokens('a secret for tests, long enough to be one', () => new Date('2026-03-02T08:00:00Z'));
const visit = 'a'.repeat(22);
const value = { msisdn: '390000001' };

describe('SEC-27 what a page sealed', () => {
  test.each(sealedKinds)('%s is decrypted as its own kind and as no other', (kind) => {
    for (const own of [visit, null]) {
      const { seal, open } = visitTokens(tokens, own);
      const token = seal(kind, value);
      expect(sealedKinds.filter((other) => open(other, token) !== null)).toEqual([kind]);
      expect(open(kind, token)).toEqual(value);
    }
  });

  test('is decrypted in its own visit only', () => {
    const token = visitTokens(tokens, visit).seal('order', value);
    expect(visitTokens(tokens, 'b'.repeat(22)).open('order', token)).toBeNull();
    expect(visitTokens(tokens, null).open('order', token)).toBeNull();
  });

  test('without a visit is decrypted for anybody: a browser without cookies can buy', () => {
    const token = visitTokens(tokens, null).seal('order', value);
    expect(visitTokens(tokens, null).open('order', token)).toEqual(value);
    expect(visitTokens(tokens, visit).open('order', token)).toEqual(value);
  });

  test('is not accepted as another token sealed with the same key', () => {
    const { open } = visitTokens(tokens, visit);
    for (const purpose of ['order', 'access token', 'exchange', ''])
      expect(open('order', tokens.seal(purpose, value, 60))).toBeNull();
  });
});
