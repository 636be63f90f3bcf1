import { type Kysely, type RawBuilder, sql } from 'kysely';
import { hashesOf, openColumns, personalData, type SealedTableName, sealedTables } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { isPaidFor } from '../leads/leads.service.ts';
import { isOver, removePersons } from '../retention/delete-expired.ts';
import { type Impersonal, type Period, periods } from '../retention/retention-periods.ts';

type Executor = Kysely<Schema>;
type Row = Record<string, unknown>;

/** The person as stored: a number in its wire format, or an email. */
export interface Person {
  kind: 'number' | 'email';
  value: string;
}

/** One row about a person. */
export interface StoredRow {
  table: string;
  key: Row;
  at: Date;
  /** The personal data of the row, decrypted. */
  values: Record<string, string>;
  /** It belongs to a payment in progress, an open ticket or an open proposal. */
  isOpen: boolean;
  /** Somebody else's payment for this person: only the number is theirs. */
  isOthers?: true;
}

type PersonalTable = {
  [T in keyof typeof periods]: (typeof periods)[T]['personal'] extends readonly [] ? never : T;
}[keyof typeof periods];

const listed: Record<string, Period | Impersonal> = periods;
/** Every table with personal data, from the list that a test compares with the database. */
export const personalTables = Object.keys(listed).filter(
  (table) => (listed[table]?.personal.length ?? 0) > 0,
) as PersonalTable[];

export const periodOf = (table: PersonalTable): Period => listed[table] as Period;

/** Tables about the operator's people, not about customers. */
const ownPeople: readonly PersonalTable[] = ['console_sessions'];
/** Tables that store only hashes, so there is no text to search. */
const onlyHashes: readonly PersonalTable[] = ['payment_cards', 'idempotency_keys', 'pin_attempts', 'help_votes'];

const batch = 1_000;

/** The gateways whose wallets a number may have. */
export interface Known {
  gateways: readonly string[];
}

/** All data about a person, table by table. */
export async function rowsAbout(db: Executor, person: Person, known: Known): Promise<StoredRow[]> {
  const payments = (await matching(db, 'payments', paymentsOf(db, person), isWorkedOn)).map((held) =>
    isOthers(held, person) ? { ...held, values: { msisdn: person.value }, isOthers: true as const } : held,
  );
  const own = payments.filter((held) => !held.isOthers);
  const ids = own.map(({ key }) => key.id as string);
  const visits = own.flatMap(({ values }) => (values.visit ? [values.visit] : []));
  const wallets = known.gateways.map((gateway) => personalData(db).pseudonym(`${gateway}:${person.value}`));
  const hashes = hashesOf(db, person.kind, person.value);
  const ofLead = sql.ref(person.kind === 'email' ? 'email_hash' : 'number_hash');
  const ofPayments = [sql`payment_id = any(${ids}::text[])`, isOfOpenPayment] as const;
  /** Conditions for rows that do not name the person themselves. */
  const leads: Partial<Record<PersonalTable, readonly [RawBuilder<unknown>, RawBuilder<unknown>?]>> = {
    payment_cards: ofPayments,
    idempotency_keys: ofPayments,
    callbacks: ofPayments,
    ticket_messages: [
      sql`ticket_id in (select id from tickets where payment_id = any(${ids}::text[]))`,
      sql`ticket_id in (select id from tickets where payment_id in (select id from payments where ${isWorkedOn}))`,
    ],
    // Erasing a person must not unlock a locked wallet.
    pin_attempts: [sql`wallet = any(${wallets}::text[])`, sql`coalesce(locked_until > portal_now(), false)`],
    // A paid plan is delivered from its lead: without it the delivery would be refused and the payment refunded.
    leads: [sql`${ofLead} = any(${hashes}::text[])`, sql`(${isPaidFor} or ${isOfOpenOrder(sql`leads.id`)})`],
    lead_notes: [
      sql`lead_id in (select id from leads where ${ofLead} = any(${hashes}::text[]))`,
      sql`(exists (select from leads where leads.id = lead_id and ${isPaidFor}) or ${isOfOpenOrder(sql`lead_id`)})`,
    ],
    help_votes: [sql`voter = any(${visits}::text[])`],
  };
  const found = [...payments];
  for (const table of personalTables.filter((one) => one !== 'payments' && !ownPeople.includes(one))) {
    const [leading, isOpen] = leads[table] ?? [];
    const led = leading ? await matching(db, table, leading, isOpen) : [];
    const isLed = new Set(led.map(({ key }) => JSON.stringify(key)));
    const mentioning = onlyHashes.includes(table) ? [] : await scanned(db, table, person, isOpen);
    found.push(...led, ...mentioning.filter(({ key }) => !isLed.has(JSON.stringify(key))));
  }
  return found;
}

/** The recipient did not pay, order or write: the rest of the payment is the payer's. */
const isOthers = ({ values }: StoredRow, { kind, value }: Person): boolean =>
  kind === 'number' && values.payer_msisdn !== undefined && values.payer_msisdn !== value;

/**
 * Kept while money is moving, what it paid for is still to be installed, or an answer or a decision is pending: all of
 * that needs the person.
 */
const isWorkedOn = sql`(not (${isOver})
  or exists (select from tickets where tickets.payment_id = payments.id and tickets.state <> 'solved')
  or exists (select from approvals where subject_kind = 'payment' and subject_id = payments.id
    and approvals.state = 'open' and expires_at > portal_now())
  or exists (select from leads where leads.paid_by = payments.id and ${isPaidFor}))`;

const isOfOpenOrder = (lead: RawBuilder<unknown>) => sql`exists (select from payments
  where transaction_type = 'HBB_LEADS' and details->'item'->>'leadId' = ${lead} and ${isWorkedOn})`;

