import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomFillSync } from 'node:crypto';
import { oneLine } from '@portal/domain/printable.ts';
import {
  type Insertable,
  type Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type RawBuilder,
  sql,
  type Updateable,
} from 'kysely';
import type { Hashed, Opened, Written } from './schema/column-types.ts';
import type { Schema } from './schema.ts';

/** A configured key. Its id is part of every value that it encrypted. */
export interface DataKey {
  id: string;
  secret: string;
}

/** The key derived from PORTAL_SECRET if no other is configured. */
export const derivedKey = 'portal-secret';

/** `within`: only these strings of a JSON column are encrypted, so that SQL can read the rest. */
type SealedAs = 'text' | 'json' | 'bytes' | { within: readonly (readonly string[])[] };
export type HashKind = 'number' | 'email' | 'invoice' | 'account';

export interface SealedTable {
  /** The primary key. It is authenticated with each value, so that a value opens only in its own row. */
  row: readonly string[];
  columns: Readonly<Record<string, SealedAs>>;
  /** Columns for lookups, each the keyed hash of an encrypted column. */
  hashes: Readonly<Record<string, { of: string; kind: HashKind }>>;
}

/** Which columns hold personal data, and how each is encrypted. A test dumps every table and looks for persons elsewhere. */
export const sealedTables = {
  payments: {
    row: ['id'],
    columns: {
      msisdn: 'text',
      payer_msisdn: 'text',
      email: 'text',
      account_id: 'text',
      invoice_number: 'text',
      continuation: 'json',
      // One provider ends its references with the payer's number.
      provider_reference: 'text',
      details: {
        within: [
          ['item', 'accountNo'],
          ['item', 'billNo'],
        ],
      },
    },
    hashes: {
      msisdn_hash: { of: 'msisdn', kind: 'number' },
      payer_hash: { of: 'payer_msisdn', kind: 'number' },
      email_hash: { of: 'email', kind: 'email' },
      invoice_hash: { of: 'invoice_number', kind: 'invoice' },
      account_hash: { of: 'account_id', kind: 'account' },
    },
  },
  // An unkeyed hash of the order: the phone number in it could be found by brute force.
  idempotency_keys: { row: ['operation', 'key'], columns: { body_hash: 'text' }, hashes: {} },
  codes: {
    row: ['id'],
    columns: { subject: 'text', recipient: 'text', payment: 'json' },
    hashes: { subject_hash: { of: 'subject', kind: 'number' } },
  },
  proofs: { row: ['digest'], columns: { subject: 'text', payment: 'text' }, hashes: {} },
  callbacks: { row: ['provider', 'digest'], columns: { headers: 'json', body: 'bytes' }, hashes: {} },
  form_entries: { row: ['id'], columns: { email: 'text', data: 'json' }, hashes: {} },
  ticket_messages: { row: ['id'], columns: { text: 'text' }, hashes: {} },
  lead_notes: { row: ['id'], columns: { text: 'text' }, hashes: {} },
  leads: {
    row: ['id'],
    columns: {
      full_name: 'text',
      contact_number: 'text',
      email: 'text',
      address: 'json',
      source: 'text',
      reference: 'text',
      works_id: 'text',
      body_digest: 'text',
    },
    hashes: {
      number_hash: { of: 'contact_number', kind: 'number' },
      email_hash: { of: 'email', kind: 'email' },
    },
  },
  approvals: { row: ['id'], columns: { about: 'text' }, hashes: {} },
} as const satisfies Partial<Record<keyof Schema, SealedTable>>;

export type SealedTableName = keyof typeof sealedTables;

const version = 'v1';
const shape = /^v1\.([a-z0-9-]{1,20})\.([A-Za-z0-9_-]{38,})$/;
const nonceBytes = 12;
const tagBytes = 16;
/** 132 bits, so that collisions are negligible. */
const hashLetters = 22;

