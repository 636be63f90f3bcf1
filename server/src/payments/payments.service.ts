import { hash } from 'node:crypto';
import { callLeaseSeconds, orderLifeSeconds } from '@portal/domain/payment/schedule.ts';
import { isFinal, next, type PaymentState } from '@portal/domain/payment/transitions.ts';
import { batched } from '../db/batched.ts';
import { isConnectionLoss } from '../db/connection-loss.ts';
import { endedBefore, periods } from '../db/periods.ts';
import { PortalError } from '../http/portal-error.ts';
import { isOfBrowser } from '../http/visits.ts';
import { RiskStop } from '../risk/risk.service.ts';
import { isPaymentId, keepCallback, type ReceivedCallback } from './core/callback-inbox.ts';
import type { Move, PaymentsDependencies, Step } from './core/payments.dependencies.ts';
import type { Quote } from './core/payments.quote.ts';
import { paymentSteps } from './core/payments.steps.ts';
import type { Payment } from './core/payments.store.ts';
import * as store from './core/payments.store.ts';
import { type Deciding, paymentReview } from './review/payments.review.ts';

export { referencesBy } from './core/payment-id.ts';
export type { PaymentsDependencies } from './core/payments.dependencies.ts';
export type { Quote } from './core/payments.quote.ts';
export { hurryOpen, type Payment } from './core/payments.store.ts';
export { goodwillCredits, refunds } from './desk/payments.refunds.ts';
export { createGoodwill, type Goodwill } from './goodwill/payments.goodwill.ts';
export { reconcileDay } from './reconcile/payments.reconcile.ts';
export { DecisionRefused } from './review/payments.review.ts';

/** What the customer pressed Pay for, once; `key` was made with it, and comes again with every repetition. */
export interface Attempt {
  key: string;
  body: unknown;
}

export interface Order {
  id: string;
  amount: number;
  currency: string;
}

export interface Payments {
  /** The same key with the same body gives the same order. The proof is spent with it. */
  initiate(quote: Quote, attempt: Attempt, spendProof?: (transaction: store.Executor) => Promise<void>): Promise<Order>;
  /** What the attempt was answered before, whatever has become of it; refused where it had another body. */
  findOrder(attempt: Attempt): Promise<Order | undefined>;
  /**
   * Starts the payment once; `already` when an earlier call did. Answers within about two seconds. Who pays what for whom
   * was settled by initiate: all that can be added is a PIN, a fresh code that was asked for, and which networks asked.
   */
  process(
    id: string,
    added?: { pin?: string; uniqueCode?: string; askedFrom?: string },
  ): Promise<{ payment: Payment; already: boolean }>;
  /** Refuses another attempt of an order that was paid; its own visit is told by which payment. */
  refuseOrderPaid(quote: Quote): Promise<void>;
  /** The same purchase from the same browser within ten minutes, as another order; failed ones do not count. */
  findRepeat(quote: Quote, key: string): Promise<string | null>;
  /** Brings an open payment's next look forward; `returned` is no more than the browser's word, which comes with each reload. */
  hurry(id: string, because?: 'returned'): Promise<void>;
  find(id: string): Promise<store.PaymentRecord | undefined>;
  /** Of the payment with this short reference, as an SMS names it. */
  idOf(reference: string): Promise<string | undefined>;
  receiveCallback(callback: ReceivedCallback): Promise<void>;
  /** One sweep over what is due; gives how many payments it looked at, once it is through with them. */
  sweep(most: number): Promise<number>;
  /** The same without waiting for them: what hangs keeps its own gateway's share busy, and nobody else's. */
  sweepOn(): Promise<void>;
  /** Payments that wait for a person, oldest first. */
  listReview(most: number): Promise<Payment[]>;
  /** A named person's decision about a payment that waits for one. */
  decide(id: string, deciding: Deciding): Promise<Payment>;
  /** Asks the provider of a payment that waits for a person; gives all that was ever stated about it. */
  ask(id: string): Promise<store.StoredEvidence[]>;
  evidence(id: string): Promise<store.StoredEvidence[]>;
  /** Drops callbacks and attempt keys that nobody will ask about any more. */
  forgetOld(): Promise<void>;
  /** Resolves when no call started here is under way. */
  drain(): Promise<void>;
}

