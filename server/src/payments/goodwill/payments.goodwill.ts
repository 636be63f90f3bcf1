import { callLeaseSeconds, deliveryDelay, provesNotThere, usualLag } from '@portal/domain/payment/schedule.ts';
import { callWithin } from '../../connectors/call-lease.ts';
import type { GoodwillState } from '../../db/schema/goodwill.ts';
import { deliveryOf } from '../core/connector-inputs.ts';
import type { PaymentsDependencies } from '../core/payments.dependencies.ts';
import type { Executor, Payment, PaymentRecord } from '../core/payments.store.ts';
import * as payments from '../core/payments.store.ts';
import type { Credit } from './payments.goodwill.store.ts';
import * as store from './payments.goodwill.store.ts';

/** Why no credit can be given, or settled. */
export type GoodwillProblem =
  | 'notDeliveredYet'
  | 'noLine'
  | 'goodwillGiven'
  | 'goodwillUnderWay'
  | 'goodwillOff'
  | 'goodwillNotStuck'
  | 'goodwillTooMuch'
  | 'goodwillCredited'
  | 'goodwillUnclear'
  | 'changedMeanwhile'
  | 'notFound';

/** A refused credit or settlement; the console has a text for each code. */
export class GoodwillRefused extends Error {
  readonly code: GoodwillProblem;

  constructor(code: GoodwillProblem) {
    super(code);
    this.code = code;
  }
}

/** An approved credit. */
export interface Granting {
  approvalId: string;
  amount: number;
  currency: string;
}

export type Goodwill = ReturnType<typeof createGoodwill>;

type Limits = { most: number | null };

/**
 * Airtime for the line of a delivered payment, at the operator's cost. Like a delivery, its intent is stored before the
 * call. A call without a response is looked up, and sent again only if it is still not found after the lag.
 */
