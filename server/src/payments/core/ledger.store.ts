import { type PostingKind, postingFor } from '@portal/domain/payment/ledger.ts';
import { type Kysely, sql } from 'kysely';
import type { Payment } from '../../db/schema/payments.ts';
import type { Schema } from '../../db/schema.ts';

type Executor = Kysely<Schema>;

export async function insertPosting(db: Executor, payment: Payment, kind: PostingKind, at: Date): Promise<void> {
  const posting = postingFor(kind, payment);
  await db
    .insertInto('ledger_postings')
    .values({
      payment_id: payment.id,
      kind,
      debit_account: posting.debit,
      credit_account: posting.credit,
      amount: posting.amount,
      currency: posting.currency,
      at,
    })
    .execute();
}

export async function postingKinds(db: Executor, paymentId: string): Promise<string[]> {
  const rows = await db.selectFrom('ledger_postings').select('kind').where('payment_id', '=', paymentId).execute();
  return rows.map(({ kind }) => kind);
}

export interface AccountBalance {
  account: string;
  currency: string;
  balance: number;
}

export async function ledgerBalances(db: Executor): Promise<AccountBalance[]> {
  const balances = await sql<AccountBalance>`
    select account, currency, sum(amount)::bigint as balance from (
      select debit_account as account, currency, amount from ledger_postings
      union all
      select credit_account, currency, -amount from ledger_postings
    ) entries group by account, currency order by account, currency`.execute(db);
  return balances.rows;
}
