import type { Delivery } from './books.ts';
import { Broken } from './broken.ts';
import type { Observation, SeenPayment, SeenPosting, Shown } from './observation.ts';
import {
  asking,
  type Case,
  delivering,
  givingBack,
  hour,
  inFlight,
  isSame,
  knowsUnpaid,
  minute,
  noticed,
  pages,
  type Remembered,
  shownFailed,
  textOf,
} from './oracle-case.ts';

const systemOf: Record<SeenPayment['item'], Delivery['system']> = {
  airtime: 'charging',
  bundle: 'charging',
  bill: 'billing',
  order: 'crm',
};

/** What providers and the operator's systems did, whatever the database says. */
export function checkOutside(one: Case, ordered: SeenPayment): void {
  const { id, money, debits, refunds, deliveries } = one;
  const [debit] = debits;
  for (const { gateway, asked } of money) {
    if (gateway !== ordered.gateway)
      throw new Broken('asked where ordered', `${id} ${gateway} instead of ${ordered.gateway}`);
    if (!isSame(asked, ordered))
      throw new Broken('asked what was ordered', `${id} ${textOf(asked)} instead of ${textOf(ordered)}`);
  }
  if (money.length > 1) throw new Broken('one charge', `${id} was asked for ${money.length} times`);
  if (debits.length > 1) throw new Broken('one debit', `${id} was taken ${debits.length} times`);
  if (deliveries.length > 1) throw new Broken('one delivery', `${id} was delivered ${deliveries.length} times`);
  if (refunds.length > 1) throw new Broken('one refund', `${id} was refunded ${refunds.length} times`);
  if (deliveries.length && refunds.length)
    throw new Broken('never both delivered and refunded', `${id} (${ordered.gateway})`);
  for (const refund of refunds)
    if (!debit || !isSame(refund, debit) || refund.at < debit.at)
      throw new Broken('what was taken goes back', `${id} ${textOf(refund)} of ${textOf(debit)}`);
  for (const delivery of deliveries) {
    if (!debit || debit.at > delivery.at) throw new Broken('no delivery without a debit', id);
    if (!isSame(debit, delivery))
      throw new Broken('no delivery without a debit', `${id} ${textOf(delivery)} for ${textOf(debit)}`);
    if (delivery.system !== systemOf[ordered.item] || !isSame(delivery, ordered))
      throw new Broken(
        'what was ordered is delivered',
        `${id} ${ordered.item} ${textOf(ordered)} came as ${delivery.what} ${textOf(delivery)} by ${delivery.system}`,
      );
  }
}

/** What a state claims must match the systems outside. */
export function checkState(
  { id, history, money, debits, refunds, deliveries }: Case,
  payment: SeenPayment,
  seen: Observation,
): void {
  const { state, taken } = payment;
  const is = `${id} is ${state}`;
  const isProven = delivering.has(state) || givingBack.has(state) || state === 'SUCCEEDED' || state === 'REFUNDED';
  const [debit] = debits;
  if (isProven && !debit) throw new Broken('paid only on proof', `${is}, nothing was taken`);
  if (taken && !isSame(taken, debit))
    throw new Broken('what was taken is kept', `${is}, keeps ${textOf(taken)}, taken was ${textOf(debit)}`);
  // The provider's statement is not required for a person's decision.
  const isStated = !history.at(-1)?.by;
  if (((isProven && isStated) || payment.reason === 'amountConflict') && !taken)
    throw new Broken('what was taken is kept', `${is}, keeps nothing of ${textOf(debit)}`);
  if ((delivering.has(state) || state === 'SUCCEEDED') && !isSame(debit, payment))
    throw new Broken('another sum is not delivered for', `${is}, taken was ${textOf(debit)} of ${textOf(payment)}`);
  if (state === 'SUCCEEDED' && deliveries.length !== 1)
    throw new Broken('SUCCESS is one delivery', `${is}, ${deliveries.length} deliveries`);
  if (deliveries.length && shownFailed.has(state)) throw new Broken('shown FAILED is not delivered', is);
  if (state === 'REFUNDED' && refunds.length !== 1)
    throw new Broken('refunded only on proof', `${is}, ${refunds.length} refunds`);
  // After a restore the database may lack a later state. Something that happened just now may not have been stored when
  // the database was read.
  if (seen.restores.length) return;
  const isOld = ({ at }: { at: number }): boolean => at < seen.now - inFlight;
  const isWith = (states: Set<string>, end: string): boolean =>
    states.has(state) || state === end || state === 'REVIEW';
  if (deliveries.some(isOld) && !isWith(delivering, 'SUCCEEDED')) throw new Broken('delivery is known', is);
  const isOurs = money.every(({ isReversed }) => !isReversed);
  if (isOurs && refunds.some(isOld) && !isWith(givingBack, 'REFUNDED')) throw new Broken('refund is known', is);
}

