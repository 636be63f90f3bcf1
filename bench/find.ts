import { parseArgs } from 'node:util';
import { type Kysely, sql } from 'kysely';
import { ensurePostgres } from '../scripts/postgres.ts';
import type { Position } from '../server/src/console/console.service.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { migrateServer } from '../server/src/db/migrate.ts';
import { derivedKey, hashesOf, PersonalData, withPersonalData } from '../server/src/db/personal-data.ts';
import type { Schema } from '../server/src/db/schema.ts';
import { type Clues, searchPayments } from '../server/src/payments/desk/payments.desk.store.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { manyId } from '../server/src/testing/many-payments.ts';
import { benchSecret } from './payment-rows.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';

// CNS-4: search time for each kind of key with millions of payments stored. CNS-16: the first page and a far page for a
// number with very many payments.
const { values } = parseArgs({
  options: { payments: { type: 'string', default: '5000000' }, page: { type: 'string', default: '10000' } },
});
const [stored, farPage] = [Number(values.payments), Number(values.page)];
const rowsOfPage = 50;
const barMs = 300;

/** A dealer with every eighth payment; the others are spread over as many numbers as an operator has. */
const dealer = { number: '0390000007', email: 'dealer@example.mg', account: 'PA1000000001' };
const batch = 100_000;

/** Building an index over millions of rows takes a tenth of the time of updating it with every insert. */
async function withoutIndexes(db: Kysely<Schema>, fill: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string; definition: string }>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('payments', 'payment_evidence') and indexname not in (select conname from pg_constraint)`.execute(
    db,
  );
  for (const { name } of rows) await sql`drop index ${sql.ref(name)}`.execute(db);
  await fill();
  for (const { definition } of rows) await sql.raw(definition).execute(db);
}

async function store(db: Kysely<Schema>): Promise<void> {
  const [number, email, account] = [
    hashesOf(db, 'number', dealer.number)[0],
    hashesOf(db, 'email', dealer.email)[0],
    hashesOf(db, 'account', dealer.account)[0],
  ];
  const one = (name: string, ofDealer: string | undefined, spread: number) =>
    sql`case when n % 8 = 0 then ${ofDealer}::text else left(md5(${name}::text || n % ${spread}::int), 22) end`;
  await db.connection().execute(async (connection) => {
    // Skip foreign key checks: the rows are consistent by construction.
    await sql`set session_replication_role = replica`.execute(connection);
    for (let from = 1; from <= stored; from += batch) {
      const numbers = sql`generate_series(${from}::int, ${Math.min(from + batch - 1, stored)}::int) n`;
      const id = sql`'m' || lpad(n::text, 25, '0')`;
      const at = sql`timestamptz '2025-01-01' + n * interval '6 seconds'`;
      await sql`
        insert into payments (id, short_reference, state, version, gateway, payment_mode, transaction_type, amount, currency,
          msisdn, msisdn_hash, payer_msisdn, payer_hash, email, email_hash, account_id, account_hash, invoice_number,
          invoice_hash, language, details, submitted_at, created_at, changed_at, epoch)
        select ${id}, 'm' || lpad(n::text, 11, '0'), 'SUCCEEDED', 3, 'wallet', 'WALLET', 'PREPAID_RECHARGE', 1000, 'XTS',
          '0390000001', ${one('number', number, 3_000_000)}, '0390000001', ${one('number', number, 3_000_000)},
          'somebody@example.mg', ${one('email', email, 1_000_000)}, 'PA1', ${one('account', account, 1_000_000)},
          'INV1', left(md5('invoice' || n), 22), 'en-GB', '{"item":{"kind":"airtime"}}', ${at}, ${at}, ${at}, 1
        from ${numbers}`.execute(connection);
      await sql`insert into payment_evidence (payment_id, at, call, answer, receipt)
        select ${id}, ${at}, 'enquire', 'paid', 'R' || n from ${numbers}`.execute(connection);
    }
    await sql`set session_replication_role = origin`.execute(connection);
  });
}

const postgres = await ensurePostgres();
const { url, drop } = await createPostgres(postgres.url);
const database = await openDatabase({ url, poolSize: 4, isUnlimited: true });
try {
  await migrateServer({ url });
  const data = new PersonalData({ keys: [{ id: derivedKey, secret: benchSecret }], secret: benchSecret });
  const db = withPersonalData(database.db, data);
  console.log(`Storing ${stored.toLocaleString('en')} payments…`);
  await withoutIndexes(db, () => store(db));
  await sql`vacuum analyze`.execute(db);
  await sql`checkpoint`.execute(db);

  async function timed(clues: (index: number) => Clues, before?: Position) {
    const taken: number[] = [];
    for (let index = 0; index < 40; index += 1) {
      const from = performance.now();
      const found = await searchPayments(db, clues(index), { before, most: rowsOfPage + 1 });
      taken.push(performance.now() - from);
      if (found.length === 0) throw new Error('what is stored was not found');
    }
    // The first searches have a cold cache, like a user who searches once an hour.
    return { median: median(taken), most: Math.max(...taken) };
  }

  /** A different payment for each index. */
  const any = (index: number) => 1 + ((index * 7_919_777 + 3) % stored);
  const terms: [string, (index: number) => Clues][] = [
    ['transaction id', (index) => ({ id: manyId(any(index)) })],
    ['short reference', (index) => ({ reference: `m${String(any(index)).padStart(11, '0')}` })],
    ['provider’s receipt', (index) => ({ receipt: `R${any(index)}` })],
    ['number with very many payments', () => ({ number: dealer.number })],
    ['email with very many', () => ({ email: dealer.email })],
    ['account with very many', () => ({ account: dealer.account })],
    [
      'anything it could be',
      (index) => ({ reference: `m${String(any(index)).padStart(11, '0')}`, invoice: 'x', account: 'x', receipt: 'x' }),
    ],
  ];
  const found = [];
  for (const [name, clues] of terms) found.push({ name, ...(await timed(clues)) });
  printHeading(`Find with ${stored.toLocaleString('en')} payments, milliseconds`);
  printTable(
    ['by', 'median', 'longest of 40'],
    found.map(({ name, median: half, most }) => [name, half, most]),
  );
  for (const { name, most } of found) holdBar(`CNS-4 by ${name} within ${barMs} ms`, most <= barMs);

  const page = Math.min(farPage, Math.floor(stored / 8 / rowsOfPage) - 2);
  const number = hashesOf(db, 'number', dealer.number)[0];
  const { rows } = await sql<{ at: Date; id: string }>`select created_at as at, id from payments
    where msisdn_hash = ${number} order by created_at desc, id desc offset ${page * rowsOfPage} limit 1`.execute(db);
  const [far] = rows as [Position];
  const [first, last] = [
    await timed(() => ({ number: dealer.number })),
    await timed(() => ({ number: dealer.number }), far),
  ];
  printHeading(`Pages of a number with ${Math.floor(stored / 8).toLocaleString('en')} payments, milliseconds`);
  printTable(
    ['page', 'median', 'longest of 40'],
    [
      ['1', first.median, first.most],
      [page.toLocaleString('en'), last.median, last.most],
    ],
  );
  holdBar('CNS-16 a page far back takes what the first does (within twice)', last.median <= 2 * first.median + 1);
} finally {
  await database.close();
  await drop();
  await postgres.stop();
}