const answerWithinMs = 1_800;
/** Between two looks that callbacks cause: one that tells something new is worth more than one that came before. */
const freshFloorMs = 500;
const callbackFloorMs = 2_000;
const returnFloorMs = 10_000;
/** So many hints at most wait for their look; the others are left to the schedule. */
const mostPutOff = 10_000;
const sweptAtOnce = 50;
/** Beyond this the sweep takes no more of a gateway until some are through. */
const sweptOfGateway = 100;
const repeatSeconds = 600;

export function createPayments(deps: PaymentsDependencies): Payments {
  const { db, events, clock } = deps;
  const underWay = new Set<Promise<unknown>>();
  /** Hints that came too soon after a look, until theirs. */
  const putOff = new Map<string, NodeJS.Timeout>();
  /** How many payments of each gateway the sweep has under way. */
  const swept = new Map<string, number>();

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** An attempt that comes twice is stored once, so a batch may be tried again one by one. */
  const insertPayment = batched((orders: store.NewOrder[]) => store.insertPayments(db, orders), {
    atOnce: 4,
    most: 50,
  });

  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const leaseEnd = () => inSeconds(callLeaseSeconds);

  /**
   * In a past that is lost the customer may have been told the same: better once too seldom, since the page says it. What is done only
   * now was not told before: a person's decision, and a delivery that was just made. Who had to order anew is told anew.
   */
  async function mayBeTold(payment: Payment, { notice, settled }: Step): Promise<boolean> {
    if (settled || notice === 'delivered') return false;
    const { number, beganAt } = await deps.epochs.current();
    return payment.epoch !== number && payment.created_at < beganAt;
  }

  /** The only writer of a state: state, history, books and message are one transaction. Null: somebody was quicker. */
  const move: Move = async (payment, event, step = {}) => {
    const at = clock.now();
    const to = next(payment.state, event);
    const isTold = step.notice && (await mayBeTold(payment, step));
    const moved = await db.transaction().execute(async (transaction) => {
      const row = await store.movePayment(transaction, payment, {
        event,
        to,
        at,
        reason: step.reason,
        settled: step.settled,
        patch: { due_at: isFinal(to) || to === 'REVIEW' ? null : leaseEnd(), ...step.patch },
      });
      if (!row) return null;
      if (step.evidence) await store.insertEvidence(transaction, row, { ...step.evidence, at });
      if (step.posting) await store.insertPosting(transaction, row, step.posting, at);
      if (row.order_digest !== null && leavesOrder.includes(to)) await store.releaseOrder(transaction, row.id);
      if (step.notice && !isTold) await deps.notify(transaction, { paymentId: row.id, kind: step.notice });
      await step.also?.(transaction, row);
      return row;
    });
    if (moved) events.moved(moved, payment.state, event);
    return moved;
  };

  const steps = paymentSteps(deps, move);

  /** Takes a payment that is held by a lease as far as it goes without waiting for anybody. */
  async function run(first: Payment | null): Promise<void> {
    let payment = first;
    while (payment) payment = await steps.next(payment);
  }

  const takeInBackground = (payment: Payment) =>
    track(run(payment).catch((error: unknown) => events.stepFailed(payment.id, error)));

  async function existing(id: string): Promise<Payment> {
    const payment = await store.findPayment(db, id);
    if (!payment) throw new PortalError('paymentUnknown');
    return payment;
  }

  async function findOrder(attempt: Attempt): Promise<Order | undefined> {
    const earlier = await store.findAttempt(db, 'initiate', attempt.key);
    if (!earlier) return undefined;
    const { body_hash, ...order } = earlier;
    return body_hash === hashOf(attempt) ? order : refuseKey();
  }

  /** False where it was asked about within the floor, or there is nothing to ask. */
  async function lookSoon(id: string, floorMs: number): Promise<boolean> {
    const now = clock.now();
    const floor = new Date(now.getTime() - floorMs);
    const payment = await store.hurryPayment(db, id, { now, floor, leaseUntil: leaseEnd() });
    if (payment) void takeInBackground(payment);
    return payment !== undefined;
  }

  async function hurry(id: string, because?: 'returned'): Promise<void> {
    await lookSoon(id, because ? returnFloorMs : callbackFloorMs);
  }

  /**
   * What was asked right before a callback may be older than what it tells. It is asked once more when the floor is over, and
   * not only when the schedule comes to it: that would be tens of seconds later.
   */
  async function heed(id: string, floorMs: number): Promise<void> {
    if ((await lookSoon(id, floorMs)) || putOff.has(id) || putOff.size >= mostPutOff) return;
    const look = () => {
      putOff.delete(id);
      track(lookSoon(id, floorMs)).catch((error: unknown) => events.stepFailed(id, error));
    };
    putOff.set(id, setTimeout(look, floorMs).unref());
  }

  /** Nothing was asked of any provider: the payer proves more, or a person looks first. */
  async function stop(payment: Payment, { decision, keep }: RiskStop, askedFrom: string | null) {
    if (decision === 'ask') {
      await keep(db);
      throw new PortalError('codeNeeded');
    }
    const held = await move(payment, 'hold', { reason: 'held', patch: { asked_from: askedFrom }, also: keep });
    return { payment: held ?? (await existing(payment.id)), already: held === null };
  }

  /** An order of a past that is lost may have been sent there: it is asked about when it is due, and not simply over. */
  const isOfThisPast = async (payment: Payment) => payment.epoch === (await deps.epochs.check()).number;

  /**
   * Another attempt of an order that was paid begins nothing. After this the answer may still become untrue: then its money
   * goes back by itself, because only one payment can hold the claim.
   */
  async function refuseIfOrderPaid(payment: Payment): Promise<Payment[]> {
    const others = await store.findSameOrder(db, payment);
    const paidBy = others.find(store.isOrderPaid);
    if (!paidBy) return others;
    if (await isOfThisPast(payment)) await move(payment, 'expire', { reason: 'paidAlready' });
    throw orderPaid(paidBy, payment.visit);
  }

  /** An invoice or a request that somebody else paid since it was ordered. */
  async function refuseIfSettled(payment: Payment): Promise<void> {
    if (!(await steps.isSettledBy(payment))) return;
    if (await isOfThisPast(payment)) await move(payment, 'expire', { reason: 'paidAlready' });
    throw new PortalError('paidMeanwhile');
  }

  /** What the same visit began earlier for the order, and was not sent to anybody, is over. */
  async function closeEarlier(payment: Payment, others: Payment[]): Promise<void> {
    const isEarlier = (other: Payment) => other.state === 'CREATED' && other.created_at <= payment.created_at;
    for (const other of others)
      if (isEarlier(other) && other.visit === payment.visit && (await isOfThisPast(other)))
        await move(other, 'expire', { reason: 'replaced' });
  }

  return {
    hurry,

    async refuseOrderPaid({ orderDigest, visit }) {
      const paidBy = orderDigest === null ? undefined : await store.findOrderPaid(db, orderDigest);
      if (paidBy) throw orderPaid(paidBy, visit);
    },

    async findRepeat(quote, key) {
      if (!isOfBrowser(quote.visit)) return null;
      const price = quote.details.conversion?.price ?? quote.amount;
      return store.findRepeat(db, { ...quote, visit: quote.visit, price }, { key, since: inSeconds(-repeatSeconds) });
    },

    async initiate(quote, attempt, spendProof) {
      const now = clock.now();
      const bodyHash = hashOf(attempt);
      const { id, short } = deps.referencesOf(`${attempt.key} ${bodyHash}`);
      const order = {
        id,
        short_reference: short,
        state: 'CREATED' as const,
        version: 0,
        gateway: quote.gateway,
        payment_mode: quote.paymentMode,
        transaction_type: quote.transactionType,
        amount: quote.amount,
        currency: quote.currency,
        msisdn: quote.msisdn,
        payer_msisdn: quote.payerMsisdn,
        payer_proof: quote.payerProof,
        proof_digest: quote.proofDigest,
        email: quote.email,
        product_code: quote.productCode,
        description: quote.description,
        account_id: quote.accountId,
        invoice_number: quote.invoiceNumber,
        language: quote.language,
        visit: quote.visit,
        details: JSON.stringify(quote.details),
        order_id: quote.orderId,
        order_digest: quote.orderDigest,
        created_at: now,
        changed_at: now,
        due_at: inSeconds(orderLifeSeconds),
      };
      const fresh = { payment: order, attempt: { operation: 'initiate', key: attempt.key, body_hash: bodyHash } };
      const open = () =>
        spendProof
          ? db.transaction().execute(async (transaction) => {
              await spendProof(transaction);
              const [inserted] = await store.insertPayments(transaction, [fresh]);
              return inserted;
            })
          : insertPayment(fresh);
      const inserted = await open().catch(async (error: unknown) => {
        if (!store.isWithoutEpoch(error)) throw error;
        await deps.epochs.check();
        return open();
      });
      if (!inserted) return (await findOrder(attempt)) ?? refuseKey();
      events.created(quote);
      return { id, amount: quote.amount, currency: quote.currency };
    },

    findOrder,

    async process(id, added = {}) {
      const payment = await existing(id);
      if (payment.state !== 'CREATED') return { payment, already: true };
      const answerBy = delay(answerWithinMs);
      const askedFrom = added.askedFrom ?? null;
      const others = await refuseIfOrderPaid(payment);
      await refuseIfSettled(payment);
      const check = await deps.risk?.before(payment, added);
      const submitting = await move(payment, 'submit', {
        patch: { submitted_at: clock.now(), asked_from: askedFrom },
        async also(transaction, row) {
          const isProved = (await check?.(transaction, row)) ?? false;
          await deps.guards.submitting(transaction, row, { isProved, uniqueCode: added.uniqueCode });
        },
      }).catch((error: unknown) => {
        if (error instanceof RiskStop) return error;
        throw error;
      });
      if (submitting instanceof RiskStop) return stop(payment, submitting, askedFrom);
      if (!submitting) return { payment: await existing(id), already: true };
      // An error of ours here must not look as if nobody had been asked for money.
      await closeEarlier(submitting, others).catch((error: unknown) => events.stepFailed(id, error));
      const started = track(
        steps
          .start(submitting, added.pin)
          .then(run)
          // An error of ours says nothing about the money: the intent is stored, and the sweep finds out.
          .catch((error: unknown) => events.stepFailed(id, error)),
      );
      await Promise.race([started, answerBy]);
      // The provider was asked: whatever happens to the database now, "nothing was taken" would not be true.
      const latest = await existing(id).catch((error: unknown) => {
        if (isConnectionLoss(error)) return submitting;
        throw error;
      });
      return { payment: latest, already: false };
    },

    find: (id) => store.findPaymentWithChanges(db, id),
    idOf: (reference) => store.findIdByReference(db, reference),
    listReview: (most) => store.listReview(db, most),

    ...paymentReview(deps, move),
    evidence: (id) => store.evidenceOf(db, id),

    async receiveCallback(callback) {
      const { provider, path, body, headers } = callback;
      const gateway = deps.gateways.get(provider);
      if (!gateway) throw new PortalError('providerUnknown');
      const hint = gateway.parseCallback(body, headers, path);
      const verdict = await keepCallback(db, callback, hint, clock.now());
      events.callback(provider, verdict);
      if (verdict === 'stray' || !isPaymentId(hint.reference)) return;
      // Signed or not, it is a reason to ask, and nothing more. So is one that came before: we may have died over it.
      await heed(hint.reference, verdict === 'signed' || verdict === 'unsigned' ? freshFloorMs : callbackFloorMs);
    },

    async sweep(most) {
      const due = await store.leaseDuePayments(db, { now: clock.now(), leaseUntil: leaseEnd(), most, without: [] });
      await Promise.all(due.map(takeInBackground));
      return due.length;
    },

    async sweepOn() {
      const without = [...swept].flatMap(([gateway, count]) => (count >= sweptOfGateway ? [gateway] : []));
      const due = await store.leaseDuePayments(db, {
        now: clock.now(),
        leaseUntil: leaseEnd(),
        most: sweptAtOnce,
        without,
      });
      for (const payment of due) {
        const { gateway } = payment;
        swept.set(gateway, (swept.get(gateway) ?? 0) + 1);
        void takeInBackground(payment).finally(() => swept.set(gateway, (swept.get(gateway) ?? 1) - 1));
      }
    },

    forgetOld() {
      const now = clock.now();
      return store.forgetOld(db, {
        callbacks: endedBefore(periods.callbacks, now),
        keys: endedBefore(periods.idempotency_keys, now),
      });
    },

    async drain() {
      for (const timer of putOff.values()) clearTimeout(timer);
      putOff.clear();
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

const hashOf = ({ body }: Attempt) => hash('sha256', JSON.stringify(body), 'hex');

/** Ends without a delivery: the order is free for another payment. */
const leavesOrder: readonly PaymentState[] = ['REFUND_DUE', 'REFUNDED', 'FAILED'];

/** By which payment, for the browser that made it. */
function orderPaid(paidBy: { id: string; visit: string | null }, visit: string | null): PortalError {
  const isOwn = isOfBrowser(visit) && paidBy.visit === visit;
  return new PortalError('orderPaid', isOwn ? { earlierTransactionId: paidBy.id } : {});
}

function refuseKey(): never {
  throw new PortalError('keyReused');
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
