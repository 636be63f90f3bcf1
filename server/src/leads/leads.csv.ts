import { maskEmail } from '@portal/domain/email.ts';
import { maskName } from '@portal/domain/lead/lead-stage.ts';
import { fromWire, maskNational } from '@portal/domain/msisdn.ts';
import { csvRow } from '@portal/domain/printable.ts';
import { toWall } from '@portal/domain/zoned-time.ts';
import type { ListedLead } from './leads.pipeline.store.ts';

type Cell = string | number | boolean | null;

export interface TableOptions {
  /** In full, or with personal data masked for readers without permission. */
  isFull: boolean;
  groups: readonly number[] | undefined;
  timeZone: string;
  /** The reader's words for columns and codes, by `column.<name>`, `status.<code>`, `stage.<code>`, `yes` and `no`. */
  words?: Readonly<Record<string, string>> | undefined;
}

interface Column {
  name: string;
  cell: (lead: ListedLead, options: TableOptions) => Cell;
  /** The masked value. Columns without personal data have none. */
  masked?: (lead: ListedLead, options: TableOptions) => Cell;
}

const nothing = () => null;
const worded = (code: string, key: string, { words }: TableOptions): string => words?.[key] ?? code;

const columns: readonly Column[] = [
  { name: 'id', cell: ({ id }) => id },
  {
    name: 'created',
    cell: ({ created_at }, { timeZone }) => toWall(created_at.toISOString(), timeZone).replace('T', ' '),
  },
  { name: 'status', cell: ({ status }, options) => worded(status, `status.${status}`, options) },
  { name: 'stage', cell: ({ stage }, options) => worded(stage, `stage.${stage}`, options) },
  { name: 'worked on by', cell: ({ assignee }) => assignee },
  { name: 'name', cell: ({ full_name }) => full_name, masked: ({ full_name }) => maskName(full_name) },
  {
    name: 'number',
    cell: ({ contact_number }) => contact_number,
    masked: ({ contact_number }, { groups }) => maskNational(fromWire(contact_number), groups),
  },
  { name: 'email', cell: ({ email }) => email, masked: ({ email }) => maskEmail(email) },
  { name: 'town', cell: ({ address }) => address.city },
  { name: 'street', cell: ({ address }) => address.street1, masked: nothing },
  { name: 'landmark', cell: ({ address }) => address.landmark, masked: nothing },
  { name: 'latitude', cell: ({ address }) => address.lat, masked: nothing },
  { name: 'longitude', cell: ({ address }) => address.lng, masked: nothing },
  {
    name: 'served',
    cell: ({ is_feasible }, options) => worded(String(is_feasible), is_feasible ? 'yes' : 'no', options),
  },
  { name: 'plan', cell: ({ plan_code }) => plan_code },
  { name: 'plan in words', cell: ({ plan_description }) => plan_description },
  { name: 'amount', cell: ({ plan_amount }) => plan_amount },
  { name: 'currency', cell: ({ plan_currency }) => plan_currency },
  { name: 'paid by', cell: ({ paid_by }) => paid_by },
  { name: 'source', cell: ({ source }) => source, masked: nothing },
  { name: 'reference', cell: ({ reference }) => reference, masked: nothing },
  { name: 'sales visit', cell: ({ works_id }) => works_id, masked: nothing },
];

export const leadColumns: readonly string[] = columns.map(({ name }) => name);

/** Streams the leads as CSV, a line at a time. */
export async function* leadLines(leads: AsyncIterable<ListedLead>, options: TableOptions): AsyncGenerator<string> {
  yield csvRow(leadColumns.map((name) => worded(name, `column.${name}`, options)));
  for await (const lead of leads)
    yield csvRow(
      columns.map(({ cell, masked }) => (options.isFull || !masked ? cell(lead, options) : masked(lead, options))),
    );
}