/** I10 and R17: the ledger holds what really happened, once, and changes together with the state. */
export function checkLedger({ id, postings, debits, refunds }: Case, payment: SeenPayment): void {
  const { state } = payment;
  const of = (kind: SeenPosting['kind']): SeenPosting | undefined => {
    const found = postings.filter((posting) => posting.kind === kind);
    if (found.length > 1) throw new Broken('booked once', `${id} ${kind} ${found.length} times`);
    return found[0];
  };
  const [paid, delivered, refunded] = [of('paid'), of('delivered'), of('refunded')];
  const provider = `provider:${payment.gateway}`;
  const owed = isSame(debits[0], payment) ? 'customers:owed' : 'customers:conflict';
  const text = (one: SeenPosting): string =>
    `${id} ${state}: ${one.kind} ${textOf(one)} from ${one.debit} to ${one.credit}`;
  const isProven =
    delivering.has(state) ||
    givingBack.has(state) ||
    state === 'SUCCEEDED' ||
    state === 'REFUNDED' ||
    payment.taken !== null;
  if (isProven !== (paid !== undefined))
    throw new Broken('what was taken is booked', `${id} ${state}: ${paid ? text(paid) : 'no posting'}`);
  if ((state === 'SUCCEEDED') !== (delivered !== undefined))
    throw new Broken('what was delivered is booked', `${id} ${state}`);
  if ((state === 'REFUNDED') !== (refunded !== undefined))
    throw new Broken('what went back is booked', `${id} ${state}`);
  if (paid && (paid.debit !== provider || paid.credit !== owed || !isSame(paid, debits[0])))
    throw new Broken('booked as it was taken', `${text(paid)}, taken was ${textOf(debits[0])}`);
  if (
    delivered &&
    (delivered.debit !== paid?.credit || !delivered.credit.startsWith('sales:') || !isSame(delivered, paid))
  )
    throw new Broken('booked as it was delivered', text(delivered));
  if (
    refunded &&
    (refunded.debit !== paid?.credit ||
      refunded.credit !== provider ||
      !isSame(refunded, paid) ||
      !isSame(refunded, refunds[0]))
  )
    throw new Broken('booked as it went back', text(refunded));
}

/** No message is sent twice, and none is untrue. */
export function checkMessages(
  { id, messages, debits, refunds, deliveries, history }: Case,
  payment: SeenPayment,
  { messagesBefore: toldBefore }: Remembered,
  { restores, goodwill }: Observation,
): void {
  // After a restore, only automatic steps must not repeat a message (R18). A named person who decides a payment in
  // REVIEW cannot know which messages the restore lost, so a repeated one is allowed.
  const restoredAt = Math.max(0, ...restores.map((restore) => restore.at));
  const isDecidedSince = history.some((change) => change.by && change.at >= restoredAt);
  const before = isDecidedSince ? [] : toldBefore;
  const sent = [...before, ...messages].map((message) => message.kind);
  if (new Set(sent).size < sent.length) throw new Broken('each message once', `${id} ${sent.join(', ')}`);
  for (const { kind } of messages) {
    const isSo = {
      delivered: deliveries.length > 0,
      givenBack: refunds.length > 0,
      lookedInto: debits.length > 0 && history.some((change) => change.to === 'REVIEW'),
      goingBack: debits.length > 0 && deliveries.length === 0,
      notTaken: history.some((change) => change.to === 'FAILED'),
      goodwill: goodwill.some((credit) => credit.payment === id),
    }[kind];
    if (!isSo) throw new Broken('messages are true', `${id} ${kind} while it is ${payment.state}`);
  }
}

