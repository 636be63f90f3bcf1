export type PostingKind = 'paid' | 'delivered' | 'refunded';

export interface Posting {
  kind: PostingKind;
  debit: string;
  credit: string;
  amount: number;
  currency: string;
}

/** Double entry by construction: one row names both accounts and one amount, so the books cannot be out of balance. */
export function postingFor(
  kind: PostingKind,
  payment: { gateway: string; transactionType: string; amount: number; currency: string },
): Posting {
  const provider = `provider:${payment.gateway}`;
  const owed = 'customers:owed';
  const accounts = {
    paid: { debit: provider, credit: owed },
    delivered: { debit: owed, credit: `sales:${payment.transactionType}` },
    refunded: { debit: owed, credit: provider },
  }[kind];
  return { kind, ...accounts, amount: payment.amount, currency: payment.currency };
}
