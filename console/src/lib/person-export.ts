import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { csvRow } from '@portal/domain/printable.ts';

type Row = ConsoleResult<'exportPerson'>['rows'][number];

export interface ExportWords {
  sayOr(key: string): string;
  time(iso: string): string;
  money(amount: number, currency: string): string;
  stateWords(state: string, type?: string): string;
}

/** One thing that is held, as it is handed to the person: every field by its name. */
export interface ReadableRow {
  kind: string;
  at: string;
  fields: [label: string, value: string][];
  /** Fingerprints and the like, which say nothing to a reader; handed over all the same. */
  technical: [label: string, value: string][];
}

/** Fields that only our systems can read. */
const technicalFields: readonly string[] = [
  ...['msisdn_hash', 'payer_hash', 'email_hash', 'invoice_hash', 'account_hash', 'number_hash', 'subject_hash'],
  ...['visit', 'asked_from', 'proof_digest', 'body_digest', 'body_hash', 'continuation', 'details', 'headers'],
  ...['key', 'kept_for', 'payment', 'wallet', 'card', 'voter', 'visitor', 'works_id', 'reference', 'source'],
];

const isoTime = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

export function readableRows(rows: readonly Row[], words: ExportWords): ReadableRow[] {
  const { sayOr, time, money, stateWords } = words;
  return rows.map(({ table, at, values }) => {
    const readable = (name: string, value: string): string => {
      const { amount, currency, transaction_type: type } = values;
      if (name === 'amount' && currency) return money(Number(amount), currency);
      if (name === 'state') return stateWords(value, type);
      if (name === 'transaction_type') return sayOr(`type.${value}`);
      if (name === 'status') return sayOr(`lead.${value}`);
      if (name === 'author') return sayOr(`ticketBy.${value}`);
      if (name === 'address') return listed(value).join(', ');
      if (name === 'data') return named(value, sayOr).join('\n');
      return isoTime.test(value) ? time(value) : value;
    };
    const shown = Object.entries(values)
      .filter(([name]) => !(name === 'currency' && values.amount))
      .map(([name, value]) => ({
        name,
        pair: [sayOr(`heldField.${name}`), readable(name, value)] as [string, string],
      }));
    const isTechnical = ({ name }: { name: string }) => technicalFields.includes(name);
    return {
      kind: sayOr(`known.held.${table}`),
      at: time(at),
      fields: shown.filter((one) => !isTechnical(one)).map(({ pair }) => pair),
      technical: shown.filter(isTechnical).map(({ pair }) => pair),
    };
  });
}

function objectIn(json: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : { text: read };
  } catch {
    return { text: json };
  }
}

const filled = (value: unknown): boolean => value !== null && value !== '';

/** The parts of an address, without its kind. */
const listed = (json: string): string[] =>
  Object.entries(objectIn(json)).flatMap(([name, value]) => (name !== 'type' && filled(value) ? [String(value)] : []));

/** The fields of a form, each by its name. */
const named = (json: string, sayOr: (key: string) => string): string[] =>
  Object.entries(objectIn(json)).flatMap(([name, value]) =>
    filled(value) ? [`${sayOr(`field.${name}`)}: ${name === 'topic' ? sayOr(`topic.${value}`) : String(value)}`] : [],
  );

/** A table with a line a field; what only systems can read is at its end. */
export function personCsv(rows: readonly ReadableRow[], head: readonly string[], technical: string): string {
  const lines = (as: 'fields' | 'technical', kindOf: (kind: string) => string) =>
    rows.flatMap((row) => row[as].map(([label, value]) => csvRow([kindOf(row.kind), row.at, label, value])));
  return [
    csvRow([...head]),
    ...lines('fields', (kind) => kind),
    ...lines('technical', (kind) => `${technical} · ${kind}`),
  ].join('\r\n');
}

export function personJson(rows: readonly ReadableRow[], [kind, at]: readonly string[], technical: string): string {
  const handed = rows.map((row) => ({
    ...{ [kind ?? '']: row.kind, [at ?? '']: row.at },
    ...Object.fromEntries(row.fields),
    ...(row.technical.length > 0 ? { [technical]: Object.fromEntries(row.technical) } : {}),
  }));
  return JSON.stringify(handed, null, 2);
}
