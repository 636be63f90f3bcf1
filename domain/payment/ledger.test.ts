import { describe, expect, test } from 'vitest';
import { type PostingKind, postingFor, type Taken, takenOf } from './ledger.ts';

const payment = {
  gateway: 'wallet',
  transaction_type: 'PREPAID_RECHARGE',
  amount: 5_000,
  currency: 'MGA',
  taken_amount: null,
  taken_currency: null,
};

/** The balance of each account after the postings. */
function balances(kinds: PostingKind[], taken: Partial<Taken> = {}): Record<string, number> {
  const held: Record<string, number> = {};
  for (const kind of kinds) {
    const { debit, credit, amount } = postingFor(kind, { ...payment, ...taken });
    held[debit] = (held[debit] ?? 0) + amount;
    held[credit] = (held[credit] ?? 0) - amount;
  }
  return held;
}

describe('the ledger', () => {
  test.each<PostingKind>(['paid', 'delivered', 'refunded'])(
    '%s names two accounts, the amount and the currency',
    (kind) => {
      const posting = postingFor(kind, payment);
      expect(posting).toMatchObject({ kind, amount: 5_000, currency: 'MGA' });
      expect(posting.debit).not.toBe(posting.credit);
    },
  );

  test('money that was taken is owed to the customer', () => {
    expect(balances(['paid'])).toEqual({ 'provider:wallet': 5_000, 'customers:owed': -5_000 });
  });

  test('after the delivery nothing is owed and it is a sale', () => {
    expect(balances(['paid', 'delivered'])).toEqual({
      'provider:wallet': 5_000,
      'customers:owed': 0,
      'sales:PREPAID_RECHARGE': -5_000,
    });
  });

  test('after a refund all balances are zero', () => {
    expect(balances(['paid', 'refunded'])).toEqual({ 'provider:wallet': 0, 'customers:owed': 0 });
  });

  test('REL-12 (its books; the flow beside the payments) another amount or currency than was asked for is posted as taken, in a separate account', () => {
    const less = { taken_amount: 4_000, taken_currency: 'MGA' };
    expect(takenOf({ ...payment, ...less })).toEqual({ amount: 4_000, currency: 'MGA' });
    expect(balances(['paid'], less)).toEqual({ 'provider:wallet': 4_000, 'customers:conflict': -4_000 });
    expect(balances(['paid', 'refunded'], less)).toEqual({ 'provider:wallet': 0, 'customers:conflict': 0 });
    expect(postingFor('paid', { ...payment, taken_amount: 5_000, taken_currency: 'USD' })).toEqual({
      kind: 'paid',
      debit: 'provider:wallet',
      credit: 'customers:conflict',
      amount: 5_000,
      currency: 'USD',
    });
  });

  test('an amount stated as asked for is posted like one that was not stated', () => {
    const same = { taken_amount: 5_000, taken_currency: 'MGA' };
    expect(balances(['paid'], same)).toEqual(balances(['paid']));
  });
});