export function createGoodwill(deps: PaymentsDependencies, { most }: Limits) {
  const { db, clock, epochs, events, charging } = deps;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const ageSeconds = (since: Date) => (clock.now().getTime() - since.getTime()) / 1000;
  const lease = () => ({ due_at: inSeconds(callLeaseSeconds) });

  /** The only writer of states. State, ledger and message are one transaction. Null: changed concurrently. */
  async function move(
    credit: Credit,
    to: GoodwillState,
    patch: Partial<Pick<Credit, 'due_at' | 'sent_at' | 'looks' | 'provider_reference'>>,
    { isNotified = false } = {},
  ): Promise<Credit | null> {
    const moved = await db.transaction().execute(async (transaction) => {
      const row = await store.move(transaction, credit, to, { ...patch, changed_at: clock.now() });
      if (row?.state === 'given') {
        await store.post(transaction, row);
        if (!isNotified) await deps.notify(transaction, { paymentId: row.payment_id, kind: 'goodwill' });
      }
      return row;
    });
    if (moved && moved.state !== credit.state) events.credited(moved.payment_id, moved.state);
    return moved;
  }

  /** Checks in the database, right before the call, that the lease and the epoch still hold. */
  async function fenced<T>(credit: Credit, epoch: number, call: () => Promise<T>): Promise<T | null> {
    const since = performance.now();
    const leftMs = await payments.leaseLeft(db, credit, { epoch, now: clock.inSql(), table: 'goodwill' });
    if (leftMs !== null) return callWithin(since + leftMs, call);
    events.leaseLost({ id: credit.payment_id });
    await epochs.check();
    return null;
  }

  /** Null if the payment's number was deleted after its retention period. */
  async function topUpOf({ id, payment_id, amount, currency }: Credit) {
    const payment = await payments.findPayment(db, payment_id);
    return payment?.msisdn
      ? { reference: id, msisdn: payment.msisdn, amount, currency, item: { kind: 'airtime' as const } }
      : null;
  }

  const given = (credit: Credit, reference: string, told = {}) =>
    move(credit, 'given', { due_at: null, provider_reference: reference }, told);

  async function send(credit: Credit, epoch: number): Promise<Credit | null> {
    const topUp = await topUpOf(credit);
    if (!topUp) return move(credit, credit.sent_at ? 'stuck' : 'refused', { due_at: null });
    const sending = await move(credit, 'sending', { ...lease(), sent_at: clock.now(), looks: 0 });
    if (!sending) return null;
    const outcome = await fenced(sending, epoch, () => charging.deliver(topUp));
    if (!outcome) return null;
    if (outcome.kind === 'delivered') return given(sending, outcome.providerReference);
    // Refused after an attempt without a response: the refusal may mean that the earlier attempt arrived.
    const isDoubtful = credit.sent_at !== null || credit.epoch !== epoch;
    if (outcome.kind === 'refused' && !isDoubtful) return move(sending, 'refused', { due_at: null });
    const isUnsent = outcome.kind === 'unclear' && outcome.isUnsent;
    return move(sending, 'unknown', {
      due_at: inSeconds(deliveryDelay(0, 0) ?? 0),
      ...(isUnsent ? { sent_at: credit.sent_at } : {}),
    });
  }

  /** Looks up a call without a response, or a credit that may have been sent before a restore. */
  async function lookUpFirst(credit: Credit, epoch: number): Promise<Credit | null> {
    const topUp = await topUpOf(credit);
    if (!topUp) return move(credit, 'stuck', { due_at: null });
    const found = await fenced(credit, epoch, () => charging.findDelivery(topUp));
    if (!found) return null;
    const { beganAt } = await epochs.current();
    // Credited before the restore, so the customer was probably notified then.
    const isNotified = credit.epoch !== epoch && (credit.sent_at?.getTime() ?? 0) <= beganAt.getTime();
    if (found.kind === 'delivered') return given(credit, found.providerReference, { isNotified });
    // The delay also grows with age, because unclear responses do not count as lookups.
    const age = ageSeconds(credit.created_at);
    const delay = deliveryDelay(Math.max(credit.looks, Math.floor(Math.log2(Math.max(age, 5) / 5))), age);
    if (delay === null) return move(credit, 'stuck', { due_at: null });
    const looks = credit.looks + (found.kind === 'notFound' ? 1 : 0);
    const pastEnded = credit.epoch === epoch ? 0 : beganAt.getTime();
    const inDoubt = ageSeconds(new Date(Math.max(pastEnded, credit.sent_at?.getTime() ?? 0)));
    if (found.kind === 'notFound' && provesNotThere(looks, inDoubt, charging.lag ?? usualLag))
      return send(credit, epoch);
    return move(credit, 'unknown', { looks, due_at: inSeconds(delay) });
  }

  async function step(credit: Credit): Promise<void> {
    const { number: epoch } = await epochs.current();
    if (credit.state === 'due' && credit.epoch === epoch) await send(credit, epoch);
    else if (credit.state === 'sending') await move(credit, 'unknown', { due_at: clock.now() });
    else await lookUpFirst(credit, epoch);
  }

  /** Why a payment cannot get a credit; null if it can. */
  function problemOf({ payment, goodwill }: Pick<PaymentRecord, 'payment' | 'goodwill'>): GoodwillProblem | null {
    if (payment.state !== 'SUCCEEDED') return 'notDeliveredYet';
    if (!['airtime', 'bundle'].includes(payment.details.item.kind) || !payment.msisdn) return 'noLine';
    if (goodwill?.state === 'given') return 'goodwillGiven';
    if (goodwill) return 'goodwillUnderWay';
    return mostFor(payment).amount > 0 ? null : 'goodwillOff';
  }

  /** Never more than the price of the purchase, in the currency of prices. */
  function mostFor(payment: Payment): { amount: number; currency: string } {
    const { amount, currency } = deliveryOf(payment);
    return { amount: most === null ? amount : Math.min(most, amount), currency };
  }

  async function stuckOf(executor: Executor, paymentId: string): Promise<Credit> {
    const credit = await store.stuckOf(executor, paymentId);
    if (!credit) throw new GoodwillRefused('goodwillNotStuck');
    return credit;
  }

  return {
    problemOf,
    mostFor,

    /**
     * Looks up a stuck credit at the charging system. If found, it becomes `given`. "Not found" counts only after the
     * lag; any other response changes nothing.
     */
    async askStuck(paymentId: string): Promise<'delivered' | 'notFound' | 'unclear'> {
      const credit = await stuckOf(db, paymentId);
      const topUp = await topUpOf(credit);
      if (!topUp) return 'unclear';
      const found = await charging.findDelivery(topUp);
      if (found.kind === 'delivered') await given(credit, found.providerReference);
      const inDoubt = ageSeconds(credit.sent_at ?? credit.created_at);
      return found.kind === 'notFound' && inDoubt < (charging.lag ?? usualLag) ? 'unclear' : found.kind;
    },

    /** Ends a stuck credit that was not found, in the transaction of the approval. Another may be granted then. */
    async endStuck(transaction: Executor, paymentId: string): Promise<void> {
      const credit = await stuckOf(transaction, paymentId);
      const patch = { due_at: null, changed_at: clock.now() };
      if (!(await store.move(transaction, credit, 'refused', patch))) throw new GoodwillRefused('changedMeanwhile');
    },

    /** Stores the credit in the transaction of the approval. The sweep sends it. */
    async grant(transaction: Executor, paymentId: string, { approvalId, amount, currency }: Granting): Promise<void> {
      const payment = await payments.findPayment(transaction, paymentId);
      if (!payment) throw new GoodwillRefused('notFound');
      // Checked again here, because a restore may have taken the delivery back since it was proposed.
      const problem = problemOf({ payment, goodwill: null });
      if (problem) throw new GoodwillRefused(problem);
      const allowed = mostFor(payment);
      if (currency !== allowed.currency || amount > allowed.amount) throw new GoodwillRefused('goodwillTooMuch');
      const at = clock.now();
      const attempt = await store.refusedOf(transaction, paymentId);
      await store
        .insert(transaction, {
          // The same for every try: if a restore lost the credit, the charging system still knows the reference.
          id: deps.referencesOf(`goodwill ${paymentId} ${attempt}`).id,
          ...{ approval_id: approvalId, payment_id: paymentId, amount, currency, state: 'due', sent_at: null },
          ...{ epoch: payment.epoch, due_at: at, created_at: at, changed_at: at, provider_reference: null },
        })
        .catch((error: unknown) => {
          if ((error as { code?: string }).code !== '23505') throw error;
          throw new GoodwillRefused('goodwillUnderWay');
        });
    },

    /** The states of approved credits. */
    async states(approvalIds: readonly string[]): Promise<ReadonlyMap<string, GoodwillState>> {
      const rows = await store.statesOf(db, approvalIds);
      return new Map(rows.map(({ approval_id, state }) => [approval_id, state]));
    },

    /** Processes due credits. Returns how many there were. */
    async sweep(mostAtOnce: number): Promise<number> {
      const due = await store.leaseDue(db, { now: clock.now(), until: lease().due_at, most: mostAtOnce });
      await Promise.all(
        due.map((credit) => step(credit).catch((error: unknown) => events.stepFailed(credit.payment_id, error))),
      );
      return due.length;
    },
  };
}
