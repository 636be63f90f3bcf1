import { maskEmail } from '@portal/domain/email.ts';
import { maskName } from '@portal/domain/lead/lead-stage.ts';
import { fromWire, maskNational } from '@portal/domain/msisdn.ts';
import { csvRow } from '@portal/domain/printable.ts';
import type { Lead } from './leads.store.ts';

type Cell = string | number | boolean | null;
interface Column {
  name: string;
  cell: (lead: Lead) => Cell;
  /** The masked value, for readers without permission. Columns without personal data have none. */
  masked?: (lead: Lead, groups: readonly number[] | undefined) => Cell;
}

const nothing = () => null;

const columns: readonly Column[] = [
  { name: 'id', cell: ({ id }) => id },
  { name: 'created', cell: ({ created_at }) => created_at.toISOString() },
  { name: 'status', cell: ({ status }) => status },
  { name: 'stage', cell: ({ stage }) => stage },
  { name: 'name', cell: ({ full_name }) => full_name, masked: ({ full_name }) => maskName(full_name) },
  {
    name: 'number',
    cell: ({ contact_number }) => contact_number,
    masked: ({ contact_number }, groups) => maskNational(fromWire(contact_number), groups),
  },
  { name: 'email', cell: ({ email }) => email, masked: ({ email }) => maskEmail(email) },
  { name: 'town', cell: ({ address }) => address.city },
  { name: 'street', cell: ({ address }) => address.street1, masked: nothing },
  { name: 'landmark', cell: ({ address }) => address.landmark, masked: nothing },
  { name: 'latitude', cell: ({ address }) => address.lat, masked: nothing },
  { name: 'longitude', cell: ({ address }) => address.lng, masked: nothing },
  { name: 'served', cell: ({ is_feasible }) => is_feasible },
  { name: 'plan', cell: ({ plan_code }) => plan_code },
  { name: 'amount', cell: ({ plan_amount }) => plan_amount },
  { name: 'currency', cell: ({ plan_currency }) => plan_currency },
  { name: 'source', cell: ({ source }) => source, masked: nothing },
  { name: 'reference', cell: ({ reference }) => reference, masked: nothing },
  { name: 'sales visit', cell: ({ works_id }) => works_id, masked: nothing },
];

/** Streams the leads as CSV, a line at a time. */
export async function* leadLines(
  leads: AsyncIterable<Lead>,
  as: 'inFull' | { masked: readonly number[] | undefined },
): AsyncGenerator<string> {
  yield csvRow(columns.map(({ name }) => name));
  for await (const lead of leads)
    yield csvRow(
      columns.map(({ cell, masked }) => (as === 'inFull' || !masked ? cell(lead) : masked(lead, as.masked))),
    );
}
