export type PostingKind = 'paid' | 'delivered' | 'refunded';

export interface Posting {
  kind: PostingKind;
  debit: string;
  credit: string;
  amount: number;
  currency: string;
}

/** The amount that a provider states it took, beside the amount asked for. */
export interface Taken {
  amount: number;
  currency: string;
  taken_amount: number | null;
  taken_currency: string | null;
}

/** The amount taken; the amount asked for if the provider stated none. */
export const takenOf = ({ amount, currency, taken_amount, taken_currency }: Taken) => ({
  amount: taken_amount ?? amount,
  currency: taken_currency ?? currency,
});

/** The amount that the provider states it took, if it differs from the requested one; null otherwise. */
export function takenOtherwise(payment: Taken): { amount: number; currency: string } | null {
  const taken = takenOf(payment);
  return taken.amount === payment.amount && taken.currency === payment.currency ? null : taken;
}

/** Double entry by construction: one row has both accounts and one amount, so the ledger always balances. */
export function postingFor(kind: PostingKind, payment: Taken & { gateway: string; transaction_type: string }): Posting {
  const taken = takenOf(payment);
  const provider = `provider:${payment.gateway}`;
  // A differing amount stays in a separate account until a person decides.
  const owed = takenOtherwise(payment) ? 'customers:conflict' : 'customers:owed';
  const accounts = {
    paid: { debit: provider, credit: owed },
    delivered: { debit: owed, credit: `sales:${payment.transaction_type}` },
    refunded: { debit: owed, credit: provider },
  }[kind];
  return { kind, ...accounts, ...taken };
}

/** A goodwill credit: owed to nobody, and no provider is involved. */
export const goodwillPosting = { kind: 'goodwill', debit: 'costs:goodwill', credit: 'sales:goodwill' } as const;
