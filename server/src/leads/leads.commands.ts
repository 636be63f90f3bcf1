import { oneLine } from '@portal/domain/printable.ts';
import type { Audit } from '../audit/audit.service.ts';
import type { Payments } from '../payments/payments.service.ts';
import { eraseLead } from './leads.handlers.ts';
import type { Leads } from './leads.service.ts';

export const leadsUsage = [
  'npm run leads -- export <your name> <reason> [id]  every lead, or one, a line of JSON each',
  'npm run leads -- csv <your name> <reason>          every lead as a table for a spreadsheet',
  'npm run leads -- delete <id> <your name> <reason>  forgets a lead and everything in it',
].join('\n');

interface Desk {
  leads: Leads;
  payments: Pick<Payments, 'isOrderUnderWay'>;
  audit: Pick<Audit, 'write' | 'writeSeen'>;
}

/**
 * Returns the exit status: 0 done, 1 refused, 2 invalid command. The audit records what was shown or deleted, by whom
 * and why.
 */
export async function runLeadsCommand(
  [verb, ...words]: string[],
  desk: Desk,
  print: (line: string) => void,
): Promise<number> {
  if (verb === 'export' || verb === 'csv') {
    const [by, reason, id] = words;
    if (by && reason) return show({ verb, by, reason, id }, desk, print);
  }
  if (verb === 'delete') {
    const [id, by, reason] = words;
    if (id && by && reason) {
      const outcome = await eraseLead(desk, id, { actor: actorOf(by), reason });
      print(erasureWords[outcome](id));
      return outcome === 'erased' ? 0 : 1;
    }
  }
  for (const line of leadsUsage.split('\n')) print(line);
  return 2;
}

const actorOf = (person: string) => ({ person, roles: ['command'], address: null });

const erasureWords = {
  erased: (id: string) => `The lead ${id} is deleted.`,
  unknown: (id: string) => `There is no lead ${id}.`,
  paid: (id: string) => `The lead ${id} is paid, and neither installed nor given back: delete it after that.`,
  underWay: (id: string) => `A payment for the lead ${id} is under way: delete it when that has ended.`,
};

async function show(
  { verb, by, reason, id }: { verb: 'export' | 'csv'; by: string; reason: string; id: string | undefined },
  { leads, audit }: Desk,
  print: (line: string) => void,
): Promise<number> {
  const one = id ? await leads.find(id) : undefined;
  if (id && !one) {
    print(erasureWords.unknown(id));
    return 1;
  }
  await audit.writeSeen(actorOf(by), {
    act: 'leads.exported',
    subject: one ? { kind: 'lead', id: one.id } : { kind: 'leads', id: 'all' },
    after: { inFull: true },
    reason,
  });
  if (verb === 'csv') for await (const line of leads.table({}, { isFull: true })) print(line);
  else
    for await (const { proof_digest: _proof, body_digest: _body, ...lead } of one ? [one] : leads.each())
      print(JSON.stringify(lead, (_key, value) => (typeof value === 'string' ? oneLine(value) : value)));
  return 0;
}
