import type { Database } from '../../server/src/db/database.ts';
import { type Books, bookDifferences } from './compare-books.ts';
import type { Customers } from './customers.ts';

/** Clocks were moved ahead, so payments ended later than now. */
const monthMs = 30 * 24 * 3_600_000;
const finalStates = ['SUCCEEDED', 'FAILED', 'REFUNDED'];

export interface Verdict {
  /** How many payments ended in each state. */
  states: Record<string, number>;
  problems: string[];
}

/** Compares what customers were told, what the database holds and what the providers did. */
export async function judge(db: Database['db'], customers: Customers, books: Books): Promise<Verdict> {
  const payments = await db.selectFrom('payments').select(['id', 'state', 'gateway', 'submitted_at']).execute();
  const paid = await db.selectFrom('ledger_postings').select('payment_id').where('kind', '=', 'paid').execute();
  const byId = new Map(payments.map((payment) => [payment.id, payment]));
  const isPaid = new Set(paid.map(({ payment_id }) => payment_id));
  const states: Record<string, number> = {};
  const problems = [...customers.surprises];

  for (const { id, state, gateway } of payments) {
    states[state] = (states[state] ?? 0) + 1;
    if (!finalStates.includes(state)) problems.push(`${gateway} ${id} did not end: it is ${state}`);
  }
  for (const { id, statuses, isProcessed } of customers.payments.values()) {
    const payment = byId.get(id);
    const last = statuses.at(-1);
    if (!payment) problems.push(`${id} was acknowledged and is lost`);
    else if (isProcessed && !payment.submitted_at) problems.push(`${id} was sent off and is back where it began`);
    else if (last === 'SUCCESS' && payment.state !== 'SUCCEEDED')
      problems.push(`${id} was told as a success and is ${payment.state}`);
    else if (last === 'FAILED' && !['FAILED', 'REFUNDED'].includes(payment.state))
      problems.push(`${id} was told as failed and is ${payment.state}`);
    else if (last === 'REQUEST_RAISED' && !isPaid.has(id))
      problems.push(`${id} was told as paid, and no money is booked`);
  }
  const moved = Object.values(books).flatMap((book) => Object.keys(book));
  for (const id of new Set(moved))
    if (!byId.has(id)) problems.push(`a provider moved money for ${id}, which is not known here`);
  problems.push(...(await bookDifferences(db, books, new Date(Date.now() + monthMs))));
  return { states, problems };
}