/** The prefix of every value under a key. */
export const sealedBy = (keyId: string): string => `${version}.${keyId}.`;

/** The value was altered, moved to another row or column, or encrypted under a key that is not configured. */
export class UnreadableValue extends Error {}

/** The keys of one portal. The first encrypts (AES-256-GCM); all of them decrypt. */
export class PersonalData implements KyselyPlugin {
  readonly keyIds: readonly string[];
  /** Until the database is fully encrypted, a value in clear is an old one. Afterwards it is tampering. */
  takesClear = true;
  readonly #keys: ReadonlyMap<string, ReturnType<typeof createSecretKey>>;
  readonly #hashKeys: readonly ReturnType<typeof createSecretKey>[];
  readonly #pseudonymKey: ReturnType<typeof createSecretKey>;

  constructor({ keys, secret }: { keys: readonly DataKey[]; secret: string }) {
    const derive = (from: string, purpose: string) =>
      createSecretKey(Buffer.from(hkdfSync('sha256', from, '', `personal-data ${purpose}`, 32)));
    this.keyIds = keys.map(({ id }) => id);
    this.#keys = new Map(keys.map((key) => [key.id, derive(key.secret, 'seal')]));
    this.#hashKeys = keys.map((key) => derive(key.secret, 'hash'));
    this.#pseudonymKey = derive(secret, 'pseudonym');
  }

  get writingKey(): string {
    return this.keyIds[0] ?? '';
  }

  // A Kysely plugin only because Kysely passes plugins on to transactions, so every store has the keys at hand.
  transformQuery({ node }: PluginTransformQueryArgs) {
    return node;
  }
  async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }

  /** `place` is the column and row that the value belongs to (additional authenticated data); it opens nowhere else. */
  seal(place: string, clear: string | Buffer): string {
    const key = this.#keys.get(this.writingKey);
    if (!key) throw new Error('no key for personal data');
    const nonce = nextNonce();
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
    const text = cipher.update(clear);
    // GCM returns no more bytes here; this computes the tag.
    cipher.final();
    const sealed = Buffer.concat([nonce, text, cipher.getAuthTag()]);
    return `${sealedBy(this.writingKey)}${sealed.toString('base64url')}`;
  }

  open(place: string, sealed: string): Buffer {
    const [, keyId = '', text = ''] = shape.exec(sealed) ?? [];
    const key = this.#keys.get(keyId);
    if (!key) throw new UnreadableValue(`${place.split('\n')[0]} is under a key that is not configured`);
    const bytes = Buffer.from(text, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes)).setAAD(Buffer.from(place));
      decipher.setAuthTag(bytes.subarray(-tagBytes));
      const clear = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
      decipher.final();
      return clear;
    } catch {
      throw new UnreadableValue(`${place.split('\n')[0]} was altered, or moved from another place`);
    }
  }

  /** Until the database is fully encrypted, a value in clear is returned as it is. */
  openText(place: string, stored: string): string {
    if (stored === '') return stored;
    return this.#isClear(place, shape.test(stored)) ? stored : this.open(place, stored).toString('utf8');
  }

  openBytes(place: string, stored: Buffer): Buffer {
    const text = stored.toString('latin1');
    return this.#isClear(place, shape.test(text)) ? stored : this.open(place, text);
  }

  openJson(place: string, stored: unknown): unknown {
    const isSealed = typeof stored === 'string' && shape.test(stored);
    return this.#isClear(place, isSealed) ? stored : JSON.parse(this.open(place, String(stored)).toString('utf8'));
  }

  #isClear(place: string, isSealed: boolean): boolean {
    if (isSealed) return false;
    if (!this.takesClear)
      throw new UnreadableValue(`${place.split('\n')[0]} is in clear, which this portal did not write`);
    return true;
  }

  /** One for each key, the writing key first: while keys rotate, rows are found under any of them. */
  hashes(kind: HashKind, value: string | null): Hashed[] {
    if (!value) return [];
    const text = `${kind}\n${kind === 'email' ? value.toLowerCase() : value}`;
    return this.#hashKeys.map((key) => hashOf(key, text) as Hashed);
  }

  /** For counters about a person that never need to be read back. Changes only with the portal's secret. */
  pseudonym(value: string): string {
    return `${pseudonymMark}${hashOf(this.#pseudonymKey, value)}`;
  }
}

