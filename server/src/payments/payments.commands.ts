import { type Decision, decisions } from '@portal/domain/payment/review-decisions.ts';
import type { Audit } from '../audit/audit.service.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Risk } from '../risk/risk.service.ts';
import type { Change, StoredEvidence } from './core/payments.store.ts';
import type { Payments } from './payments.service.ts';
import type { Report } from './reconcile/payments.reconcile.ts';
import { DecisionRefused } from './review/payments.review.ts';

interface Desk {
  payments: Payments;
  risk: Pick<Risk, 'decisionsOf'>;
  audit: Pick<Audit, 'write'>;
  reconcile(day: string): Promise<Report>;
}

const mostListed = 200;

export const usage = (ways: readonly string[]) =>
  [
    'npm run review -- list                     payments that wait for a person, oldest first',
    'npm run review -- show <id>                one payment and everything that happened to it',
    'npm run review -- ask <id>                 asks the provider now, and shows all that it ever stated',
    `npm run review -- settle <id> <${ways.join('|')}> <your name> <reason>`,
    'npm run reconcile -- <day, as 2026-03-02>  the providers, our books and the deliveries compared',
  ].join('\n');

/** Returns the exit status: 0 done, 1 refused or differences found, 2 invalid command. */
export async function runCommand(words: string[], desk: Desk, print: (line: string) => void): Promise<number> {
  const [command, verb = '', ...rest] = words;
  if (command === 'reconcile') return reconcile(verb, desk, print);
  if (verb === 'list') return list(desk, print);
  if (verb === 'show' && rest[0]) return show(rest[0], desk, print);
  if (verb === 'ask' && rest[0]) return ask(rest[0], desk, print);
  const [id, as, by, ...note] = rest;
  if (verb === 'settle' && id && isDecision(as) && by && note.length > 0)
    return settle({ id, as, by, note: note.join(' ') }, desk, print);
  return explain(print);
}

function explain(print: (line: string) => void): number {
  for (const line of usage(decisions).split('\n')) print(line);
  return 2;
}

const isDecision = (text: string | undefined): text is Decision => decisions.includes(text as Decision);

async function list({ payments }: Desk, print: (line: string) => void): Promise<number> {
  const waiting = await payments.listReview(mostListed);
  if (waiting.length === 0) print('No payment waits for a person.');
  for (const { id, changed_at, gateway, amount, currency, reason } of waiting)
    print([id, changed_at.toISOString(), gateway, `${currency} ${amount}`, reason ?? ''].join('  '));
  return 0;
}

async function show(id: string, { payments, risk }: Desk, print: (line: string) => void): Promise<number> {
  const found = await payments.find(id);
  if (!found) {
    print('We do not know this payment.');
    return 1;
  }
  const { payment, changes } = found;
  print(`${payment.id} (${payment.short_reference}): ${payment.state}${payment.reason ? `, ${payment.reason}` : ''}`);
  print(`${payment.transaction_type} ${payment.currency} ${payment.amount} by ${payment.gateway}`);
  print(`provider's reference: ${payment.provider_reference ?? 'none'}`);
  const decided = (await risk.decisionsOf(id)).map(({ at, decision, rule }) => ({
    at,
    words: ['decided', rule ? `${decision} (${rule})` : decision],
  }));
  const [created = [], moved = []] = [changes.slice(0, 1), changes.slice(1)].map((some) =>
    some.map(({ at, ...change }) => ({ at, words: wordsOf(change) })),
  );
  // With equal times, a decision comes before what followed from it.
  const history = [...created, ...decided, ...moved];
  for (const { at, words } of history.sort((one, other) => one.at.getTime() - other.at.getTime()))
    print([at.toISOString(), ...words].join('  '));
  printEvidence(await payments.evidence(id), print);
  return 0;
}

const wordsOf = ({ event, to, by, note }: Omit<Change, 'at'>) => [event, to, by ? `by ${by}: ${note}` : ''];

function printEvidence(evidence: readonly StoredEvidence[], print: (line: string) => void): void {
  for (const { at, call, answer, amount, currency, receipt, detail } of evidence) {
    const stated = [amount === null ? '' : `${currency} ${amount}`, receipt ?? '', detail ?? ''].filter(Boolean);
    print([at.toISOString(), call, answer, ...stated].join('  '));
  }
}

async function ask(id: string, { payments }: Desk, print: (line: string) => void): Promise<number> {
  return refusable('Not asked.', print, async () => printEvidence(await payments.ask(id), print));
}

async function refusable(words: string, print: (line: string) => void, act: () => Promise<void>): Promise<number> {
  try {
    await act();
    return 0;
  } catch (error) {
    if (!(error instanceof DecisionRefused || error instanceof PortalError)) throw error;
    print(`${words} ${error.message}`);
    return 1;
  }
}

async function settle(
  settling: { id: string; as: Decision; by: string; note: string },
  { payments, audit }: Desk,
  print: (line: string) => void,
): Promise<number> {
  const { id, as, by, note: reason } = settling;
  const actor = { person: by, roles: ['command'], address: null };
  return refusable('Not settled.', print, async () => {
    const { state } = await payments.decide(id, {
      ...settling,
      record: (transaction, decided) =>
        audit.write(transaction, actor, {
          act: 'payment.settled',
          subject: { kind: 'payment', id },
          before: { state: 'REVIEW' },
          after: { state: decided.state, as },
          reason,
        }),
    });
    const said = `Settled: ${settling.id} is now ${state}. The customer is told.`;
    print(settling.as === 'letGoOn' ? `${settling.id} goes on.` : said);
  });
}

async function reconcile(day: string, desk: Desk, print: (line: string) => void): Promise<number> {
  if (!isDay(day)) return explain(print);
  const report = await desk.reconcile(day);
  print(`${day}: ${report.taken} taken, ${report.delivered} delivered, ${report.givenBack} given back.`);
  for (const { what, gateway, reference } of report.differences) print(`${what}  ${gateway}  ${reference}`);
  if (report.unchecked.length > 0) print(`Not checked: ${report.unchecked.join(', ')}`);
  const { length } = report.differences;
  if (report.unanswered.length > 0) {
    print(`No answer about: ${report.unanswered.join(', ')}`);
    print(`Not compared in full: ask again later.${length > 0 ? ` ${length} unexplained so far.` : ''}`);
    return 1;
  }
  print(length === 0 ? 'Nothing unexplained.' : `${length} unexplained.`);
  return length === 0 ? 0 : 1;
}

/** A valid calendar day; 2026-02-31 is not. */
export function isDay(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
