import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

const batch = 20_000;

/** Stores delivered payments `from` to `to`, spread over `seconds` of 2025 and as many lines as an operator has. */
export async function storeMany(db: Kysely<Schema>, from: number, to: number, seconds = 31_536_000): Promise<void> {
  await db.connection().execute(async (one) => {
    // Skip foreign key checks: the rows are consistent by construction, and checking millions takes most of the time.
    await sql`set session_replication_role = replica`.execute(one);
    for (let first = from; first <= to; first += batch)
      await storeBatch(one, first, Math.min(first + batch - 1, to), seconds);
    await sql`set session_replication_role = origin`.execute(one);
    await sql`analyze payments, payment_history, ledger_postings`.execute(one);
  });
}

async function storeBatch(db: Kysely<Schema>, from: number, to: number, seconds: number): Promise<void> {
  const numbers = sql`generate_series(${from}::int, ${to}::int) n`;
  const at = sql`timestamptz '2025-01-01' + (n % ${seconds}::int) * interval '1 second'`;
  const id = sql`'m' || lpad(n::text, 25, '0')`;
  // As long as a hash. Personal data is in clear, as in rows from before encryption.
  const number = sql`'39' || lpad((n % 3000000)::text, 7, '0')`;
  const hash = sql`left(translate(encode(sha256(convert_to(${number}, 'UTF8')), 'base64'), '+/', '-_'), 22)`;
  await sql`
    insert into payments (id, short_reference, state, version, gateway, payment_mode, transaction_type, amount, currency,
      msisdn, msisdn_hash, language, details, submitted_at, created_at, changed_at, epoch)
    select ${id}, 'm' || lpad(n::text, 11, '0'), 'SUCCEEDED', 3, 'wallet', 'WALLET', 'PREPAID_RECHARGE', 1000, 'XTS',
      ${number}, ${hash}, 'en-GB', '{"item":{"kind":"airtime"}}', ${at}, ${at}, ${at}, 1
    from ${numbers}`.execute(db);
  await sql`
    insert into payment_history (payment_id, version, event, from_state, to_state, at)
    select ${id}, version, event, null, state, ${at} from ${numbers},
      (values (0, 'create', 'CREATED'), (1, 'submit', 'SUBMITTING'), (2, 'pay', 'PAID'), (3, 'deliver', 'SUCCEEDED'))
        as moves (version, event, state)`.execute(db);
  await sql`
    insert into ledger_postings (payment_id, kind, debit_account, credit_account, amount, currency, at)
    select ${id}, kind, debit, credit, 1000, 'XTS', ${at} from ${numbers},
      (values ('paid', 'gateway:wallet', 'customers:owed'), ('delivered', 'customers:owed', 'delivered:airtime'))
        as postings (kind, debit, credit)`.execute(db);
}

export const manyId = (n: number): string => `m${String(n).padStart(25, '0')}`;