export const pseudonymMark = 'p1.';

const hashOf = (key: ReturnType<typeof createSecretKey>, text: string) =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, hashLetters);

/** Random bytes for many nonces at once: a call for each took a sixth of the time of encrypting. */
const nonces = Buffer.alloc(nonceBytes * 256);
let noncesUsed = nonces.length;

function nextNonce(): Buffer {
  if (noncesUsed === nonces.length) {
    randomFillSync(nonces);
    noncesUsed = 0;
  }
  noncesUsed += nonceBytes;
  return nonces.subarray(noncesUsed - nonceBytes, noncesUsed);
}

/** The same database with the keys attached. */
export const withPersonalData = (db: Kysely<Schema>, data: PersonalData): Kysely<Schema> => db.withPlugin(data);

/** The keys of a database or of a transaction on it. */
export function personalData(db: Kysely<Schema>): PersonalData {
  const found = db.getExecutor().plugins.findLast((plugin) => plugin instanceof PersonalData);
  if (!found) throw new Error('this database was opened without the keys of personal data');
  return found;
}

export const hashesOf = (db: Kysely<Schema>, kind: HashKind, value: string | null): Hashed[] =>
  personalData(db).hashes(kind, value);

/** Recognises the same person again without revealing who it is. */
export const personPseudonym = (db: Kysely<Schema>, kind: 'number' | 'email', value: string): string =>
  personalData(db).pseudonym(`person ${kind} ${kind === 'email' ? value.toLowerCase() : value}`);

/** Matches rows with this value, or rows without one if `value` is null. */
export function isHashOf(
  db: Kysely<Schema>,
  column: string,
  [kind, value]: [HashKind, string | null],
): RawBuilder<boolean> {
  const hashes = hashesOf(db, kind, value);
  const stored = sql.ref(column);
  return hashes.length === 0 ? sql`${stored} is null` : sql`${stored} = any(${hashes}::text[])`;
}

/** Masks numbers and emails in texts that are stored for ever. */
export const withoutPersons = (text: string): string =>
  text.replace(/\S+@\S+/g, '#').replace(/\+?\d(?:[ .-]?\d){6,}/g, '#');

const beginningLetters = 80;

/** The first words of what somebody wrote, for a list: numbers and emails are masked before it is cut. */
export function beginningOf(text: string): string {
  const letters = [...oneLine(withoutPersons(text))];
  if (letters.length <= beginningLetters) return letters.join('');
  const cut = letters.slice(0, beginningLetters).join('');
  return `${cut.replace(/\s+\S{0,15}$/, '')}…`;
}

/** Masks only the given numbers, for texts whose other digits matter. */
export const withoutNumbers = (text: string, numbers: readonly (string | null)[]): string =>
  numbers.reduce<string>((rest, number) => (number ? rest.replaceAll(number.replace(/^0/, ''), '#') : rest), text);

type Row = Record<string, unknown>;

/** The column and row that each value is bound to. */
function placeOf(table: SealedTableName, key: Row) {
  const row = sealedTables[table].row.map((column) => {
    const part = (key as Row)[column];
    if (typeof part !== 'string') throw new Error(`${table}.${column} is needed to seal or open its row`);
    return part;
  });
  return (column: string) => `${table}.${column}\n${row.join('\n')}`;
}

/** The encrypted form of a new row. JSON is passed as text. */
export function sealRow<T extends SealedTableName>(
  db: Kysely<Schema>,
  table: T,
  row: Written<Insertable<Schema[T]>>,
): Insertable<Schema[T]> {
  return sealColumns(personalData(db), table, row as Row, row as Row) as Insertable<Schema[T]>;
}

