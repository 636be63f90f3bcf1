import type { Database } from '../../server/src/db/database.ts';

type Taken = Record<string, { taken: number; givenBack: number; currency: string }>;
export type Books = Record<string, Taken> & { charging: Record<string, { delivered: number; count: number }> };

/** Paystack counts in hundredths whatever the currency. */
const unitsOf: Record<string, number> = { paystack: 100 };

export async function readBooks(sandboxUrl: string): Promise<Books> {
  return (await (await fetch(`${sandboxUrl}/sandbox/api/books`)).json()) as Books;
}

/** Compares the portal's ledger with the providers' books, for every payment that had ended by then. */
export async function bookDifferences(db: Database['db'], books: Books, asOf: Date): Promise<string[]> {
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'gateway', 'state', 'amount'])
    .where('state', 'in', ['SUCCEEDED', 'FAILED', 'REFUNDED'])
    .where('changed_at', '<', asOf)
    .execute();
  const postings = await db.selectFrom('ledger_postings').select(['payment_id', 'kind', 'amount']).execute();
  const booked = new Map(postings.map(({ payment_id, kind, amount }) => [`${payment_id} ${kind}`, amount]));
  const differences: string[] = [];
  for (const { id, gateway, state } of payments) {
    const outside = books[gateway]?.[id];
    const units = unitsOf[gateway] ?? 1;
    const pairs = [
      ['paid', booked.get(`${id} paid`) ?? 0, (outside?.taken ?? 0) / units],
      ['refunded', booked.get(`${id} refunded`) ?? 0, (outside?.givenBack ?? 0) / units],
      ['delivered', booked.get(`${id} delivered`) ?? 0, books.charging[id]?.delivered ?? 0],
    ] as const;
    for (const [what, ours, theirs] of pairs)
      if (ours !== theirs) differences.push(`${gateway} ${id} (${state}) ${what}: ours ${ours}, theirs ${theirs}`);
    if ((books.charging[id]?.count ?? 0) > 1) differences.push(`${gateway} ${id} was delivered twice`);
  }
  return differences;
}