const isOfOpenPayment = sql`exists (select from payments where id = payment_id and ${isWorkedOn})`;

function paymentsOf(db: Executor, { kind, value }: Person): RawBuilder<unknown> {
  const hashes = hashesOf(db, kind, value);
  return kind === 'email'
    ? sql`email_hash = any(${hashes}::text[])`
    : sql`(msisdn_hash = any(${hashes}::text[]) or payer_hash = any(${hashes}::text[]))`;
}

async function matching(
  db: Executor,
  table: PersonalTable,
  condition: RawBuilder<unknown>,
  isOpen: RawBuilder<unknown> = sql`false`,
): Promise<StoredRow[]> {
  const key = await keyOf(db, table);
  const { rows } = await sql<Row & { is_open: boolean }>`
    select *, ${isOpen} as is_open from ${sql.table(table)} where ${condition}`.execute(db);
  return rows.map(({ is_open, ...row }) => storedRowOf(db, { table, key, row, isOpen: is_open }));
}

/** Without a condition, all rows of the table are decrypted and searched. */
async function scanned(
  db: Executor,
  table: PersonalTable,
  person: Person,
  isOpen: RawBuilder<unknown> = sql`false`,
): Promise<StoredRow[]> {
  const key = await keyOf(db, table);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const names = mentions(person);
  const found: StoredRow[] = [];
  let after: Row | null = null;
  for (;;) {
    const from: RawBuilder<unknown> = after
      ? sql`where (${columns}) > (${sql.join(key.map((column) => (after as Row)[column]))})`
      : sql``;
    const { rows }: { rows: (Row & { is_open: boolean })[] } = await sql<Row & { is_open: boolean }>`
      select *, ${isOpen} as is_open from ${sql.table(table)} ${from} order by ${columns} limit ${batch}`.execute(db);
    for (const { is_open, ...row } of rows) {
      const held = storedRowOf(db, { table, key, row, isOpen: is_open });
      if (Object.values(held.values).some((value) => names.test(value))) found.push(held);
    }
    if (rows.length < batch) return found;
    after = rows.at(-1) ?? null;
  }
}

/** As people write it: with or without country code and spaces. */
export function mentions({ kind, value }: Person): RegExp {
  if (kind === 'email') {
    const literal = value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    return new RegExp(`(?<![\\w.+-])${literal}(?![\\w-])`, 'i');
  }
  const digits = [...value.replace(/^0/, '')].join('[ .-]?');
  return new RegExp(`(?<!\\d)(?:\\+?\\d{1,3}[ .-]?|0)?${digits}(?!\\d)`);
}

function storedRowOf(
  db: Executor,
  { table, key, row, isOpen }: { table: PersonalTable; key: readonly string[]; row: Row; isOpen: boolean },
): StoredRow {
  const { personal, since } = periodOf(table);
  const opened = table in sealedTables ? openColumns(personalData(db), table as SealedTableName, row, row) : row;
  const values = [...(contextColumns[table] ?? []), ...personal].flatMap((column) => {
    const value = opened[column];
    return value === null || value === undefined || value === '' ? [] : [[column, textOf(value)] as const];
  });
  return {
    table,
    key: Object.fromEntries(key.map((column) => [column, row[column]])),
    at: row[since] as Date,
    values: Object.fromEntries(values),
    isOpen,
  };
}

/** Columns without personal data that the rest cannot be understood without. */
export const contextColumns: Partial<Record<PersonalTable, readonly string[]>> = {
  payments: ['short_reference', 'transaction_type', 'amount', 'currency', 'state'],
  leads: ['id', 'plan_description', 'status'],
  lead_notes: ['lead_id'],
  ticket_messages: ['author'],
};

const textOf = (value: unknown): string =>
  Buffer.isBuffer(value) ? value.toString('utf8') : typeof value === 'string' ? value : JSON.stringify(value);

/** The primary key's columns, from the catalog. */
async function keyOf(db: Executor, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
    where indrelid = ${table}::regclass and indisprimary order by array_position(indkey::int2[], attnum)`.execute(db);
  return rows.map(({ name }) => name);
}

/** Erases as the hourly clean-up does, only earlier; open rows stay. Returns the number of rows of each table. */
export async function erase(db: Executor, held: readonly StoredRow[], now: Date): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of personalTables) {
    const rows = held.filter((one) => one.table === table && !one.isOpen);
    if (rows.length > 0) counts[table] = await eraseRows(db, table, rows, now);
  }
  return counts;
}

async function eraseRows(db: Executor, table: PersonalTable, rows: readonly StoredRow[], now: Date): Promise<number> {
  if (table === 'payments') {
    const idsOf = (held: readonly StoredRow[]) => held.map(({ key }) => key.id as string);
    const own = idsOf(rows.filter(({ isOthers }) => !isOthers));
    const others = idsOf(rows.filter(({ isOthers }) => isOthers));
    const { numAffectedRows } = await sql`
      update payments set msisdn = '', msisdn_hash = null where id = any(${others}::text[])`.execute(db);
    return Number(numAffectedRows ?? 0) + (await removePersons(db, sql`id = any(${own}::text[])`, now));
  }
  const { personal, ending } = periodOf(table);
  let count = 0;
  for (const { key } of rows) {
    const isIt = sql.join(
      Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
      sql` and `,
    );
    const emptied = sql.join(personal.map((column) => sql`${sql.ref(column)} = null`));
    const { numAffectedRows } =
      ending === 'the row is deleted'
        ? await sql`delete from ${sql.table(table)} where ${isIt}`.execute(db)
        : await sql`update ${sql.table(table)} set ${emptied} where ${isIt}`.execute(db);
    count += Number(numAffectedRows ?? 0);
  }
  return count;
}
