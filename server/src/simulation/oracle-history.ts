import { Broken } from './broken.ts';
import type { Observation, SeenChange, SeenPayment } from './observation.ts';
import {
  asking,
  type Case,
  delivering,
  hour,
  inFlight,
  isSame,
  knowsUnpaid,
  minute,
  type Remembered,
  second,
  shownFailed,
  textOf,
} from './oracle-case.ts';

// Written again from PAYMENTS.md instead of imported, so that a mistake in the product is not repeated here.
const edges: Record<string, readonly string[]> = {
  CREATED: ['SUBMITTING', 'FAILED', 'REVIEW'],
  SUBMITTING: ['AWAITING_PAYER', 'PAID', 'UNKNOWN', 'FAILED', 'REVIEW'],
  AWAITING_PAYER: ['PAID', 'FAILED', 'UNKNOWN', 'REVIEW'],
  UNKNOWN: ['PAID', 'FAILED', 'AWAITING_PAYER', 'REVIEW'],
  PAID: ['FULFILLING', 'REFUND_DUE'],
  FULFILLING: ['SUCCEEDED', 'FULFIL_UNKNOWN', 'REFUND_DUE'],
  FULFIL_UNKNOWN: ['SUCCEEDED', 'FULFILLING', 'REFUND_DUE', 'REVIEW'],
  SUCCEEDED: [],
  FAILED: ['REFUND_DUE', 'REVIEW'],
  REFUND_DUE: ['REFUNDING'],
  REFUNDING: ['REFUNDED', 'REFUND_UNKNOWN'],
  REFUND_UNKNOWN: ['REFUNDING', 'REFUNDED', 'REVIEW'],
  REFUNDED: [],
  REVIEW: ['SUCCEEDED', 'FAILED', 'REFUNDED', 'REFUND_DUE', 'FULFIL_UNKNOWN', 'CREATED'],
};

export function checkSame(one: Case, payment: SeenPayment, { first, version }: Remembered): void {
  const fixed = ['order', 'gateway', 'item', 'amount', 'currency'] as const;
  const changed = fixed.find((field) => payment[field] !== first[field]);
  if (changed)
    throw new Broken('an order stays as it was', `${one.id} ${changed} ${first[changed]} became ${payment[changed]}`);
  if (!Number.isSafeInteger(payment.amount) || payment.amount <= 0 || !/^[A-Z]{3}$/.test(payment.currency))
    throw new Broken('whole amounts', `${one.id} ${payment.amount} ${payment.currency}`);
  if (payment.version < version)
    throw new Broken('versions only grow', `${one.id} went from ${version} back to ${payment.version}`);
}

/** I9 for the whole history: each row must follow from the one before. */
export function checkHistory({ id, history }: Case, payment: SeenPayment): void {
  let state: string | null = null;
  let wasFailed = false;
  let wasSubmitted = false;
  let at = 0;
  history.forEach((change, index) => {
    const step = `${id} ${change.version}: ${change.from} to ${change.to}`;
    if (change.version !== index) throw new Broken('versions without gaps', `${step}, expected version ${index}`);
    if (change.from !== state) throw new Broken('history is a chain', `${step}, but it was ${state}`);
    if (state === null ? change.to !== 'CREATED' : !edges[state]?.includes(change.to))
      throw new Broken('only listed edges', step);
    if (change.from === 'REVIEW' && !change.by) throw new Broken('a person decides a review', step);
    if (wasFailed && (change.to === 'SUCCEEDED' || delivering.has(change.to)))
      throw new Broken('shown FAILED never becomes SUCCESS', step);
    if (change.at < at) throw new Broken('time goes forward', `${step} at ${change.at}, after ${at}`);
    wasFailed ||= shownFailed.has(change.to);
    wasSubmitted ||= change.to === 'SUBMITTING';
    state = change.to;
    ({ at } = change);
  });
  if (state !== payment.state || payment.version !== history.length - 1)
    throw new Broken(
      'history tells the state',
      `${id} is ${payment.state} ${payment.version}, its history ${state} ${history.length - 1}`,
    );
  if (wasSubmitted !== (payment.submittedAt !== null))
    throw new Broken('submitted is remembered', `${id} ${payment.submittedAt}`);
}