/** The encrypted form of an update to the row that `key` identifies. */
export function sealPatch<T extends SealedTableName>(
  db: Kysely<Schema>,
  table: T,
  key: object,
  patch: Written<Updateable<Schema[T]>>,
): Updateable<Schema[T]> {
  return sealColumns(personalData(db), table, key as Row, patch as Row) as Updateable<Schema[T]>;
}

export function sealColumns(data: PersonalData, table: SealedTableName, key: Row, row: Row): Row {
  const { columns, hashes }: SealedTable = sealedTables[table];
  const stored = { ...row };
  let place: ReturnType<typeof placeOf> | undefined;
  for (const [column, as] of Object.entries(columns)) {
    const value = row[column];
    if (value === undefined || value === null || value === '') continue;
    place ??= placeOf(table, key);
    stored[column] = sealAs(data, as, place(column), value);
  }
  for (const [column, { of, kind }] of Object.entries(hashes))
    if (row[of] !== undefined) stored[column] = data.hashes(kind, row[of] as string | null)[0] ?? null;
  return stored;
}

function sealAs(data: PersonalData, as: SealedAs, place: string, value: unknown): unknown {
  if (as === 'text') return data.seal(place, value as string);
  if (as === 'bytes') return Buffer.from(data.seal(place, value as Buffer), 'latin1');
  if (as === 'json') return JSON.stringify(data.seal(place, value as string));
  if (!as.within.some((path) => (value as string).includes(`"${path.at(-1)}"`))) return value;
  const json = JSON.parse(value as string) as Row;
  return JSON.stringify(mapWithin(json, as.within, place, (inner, text) => data.seal(inner, text)));
}

/** The decrypted row, without its hashes. */
export function openRow<R extends object>(
  db: Kysely<Schema>,
  table: SealedTableName,
  row: R,
  key: object = row,
): Opened<R> {
  return openColumns(personalData(db), table, key as Row, row as Row) as Opened<R>;
}

export function openColumns(data: PersonalData, table: SealedTableName, key: Row, row: Row): Row {
  const { columns, hashes }: SealedTable = sealedTables[table];
  const opened = { ...row };
  let place: ReturnType<typeof placeOf> | undefined;
  for (const [column, as] of Object.entries(columns)) {
    const value = row[column];
    if (value === undefined || value === null) continue;
    place ??= placeOf(table, key);
    opened[column] = openAs(data, as, place(column), value);
  }
  for (const column of Object.keys(hashes)) delete opened[column];
  return opened;
}

function openAs(data: PersonalData, as: SealedAs, place: string, value: unknown): unknown {
  if (as === 'text') return data.openText(place, value as string);
  if (as === 'bytes') return data.openBytes(place, value as Buffer);
  if (as === 'json') return data.openJson(place, value);
  return mapWithin(value as Row, as.within, place, (inner, text) => data.openText(inner, text));
}

/** Returns a copy if something changes. Only non-empty strings are changed. */
function mapWithin(
  json: Row,
  paths: readonly (readonly string[])[],
  place: string,
  change: (place: string, text: string) => string,
): Row {
  const [head = '', ...rest] = place.split('\n');
  let changed = json;
  for (const path of paths) {
    const found = path.reduce<unknown>((at, name) => (at as Row | null | undefined)?.[name], changed);
    if (typeof found !== 'string' || found === '') continue;
    const inner = [`${head}.${path.join('.')}`, ...rest].join('\n');
    changed = withValue(changed, path, change(inner, found));
  }
  return changed;
}

function withValue(json: Row, [name = '', ...rest]: readonly string[], value: string): Row {
  return { ...json, [name]: rest.length === 0 ? value : withValue(json[name] as Row, rest, value) };
}
