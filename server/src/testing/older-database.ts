import { readdir, readFile } from 'node:fs/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

const folder = new URL('../db/migrations/', import.meta.url);

/** Creates the schema from before personal data was encrypted, with a payment that a person reviewed. */
export async function fillOlder(db: Kysely<Schema>): Promise<void> {
  await sql`create table migrations (name text primary key, applied_at timestamptz not null default now())`.execute(db);
  for (const name of (await readdir(folder)).sort().filter((each) => each < '0051')) {
    await sql.raw(await readFile(new URL(name, folder), 'utf8')).execute(db);
    await sql`insert into migrations (name) values (${name})`.execute(db);
  }
  await sql`insert into payments (id, short_reference, state, version, gateway, payment_mode, transaction_type, amount,
      currency, msisdn, payer_msisdn, language, details, provider_reference, created_at, changed_at, epoch)
    values ('p1', 's1', 'REVIEW', 1, 'mpesa', 'MPESA', 'PREPAID_RECHARGE', 5, 'XTS', '0390000123', '0390000124', 'en-GB',
      '{"item":{"kind":"airtime"}}', 'ws_CO_17390000124', now(), now(), 1)`.execute(db);
  await sql`insert into payment_history (payment_id, version, event, to_state, at, settled_by, note)
    values ('p1', 0, 'create', 'CREATED', now(), null, null),
      ('p1', 1, 'settle', 'REVIEW', now(), 'Hery', 'called 039 00 001 24, a@example.mg')`.execute(db);
  await sql`insert into payment_evidence (payment_id, at, call, answer, receipt)
    values ('p1', now(), 'start', 'accepted', 'ws_CO_17390000124')`.execute(db);
}
