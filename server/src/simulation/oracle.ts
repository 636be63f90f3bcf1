import type { Act, Delivery, Money, Sum } from './books.ts';
import type {
  Ending,
  Observation,
  SeenChange,
  SeenCredit,
  SeenMessage,
  SeenPayment,
  SeenPosting,
  Shown,
} from './observation.ts';

/** A broken promise about money. */
export class Broken extends Error {
  constructor(promise: string, detail: string) {
    super(`${promise}: ${detail}`);
    this.name = 'Broken';
  }
}

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
const asking = new Set(['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN']);
const delivering = new Set(['PAID', 'FULFILLING', 'FULFIL_UNKNOWN']);
const givingBack = new Set(['REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN']);
const ends = new Set(['SUCCEEDED', 'FAILED', 'REFUNDED', 'REVIEW']);
/** States that the customer sees as failed. */
const shownFailed = new Set(['FAILED', 'REFUNDED', ...givingBack]);
const intentOf: Record<Act['kind'], string> = { charge: 'SUBMITTING', delivery: 'FULFILLING', refund: 'REFUNDING' };
/** Gateways whose payer is redirected to a hosted page. */
const pages = new Set(['card', 'orange', 'paystack']);
const systemOf: Record<SeenPayment['item'], Delivery['system']> = {
  airtime: 'charging',
  bundle: 'charging',
  bill: 'billing',
  order: 'crm',
};
/** Gateways with a list, so the daily comparison covers them. */
const compared = new Set(['wallet', 'mpesa']);

/**
 * Gateways that cannot be asked by our reference alone. Daraja is asked by an id of its own, which is lost with its
 * answer; afterwards only its list of paid requests helps. A card page that nobody has paid at is unknown to its
 * gateway too, and Orange Money is asked by a token that came with its answer.
 */
const knowsUnpaid = ({ gateway }: SeenPayment): boolean => !['mpesa', 'card', 'orange'].includes(gateway);

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** A call takes at most 20 s and its response is stored right after. Until then the outcome is unknown. */
const inFlight = 30 * second;
/** R14: a call that passed the fence may leave so much later, if its process was paused in between. */
const letThrough = 95 * second;
/** R8, R10: open payments are enquired about at least hourly. One sweep may miss a response. */
const noticed = 2 * hour;

/** Everything about one payment, from both sides. */
interface Case {
  id: string;
  /** Undefined: a restore lost it, or it never existed. */
  payment: SeenPayment | undefined;
  history: SeenChange[];
  postings: SeenPosting[];
  messages: SeenMessage[];
  money: Money[];
  debits: Money['debits'];
  refunds: Money['refunds'];
  deliveries: Delivery[];
}

/** Earlier observations of a payment that must not be contradicted later. */
interface Remembered {
  first: SeenPayment;
  version: number;
  firstSeenAt: number;
  /** Messages that the database lost with a restore, but customers have read. */
  messagesBefore: SeenMessage[];
  messages: SeenMessage[];
  /** When an observation first showed that the provider had refused. */
  refusedAt: number | null;
}

const isSame = (one: Sum | null | undefined, other: Sum | null | undefined): boolean =>
  one?.amount === other?.amount && one?.currency === other?.currency;
const textOf = (sum: Sum | null | undefined): string => (sum ? `${sum.amount} ${sum.currency}` : 'nothing');

export class Oracle {
  readonly #memory = new Map<string, Remembered>();
  #actsSeen = 0;
  #requestsSeen = 0;
  #restoresSeen = 0;

  /** Throws if the snapshot, or a change since the last one, breaks a promise. */
  observe(seen: Observation): void {
    this.#compareCases(seen);
  }