/** What must hold at the moment of each change, not only at the end. */
export function checkChange(
  one: Case,
  payment: SeenPayment,
  change: SeenChange,
  remembered: Remembered,
  seen: Observation,
): void {
  const step = `${one.id} (${payment.gateway}) ${change.from} to ${change.to}, ${change.reason}`;
  if (change.to === 'FAILED') checkProof(one, payment, change, remembered, step);
  if (change.to === 'REVIEW') checkCause(one, payment, change, seen, step);
  if (change.to === 'PAID' && !one.debits.some((debit) => debit.at <= change.at + second && isSame(debit, payment)))
    throw new Broken('paid only on proof', `${step}: taken was ${textOf(one.debits[0])} of ${textOf(payment)}`);
  if (change.to === 'SUCCEEDED' && one.deliveries.length === 0) throw new Broken('delivered only on proof', step);
  if (change.to === 'REFUNDED' && one.refunds.length === 0) throw new Broken('refunded only on proof', step);
  if (change.reason === 'lateMoney' && one.debits.length === 0) throw new Broken('late money is money', step);
  if (change.from === 'FULFIL_UNKNOWN' && (change.to === 'FULFILLING' || change.to === 'REFUND_DUE') && !change.by) {
    const sent = one.history.findLast((before) => before.version < change.version && before.to === 'FULFILLING');
    // A call that was never sent, or never arrived, may be repeated at once.
    const mayBeThere = seen.acts.some(
      (act) => act.kind === 'delivery' && act.reference === one.id && act.at >= (sent?.at ?? 0) && act.at < change.at,
    );
    if (sent && mayBeThere && change.at - sent.at < seen.lag)
      throw new Broken('maybe there for the lag', `${step} ${(change.at - sent.at) / second} s after it was sent`);
    if (one.deliveries.some((delivery) => delivery.at < change.at - second && delivery.visibleAt < change.at - second))
      throw new Broken('looked for before it is sent again', step);
  }
}

/** I7: refused by the provider, never sent, or not found for a day. */
function checkProof(one: Case, payment: SeenPayment, change: SeenChange, remembered: Remembered, step: string): void {
  const [debit] = one.debits;
  // The enquiry returned a refusal, and the money was taken before that response was stored: late money.
  const isOvertaken = remembered.refusedAt !== null && debit && debit.at > change.at - inFlight;
  const isBack = one.refunds.some((refund) => refund.at <= change.at);
  if (debit && !isOvertaken && !isBack) throw new Broken('FAILED only on proof', `${step}: ${textOf(debit)} was taken`);
  const age = change.at - (payment.submittedAt ?? change.at);
  // R8 accepts "not found" as proof after a day, and some gateways return it until the payment is paid.
  const isHidden = !knowsUnpaid(payment) && change.reason === 'neverArrived' && age >= 24 * hour;
  if (!isHidden && one.money.some((money) => money.state === 'pending'))
    throw new Broken('FAILED only on proof', `${step}: it can still be paid`);
  // With airtime, a refused charge leaves no record outside although the system was called.
  const isFoundNowhere =
    change.reason === 'neverArrived' ||
    (one.money.length === 0 &&
      payment.gateway !== 'airtime' &&
      (change.from === 'UNKNOWN' || change.from === 'AWAITING_PAYER'));
  if (isFoundNowhere && !change.by && age < 24 * hour)
    throw new Broken('not found is proof after a day', `${step}: after ${Math.round(age / minute)} min`);
}

/** REVIEW needs a cause that software cannot resolve. */
function checkCause(one: Case, payment: SeenPayment, change: SeenChange, seen: Observation, step: string): void {
  if (change.by) return;
  const differs = one.debits.some((debit) => !isSame(debit, payment));
  if (change.reason === 'amountConflict') {
    if (differs) return;
    throw new Broken('REVIEW only with a cause', `${step}: taken was ${textOf(one.debits[0])}, as asked`);
  }
  // A person's decision to deliver again restarts the time.
  const decided = one.history.findLast((before) => before.version < change.version && before.by)?.at ?? 0;
  const age = change.at - Math.max(payment.submittedAt ?? change.at, decided);
  const restored = seen.restores.some((restore) => restore.at <= change.at && restore.at >= (one.history[0]?.at ?? 0));
  const tries = one.history.filter((before) => before.version < change.version && before.to === 'REFUNDING');
  const isSpent =
    (asking.has(change.from ?? '') && age >= 72 * hour) ||
    (change.from === 'FULFIL_UNKNOWN' && age >= 24 * hour) ||
    (change.from === 'REFUND_UNKNOWN' &&
      (differs || tries.length >= 17 || change.at - (tries[0]?.at ?? change.at) >= 7 * 24 * hour));
  if (change.reason === 'retriesSpent' && isSpent) return;
  // A charge sent before a restore to a gateway that cannot be asked by our reference needs a person.
  if (change.from === 'CREATED' && restored) return;
  throw new Broken('REVIEW only with a cause', `${step}, ${Math.round(age / minute)} min after it was submitted`);
}
