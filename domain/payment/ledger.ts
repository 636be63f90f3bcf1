export type PostingKind = 'paid' | 'delivered' | 'refunded';

export interface Posting {
  kind: PostingKind;
  debit: string;
  credit: string;
  amount: number;
  currency: string;
}

/** What a provider states that it took, beside what was asked for. */
export interface Taken {
  amount: number;
  currency: string;
  taken_amount: number | null;
  taken_currency: string | null;
}

/** What was really taken; what was asked for where the provider stated nothing. */
export const takenOf = ({ amount, currency, taken_amount, taken_currency }: Taken) => ({
  amount: taken_amount ?? amount,
  currency: taken_currency ?? currency,
});

/** Double entry by construction: one row names both accounts and one amount, so the books cannot be out of balance. */
export function postingFor(kind: PostingKind, payment: Taken & { gateway: string; transaction_type: string }): Posting {
  const taken = takenOf(payment);
  const isAsTaken = taken.amount === payment.amount && taken.currency === payment.currency;
  const provider = `provider:${payment.gateway}`;
  // Money of another amount than was asked for stands apart until a person has decided about it.
  const owed = isAsTaken ? 'customers:owed' : 'customers:conflict';
  const accounts = {
    paid: { debit: provider, credit: owed },
    delivered: { debit: owed, credit: `sales:${payment.transaction_type}` },
    refunded: { debit: owed, credit: provider },
  }[kind];
  return { kind, ...accounts, ...taken };
}

/** What the operator gives away after a delivery: it is owed to nobody, and no provider has anything to do with it. */
export const goodwillPosting = { kind: 'goodwill', debit: 'costs:goodwill', credit: 'sales:goodwill' } as const;
