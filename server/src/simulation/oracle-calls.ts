import type { Act } from './books.ts';
import { Broken } from './broken.ts';
import type { Observation } from './observation.ts';
import { type Case, inFlight, letThrough, second } from './oracle-case.ts';

const intentOf: Record<Act['kind'], string> = { charge: 'SUBMITTING', delivery: 'FULFILLING', refund: 'REFUNDING' };

/** I14: the intent is stored before its call, and a process that was paused in between does not make the call. */
export function checkIntent(act: Act, one: Case | undefined, seen: Observation): void {
  if (act.stored === undefined) return;
  // Daraja only accepts a reversal, and executes it long after its response was stored.
  const isReversal = act.kind === 'refund' && one?.money.some((money) => money.gateway === 'mpesa');
  if (isReversal && act.stored?.state === 'REFUND_UNKNOWN') return;
  // A request in flight when the database was restored cannot be recalled.
  if (seen.restores.some((restore) => restore.at <= act.at && act.at - restore.at < letThrough)) return;
  // Nor can one in flight when the lease expired; the next holder has to expect that it arrives.
  const left = one?.history.findLast(({ from, to }) => from === intentOf[act.kind] && to === act.stored?.state);
  if (left?.to.endsWith('UNKNOWN') && act.at >= left.at && act.at - left.at < inFlight) return;
  if (act.stored?.state !== intentOf[act.kind])
    throw new Broken(
      'intent before act',
      `${act.kind} of ${act.reference} while it was ${act.stored?.state ?? 'not stored'}`,
    );
}

/** R15: an unanswered call is not repeated within the lag, unless a person decides so. */
export function checkRepeat(index: number, { received, history, lag }: Observation): void {
  const now = received[index];
  if (!now) return;
  const before = received
    .slice(0, index)
    .findLast(({ kind, reference }) => kind === now.kind && reference === now.reference);
  if (!before || now.at - before.at >= lag - letThrough) return;
  const isWanted = history.some(
    ({ payment, by, at }) => payment === now.reference && by && at >= before.at && at <= now.at,
  );
  if (!isWanted)
    throw new Broken(
      'maybe there for the lag',
      `${now.kind} of ${now.reference} was asked for again after ${(now.at - before.at) / second} s`,
    );
}

/** I14, for a credit. */
export function checkCreditIntent(act: Act, { state }: NonNullable<Act['credit']>, seen: Observation): void {
  if (seen.restores.some((restore) => restore.at <= act.at && act.at - restore.at < letThrough)) return;
  if (state !== 'sending') throw new Broken('intent before act', `credit ${act.reference} while it was ${state}`);
}