/** R8, R10, R19: every open payment has a next step, and once faults stop its outcome is found soon. */
export function checkProgress(one: Case, payment: SeenPayment, { refusedAt }: Remembered, seen: Observation): void {
  const { state, dueAt, changedAt } = payment;
  const is = `${one.id} (${payment.gateway}) is ${state}, ${payment.reason}`;
  const isSearched = state === 'FAILED' && payment.submittedAt !== null && seen.now - changedAt < 25 * hour;
  const isOpen = asking.has(state) || delivering.has(state) || givingBack.has(state);
  if (dueAt === null && (isOpen || isSearched))
    throw new Broken('nothing open is left alone', `${is} and never looked at again`);
  if (dueAt !== null && asking.has(state) && dueAt - seen.now > noticed)
    throw new Broken(
      'nothing open is left alone',
      `${is} and not looked at for ${Math.round((dueAt - seen.now) / minute)} min`,
    );
  if (seen.faultsEndedAt === null) return;
  const quietSince = Math.max(seen.faultsEndedAt, ...seen.restores.map((restore) => restore.at));
  const waits = (since: number, atMost: number): boolean => seen.now - Math.max(since, quietSince) > atMost;
  if (isOpen && dueAt !== null && waits(dueAt, hour))
    throw new Broken('nothing open is left alone', `${is} and overdue`);
  const taken = one.money.find((money) => money.debits.length > money.refunds.length);
  const isAskable = knowsUnpaid(payment) || one.history.some((change) => change.to === 'AWAITING_PAYER');
  // If the only id for enquiries was lost in a crash or restore, the payment goes to REVIEW after three days.
  const isAsked = payment.gateway !== 'orange' || isAskable;
  if (taken && isAsked && (asking.has(state) || state === 'FAILED')) {
    const shown = Math.max(taken.debits[0]?.at ?? 0, taken.visibleAt, taken.decisionVisibleAt);
    if (waits(shown, noticed))
      throw new Broken('money taken is noticed', `${is}, taken ${Math.round((seen.now - shown) / minute)} min ago`);
  }
  const isRefused = isAskable && one.money.length > 0 && one.money.every((money) => money.state === 'refused');
  if (isRefused && asking.has(state) && waits(refusedAt ?? seen.now, noticed))
    throw new Broken('a refusal is noticed', is);
  // A refund from before a restore may be found only by a person, after three days.
  if (delivering.has(state) && !one.refunds.length && waits(changedAt, 24 * hour))
    throw new Broken('what was paid is delivered or goes back', is);
  if (givingBack.has(state) && waits(changedAt, 48 * hour)) throw new Broken('what is due goes back', is);
}

/** MNY-6: an order is delivered once, however often it was paid. */
export function checkOrders(cases: Map<string, Case>, memory: Map<string, Remembered>, seen: Observation): void {
  const deliveredFor = new Map<string, string>();
  for (const one of cases.values()) {
    const { order } = one.payment ?? memory.get(one.id)?.first ?? { order: null };
    if (order === null || one.deliveries.length === 0) continue;
    const other = deliveredFor.get(order);
    // The database does not know an attempt that a restore lost, nor its delivery.
    const isKnown = one.payment && (!other || cases.get(other)?.payment);
    if (other && (isKnown || !seen.restores.length))
      throw new Broken('one delivery per order', `${order} by ${other} and ${one.id}`);
    deliveredFor.set(order, one.id);
  }
  // After a restore a call that may have been made may only be looked up.
  if (!seen.restores.length) for (const one of cases.values()) checkSoleDelivery(one, cases);
}

/** R15 for an order: while a delivery without a response may exist, none is sent for another payment of the order. */
function checkSoleDelivery({ id, payment }: Case, cases: Map<string, Case>): void {
  if (!payment || payment.order === null || payment.state !== 'FULFILLING') return;
  for (const other of cases.values()) {
    if (other.id === id || other.payment?.order !== payment.order) continue;
    const isSent = other.history.some((change) => change.to === 'FULFILLING');
    // I8: a payment once shown as failed is never delivered, even if it is in REVIEW now.
    const isFailed = other.history.some((change) => shownFailed.has(change.to));
    if (isSent && !isFailed)
      throw new Broken('one delivery per order', `${id} is sent while ${other.id} is ${other.payment.state}`);
  }
}

/** I1, also for payments that a restore made the database forget. */
export function checkAttempts(cases: Map<string, Case>, seen: Observation): void {
  for (const { key, payments } of seen.attempts) {
    const debits = payments.flatMap((id) => cases.get(id)?.debits ?? []);
    if (debits.length > 1) throw new Broken('one key, one debit', `${key} was taken as ${payments.join(' and ')}`);
  }
}

/** The table of section 1: the page shows what the state means, and says when money is proven. */
export function checkShown({ status, money }: Shown, payment: SeenPayment | undefined): void {
  if (!payment) return;
  const { state, gateway } = payment;
  const isWaiting = asking.has(state);
  const registered = state === 'CREATED' || (isWaiting && pages.has(gateway));
  const expected = registered
    ? 'REQUEST_REGISTERED'
    : isWaiting
      ? 'IN_PROCESS'
      : state === 'SUCCEEDED'
        ? 'SUCCESS'
        : shownFailed.has(state)
          ? 'FAILED'
          : 'REQUEST_RAISED';
  const is = `${payment.id} is ${state}, ${payment.reason}, shown as ${status}, ${money}`;
  if (status !== expected) throw new Broken('shown as it is', is);
  const isProven = delivering.has(state) || givingBack.has(state) || payment.reason === 'amountConflict';
  const said = state === 'SUCCEEDED' ? 'delivered' : state === 'REFUNDED' ? 'givenBack' : isProven ? 'taken' : null;
  if (said && money !== said) throw new Broken('shown as it is', is);
  if (!said && !['notTaken', 'awaitingApproval', 'taken'].includes(money)) throw new Broken('shown as it is', is);
  if ((isWaiting || state === 'FAILED') && money === 'taken') throw new Broken('shown as it is', is);
}