  end(seen: Ending): void {
    const cases = this.#compareCases(seen);
    for (const one of cases.values()) {
      if (one.payment) checkOutcome(one, one.payment, this.#remembered(one.id), seen);
      checkComparison(one, seen);
    }
    checkAcknowledged(cases, seen);
    const open = seen.isOver ? seen.credits.find(({ state }) => ['due', 'sending', 'unknown'].includes(state)) : null;
    if (open) throw new Broken('a credit comes to an end', `${open.id} of ${open.payment} is ${open.state}`);
  }

  #compareCases(seen: Observation): Map<string, Case> {
    const cases = casesOf(seen);
    if (seen.restores.length > this.#restoresSeen) this.#goBack(cases, seen);
    for (const act of seen.acts.slice(this.#actsSeen))
      if (act.credit) checkCreditIntent(act, act.credit, seen);
      else checkIntent(act, cases.get(act.reference), seen);
    this.#actsSeen = seen.acts.length;
    for (let index = this.#requestsSeen; index < seen.received.length; index += 1) checkRepeat(index, seen);
    this.#requestsSeen = seen.received.length;
    for (const one of cases.values()) {
      const { payment } = one;
      const known = this.#memory.get(one.id);
      if (!payment) {
        if (!known) throw new Broken('nothing without an order', `${one.id} is in no database and never was`);
        // For a payment that a restore lost, only the systems outside can be checked.
        if (!seen.restores.some((restore) => restore.at >= known.firstSeenAt))
          throw new Broken('nothing stored is lost', `${one.id} is gone`);
        checkOutside(one, known.first);
        continue;
      }
      const remembered = known ?? this.#remember(payment, seen);
      if (one.money.some((money) => money.state === 'refused')) remembered.refusedAt ??= seen.now;
      checkSame(one, payment, remembered);
      checkHistory(one, payment);
      for (const change of one.history)
        if (change.version > remembered.version) checkChange(one, payment, change, remembered, seen);
      checkOutside(one, payment);
      checkState(one, payment, seen);
      checkLedger(one, payment);
      checkMessages(one, payment, remembered, seen);
      checkProgress(one, payment, remembered, seen);
      remembered.version = payment.version;
      remembered.messages = one.messages;
    }
    checkOrders(cases, this.#memory, seen);
    checkProposals(cases, seen);
    checkCredits(cases, seen);
    checkAttempts(cases, seen);
    for (const shown of seen.shown) checkShown(shown, cases.get(shown.payment)?.payment);
    return cases;
  }

  #remember(payment: SeenPayment, seen: Observation): Remembered {
    const fresh: Remembered = {
      ...{ first: payment, version: -1, firstSeenAt: seen.now },
      ...{ messagesBefore: [], messages: [], refusedAt: null },
    };
    this.#memory.set(payment.id, fresh);
    return fresh;
  }

  #remembered(id: string): Remembered {
    const remembered = this.#memory.get(id);
    if (!remembered) throw new Error(`Never met ${id}.`);
    return remembered;
  }

  /** Continues from the restored database. Effects outside and messages already sent are not undone. */
  #goBack(cases: Map<string, Case>, seen: Observation): void {
    const { at } = seen.restores.at(-1) ?? { at: seen.now };
    this.#restoresSeen = seen.restores.length;
    for (const [id, remembered] of this.#memory) {
      const one = cases.get(id);
      const kept = one?.messages ?? [];
      const lost = remembered.messages.filter((old) => !kept.some((message) => message.kind === old.kind));
      // A customer who repeats an order that the restore lost gets the messages again.
      if (one?.payment) remembered.messagesBefore.push(...lost);
      else remembered.messagesBefore = [];
      remembered.messages = kept;
      // Changes since the restore are checked; restored ones were checked when they were made.
      const restored = (one?.history ?? []).filter((change) => change.at < at);
      remembered.version = Math.max(-1, ...restored.map((change) => change.version));
    }
  }
}

function casesOf(seen: Observation): Map<string, Case> {
  const cases = new Map<string, Case>();
  const of = (id: string): Case => {
    let one = cases.get(id);
    if (!one) {
      one = {
        id,
        payment: undefined,
        history: [],
        postings: [],
        messages: [],
        money: [],
        debits: [],
        refunds: [],
        deliveries: [],
      };
      cases.set(id, one);
    }
    return one;
  };
  // Records outside may be newer than the snapshot; later ones are checked in the next observation.
  const isPast = ({ at }: { at: number }): boolean => at <= seen.now + second;
  for (const payment of seen.payments) {
    const one = of(payment.id);
    if (one.payment) throw new Broken('one row per payment', payment.id);
    one.payment = payment;
  }
  for (const change of seen.history) of(change.payment).history.push(change);
  for (const posting of seen.postings) of(posting.payment).postings.push(posting);
  for (const message of seen.messages) of(message.payment).messages.push(message);
  for (const delivery of seen.deliveries.filter(isPast)) of(delivery.reference).deliveries.push(delivery);
  for (const money of seen.money) {
    const one = of(money.reference);
    one.money.push(money);
    one.debits.push(...money.debits.filter(isPast));
    one.refunds.push(...money.refunds.filter(isPast));
  }
  return cases;
}

/** I14: the intent is stored before its call, and a process that was paused in between does not make the call. */
function checkIntent(act: Act, one: Case | undefined, seen: Observation): void {
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
function checkRepeat(index: number, { received, history, lag }: Observation): void {
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
function checkCreditIntent(act: Act, { state }: NonNullable<Act['credit']>, seen: Observation): void {
  if (seen.restores.some((restore) => restore.at <= act.at && act.at - restore.at < letThrough)) return;
  if (state !== 'sending') throw new Broken('intent before act', `credit ${act.reference} while it was ${state}`);
}

/** CNS-7: two people decide, and exactly what they approved is carried out. */
function checkProposals(cases: Map<string, Case>, seen: Observation): void {
  for (const { id, kind, payment, state, proposedBy, approvedBy } of seen.proposals) {
    if (state !== 'approved') continue;
    const is = `${kind} ${id} of ${payment}`;
    if (approvedBy === null) throw new Broken('two people', `${is} was approved by nobody`);
    if (approvedBy === proposedBy) throw new Broken('two people', `${is} by ${proposedBy} alone`);
    const history = cases.get(payment)?.history ?? [];
    if (kind === 'refund' && !history.some(({ from, to, by }) => from === 'REVIEW' && to === 'REFUND_DUE' && by))
      throw new Broken('what was approved is done', is);
    const isGranted = seen.credits.some(({ proposal }) => proposal === id);
    if (kind === 'goodwill' && !isGranted) throw new Broken('what was approved is done', is);
  }
}

/** CNS-7: nothing is credited twice or without approval, and only after a delivery. */
function checkCredits(cases: Map<string, Case>, seen: Observation): void {
  const payments = new Set([...seen.credits, ...seen.goodwill].map(({ payment }) => payment));
  for (const payment of payments) {
    const one = cases.get(payment);
    const credits = seen.credits.filter((credit) => credit.payment === payment);
    const given = seen.goodwill.filter((each) => each.payment === payment && each.at <= seen.now + second);
    if (given.length > 1) throw new Broken('credited once', `${payment} ${given.length} times`);
    if (given.length && one?.refunds.length) throw new Broken('never both credited and refunded', payment);
    if (given.length && one?.deliveries.length !== 1) throw new Broken('a credit is on top of a delivery', payment);
    for (const credit of credits) checkCredit(credit, given[0], one, seen);
  }
}

function checkCredit(credit: SeenCredit, given: Delivery | undefined, one: Case | undefined, seen: Observation): void {
  const is = `${credit.id} of ${credit.payment} is ${credit.state}`;
  const proposal = seen.proposals.find(({ id }) => id === credit.proposal);
  if (proposal?.state !== 'approved' || proposal.amount !== credit.amount)
    throw new Broken('credited as approved', `${is}, proposed was ${proposal?.amount}, which is ${proposal?.state}`);
  if (one?.payment?.state !== 'SUCCEEDED') throw new Broken('a credit is on top of a delivery', is);
  if (credit.state === 'given' && !isSame(given, credit))
    throw new Broken('credited only on proof', `${is}, ${textOf(credit)}, given was ${textOf(given)}`);
  if (credit.state === 'refused' && given?.reference === credit.id) throw new Broken('refused is not credited', is);
  const booked = one.postings.filter(({ kind }) => kind === 'goodwill');
  if (booked.length !== (credit.state === 'given' ? 1 : 0) && credit.state !== 'refused')
    throw new Broken('a credit is booked', `${is}, ${booked.length} postings`);
  const [posting] = booked;
  if (posting && (!isSame(posting, given) || posting.debit !== 'costs:goodwill'))
    throw new Broken('booked as it was credited', `${is}, booked ${textOf(posting)} from ${posting.debit}`);
}

function checkSame(one: Case, payment: SeenPayment, { first, version }: Remembered): void {
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
function checkHistory({ id, history }: Case, payment: SeenPayment): void {
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
function checkChange(
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

/** What providers and the operator's systems did, whatever the database says. */
function checkOutside(one: Case, ordered: SeenPayment): void {
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
function checkState(
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
function checkLedger({ id, postings, debits, refunds }: Case, payment: SeenPayment): void {
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
function checkMessages(
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
function checkProgress(one: Case, payment: SeenPayment, { refusedAt }: Remembered, seen: Observation): void {
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
function checkOrders(cases: Map<string, Case>, memory: Map<string, Remembered>, seen: Observation): void {
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
function checkAttempts(cases: Map<string, Case>, seen: Observation): void {
  for (const { key, payments } of seen.attempts) {
    const debits = payments.flatMap((id) => cases.get(id)?.debits ?? []);
    if (debits.length > 1) throw new Broken('one key, one debit', `${key} was taken as ${payments.join(' and ')}`);
  }
}

/** The table of section 1: the page shows what the state means, and says when money is proven. */
function checkShown({ status, money }: Shown, payment: SeenPayment | undefined): void {
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

/** I11, and the message for each final state. */
function checkOutcome(one: Case, payment: SeenPayment, { messagesBefore: toldBefore }: Remembered, seen: Ending): void {
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
function checkComparison(one: Case, seen: Ending): void {
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
function checkAcknowledged(cases: Map<string, Case>, seen: Ending): void {
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
