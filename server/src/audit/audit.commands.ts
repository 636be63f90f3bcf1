import type { Audit } from './audit.service.ts';

export const auditUsage = [
  'npm run audit -- list                      what was done in the console and by commands, newest first',
  'npm run audit -- verify                    whether every row still is what was written',
].join('\n');

const mostListed = 200;

/** Returns the exit code: 0 done, 1 the chain is broken, 2 usage error. */
export async function runAuditCommand([verb]: string[], audit: Audit, print: (line: string) => void): Promise<number> {
  if (verb === 'list') {
    for (const { number, at, person, act, subject_kind, subject_id, reason } of await audit.list(mostListed))
      print([number, at.toISOString(), person ?? '-', act, `${subject_kind} ${subject_id}`, reason ?? ''].join('  '));
    return 0;
  }
  if (verb === 'verify') {
    const { rows, head, problem } = await audit.verify();
    print(`${rows} rows, ending in ${head || 'nothing'}`);
    print(problem ? `Row ${problem.number} is not as it was written: ${problem.what}.` : 'All as it was written.');
    return problem ? 1 : 0;
  }
  for (const line of auditUsage.split('\n')) print(line);
  return 2;
}
