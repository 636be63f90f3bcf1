import { Broken } from './broken.ts';
import type { Ending, SeenMessage, SeenPayment, SeenPosting } from './observation.ts';
import { type Case, isSame, minute, type Remembered, textOf } from './oracle-case.ts';

const ends = new Set(['SUCCEEDED', 'FAILED', 'REFUNDED', 'REVIEW']);

/** Gateways with a list, so the daily comparison covers them. */
const compared = new Set(['wallet', 'mpesa']);

/** I11, and the message for each final state. */
export function checkOutcome(
  one: Case,
  payment: SeenPayment,
  { messagesBefore: toldBefore }: Remembered,
  seen: Ending,
): void {
  const { state } = payment;
  const is = `${one.id} (${payment.gateway}) is ${state}, ${payment.reason}`;
  const isTaken = one.debits.length > one.refunds.length;
  if ((seen.isOver || isTaken) && !ends.has(state)) throw new Broken('everything ends', is);
  if (isTaken && state === 'FAILED') throw new Broken('late money goes back', is);
  const sentOf = (kind: SeenMessage['kind']): number =>
    [...toldBefore, ...one.messages].filter((message) => message.kind === kind).length;
  const lastRestore = Math.max(0, ...seen.restores.map((restore) => restore.at));
  // After a restore the portal cannot know which messages it sent before, so it may omit only those.
  const acts = seen.acts.filter((act) => act.reference === one.id);
  const isAllSince = acts.every((act) => act.at > lastRestore);
  const isSentSince = acts.some((act) => act.kind === 'delivery' && act.at > lastRestore);
  if (state === 'SUCCEEDED' && sentOf('delivered') !== 1 && (isSentSince || !lastRestore))
    throw new Broken('a delivery has a message', is);
  if (state === 'REFUNDED' && sentOf('givenBack') === 0 && isAllSince && (payment.submittedAt ?? 0) > lastRestore)
    throw new Broken('a refund has a message', is);
  const hasWaited = one.history.some(
    ({ event, from, to }) => to === 'REVIEW' && (event === 'conflict' || from?.startsWith('FULFIL')),
  );
  if (hasWaited && !lastRestore && sentOf('lookedInto') === 0)
    throw new Broken('money that waits for a person has a message', is);
}

/** R11: the comparison reports exactly the real differences. */
export function checkComparison(one: Case, seen: Ending): void {
  const { id, payment, debits, refunds, postings } = one;
  const events = one.money.flatMap((money) => [...money.debits, ...money.refunds]);
  if (events.some((event) => event.at > seen.now)) return;
  const named = seen.differences.filter(
    ({ reference }) => reference === id || one.money.some((money) => money.shortReference === reference),
  );
  const booked = (kind: SeenPosting['kind']): SeenPosting | undefined =>
    postings.find((posting) => posting.kind === kind);
  const differs =
    !isSame(debits[0], booked('paid')) ||
    !isSame(refunds[0], booked('refunded')) ||
    one.deliveries.length !== (booked('delivered') ? 1 : 0);
  if (named.length && !differs)
    throw new Broken('the comparison finds only what differs', `${id} ${named.map((one) => one.what).join(', ')}`);
  const isOfDay = debits.every((debit) => debit.at < seen.comparedUntil);
  const isListed = isOfDay && one.money.some((money) => compared.has(money.gateway) && !money.isReversed);
  // I10: payments still enquired about, or with a person, are open items.
  const isOpen = payment !== undefined && !['SUCCEEDED', 'FAILED', 'REFUNDED'].includes(payment.state);
  if (isListed && !isOpen && debits.length && !booked('paid') && !named.length)
    throw new Broken(
      'the comparison finds what differs',
      `${id} (${one.money[0]?.gateway}) is ${payment?.state ?? 'lost'}, taken was ${textOf(debits[0])}, named are ${JSON.stringify(seen.differences)}`,
    );
}

/**
 * I12: an acknowledged response stays true, whichever process died since. Only a restore undoes what came after its
 * backup.
 */
export function checkAcknowledged(cases: Map<string, Case>, seen: Ending): void {
  for (const { payment: id, amount, currency, at, wasProcessed } of seen.acknowledged) {
    if (seen.restores.some((restore) => restore.at >= at && restore.backTo <= at + minute)) continue;
    const stored = cases.get(id)?.payment;
    if (!stored || !isSame(stored, { amount, currency }))
      throw new Broken('what was acknowledged is kept', `${id} ${amount} ${currency}, stored ${textOf(stored)}`);
    const wasRestored = seen.restores.some((restore) => restore.at >= at);
    if (wasProcessed && stored.state === 'CREATED' && !wasRestored)
      throw new Broken('what was processed is submitted', id);
  }
}
