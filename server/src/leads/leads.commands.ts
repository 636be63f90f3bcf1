import type { Leads } from './leads.service.ts';

export const leadsUsage = [
  'npm run leads -- export [id]                       every lead, or one, a line of JSON each',
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
      print(JSON.stringify(lead));
    return 0;
  }
  if (verb === 'delete' && id) {
    if (!(await leads.remove(id))) return refuse(id, print);
    print(`The lead ${id} is deleted.`);
    return 0;
  }
  print(leadsUsage);
  return 2;
}

function refuse(id: string, print: (line: string) => void): number {
  print(`There is no lead ${id}.`);
  return 1;
}
