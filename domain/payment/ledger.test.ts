import { describe, expect, test } from 'vitest';
import { type PostingKind, postingFor } from './ledger.ts';

const payment = { gateway: 'wallet', transactionType: 'PREPAID_RECHARGE', amount: 5_000, currency: 'MGA' };

/** What each account holds after the postings. */
function balances(kinds: PostingKind[]): Record<string, number> {
  const held: Record<string, number> = {};
  for (const kind of kinds) {
    const { debit, credit, amount } = postingFor(kind, payment);
    held[debit] = (held[debit] ?? 0) + amount;
    held[credit] = (held[credit] ?? 0) - amount;
  }
  return held;
}

describe('the books', () => {
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

  test('after the money went back nobody holds anything', () => {
    expect(balances(['paid', 'refunded'])).toEqual({ 'provider:wallet': 0, 'customers:owed': 0 });
  });
});
