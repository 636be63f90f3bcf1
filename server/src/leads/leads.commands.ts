import { csvRow, oneLine } from '@portal/domain/printable.ts';
import type { Leads } from './leads.service.ts';
import type { Lead } from './leads.store.ts';

const columns: readonly [name: string, cell: (lead: Lead) => string | number | boolean | null][] = [
  ['id', ({ id }) => id],
  ['created', ({ created_at }) => created_at.toISOString()],
  ['status', ({ status }) => status],
  ['name', ({ full_name }) => full_name],
  ['number', ({ contact_number }) => contact_number],
  ['email', ({ email }) => email],
  ['town', ({ address }) => address.city],
  ['street', ({ address }) => address.street1],
  ['landmark', ({ address }) => address.landmark],
  ['latitude', ({ address }) => address.lat],
  ['longitude', ({ address }) => address.lng],
  ['served', ({ is_feasible }) => is_feasible],
  ['plan', ({ plan_code }) => plan_code],
  ['amount', ({ plan_amount }) => plan_amount],
  ['currency', ({ plan_currency }) => plan_currency],
  ['source', ({ source }) => source],
  ['reference', ({ reference }) => reference],
  ['sales visit', ({ works_id }) => works_id],
];

export const leadsUsage = [
  'npm run leads -- export [id]                       every lead, or one, a line of JSON each',
  'npm run leads -- csv                               every lead as a table for a spreadsheet',
  'npm run leads -- delete <id>                       forgets a lead and everything in it',
].join('\n');

/** Gives the exit status: 0 done, 1 refused, 2 not understood. */
export async function runLeadsCommand(
  [verb, id]: string[],
  leads: Leads,
  print: (line: string) => void,
): Promise<number> {
  if (verb === 'export') {
    const one = id ? await leads.find(id) : undefined;
    if (id && !one) return refuse(id, print);
    for (const { proof_digest: _proof, body_digest: _body, ...lead } of one ? [one] : await leads.list())
      print(JSON.stringify(lead, (_key, value) => (typeof value === 'string' ? oneLine(value) : value)));
    return 0;
  }
  if (verb === 'csv') {
    print(csvRow(columns.map(([name]) => name)));
    for (const lead of await leads.list()) print(csvRow(columns.map(([, cell]) => cell(lead))));
    return 0;
  }
  if (verb === 'delete' && id) {
    if (!(await leads.remove(id))) return refuse(id, print);
    print(`The lead ${id} is deleted.`);
    return 0;
  }
  for (const line of leadsUsage.split('\n')) print(line);
  return 2;
}

function refuse(id: string, print: (line: string) => void): number {
  print(`There is no lead ${id}.`);
  return 1;
}
