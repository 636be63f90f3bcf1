import { createHash } from 'node:crypto';
import { type PostingKind, postingFor } from '@portal/domain/payment/ledger.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import {
  callLeaseSeconds,
  deliveryDelay,
  enquiryDelay,
  lateMoneyDelay,
  orderLifeSeconds,
  provesNeverArrived,
  refundDelay,
} from '@portal/domain/payment/schedule.ts';
import { isFinal, next, type PaymentEvent } from '@portal/domain/payment/transitions.ts';
import type { Kysely, Updateable } from 'kysely';
import type { Charging, EnquiryOutcome, PaymentGateway } from '../connectors/ports.ts';
import type { PaymentsTable, Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { PaymentNotice } from '../notices/notices.service.ts';
import { newPaymentId, newShortReference } from './payment-id.ts';
import type { PaymentEvents } from './payments.events.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

/** A priced order: everything in it was checked by the server. */
export interface Quote {
  gateway: string;
  paymentMode: string;
  transactionType: string;
  amount: number;
  currency: string;
  msisdn: string;
  payerMsisdn: string | null;
  email: string | null;
  productCode: string | null;
  description: string | null;
  accountId: string | null;
  invoiceNumber: string | null;
  language: string;
  details: Record<string, unknown>;
}

export interface PaymentsDependencies {
  db: Kysely<Schema>;
  now: () => Date;
  gateways: ReadonlyMap<string, PaymentGateway>;
  charging: Charging;
  /** Queues a message to the customer inside the payment's own transaction. */
  notify: (transaction: store.Executor, notice: PaymentNotice) => Promise<void>;
  events: PaymentEvents;
}

export interface Payments {
  /** Gives the payment's id; the same key with the same body gives the same one. */
  initiate(quote: Quote, attempt: { key: string; body: unknown }): Promise<string>;
  /** Starts the payment once; `already` when an earlier call did. Answers within about two seconds. */
  process(
    id: string,
    payer: { msisdn: string | null },
  ): Promise<{ payment: Payment; already: boolean; redirectUrl?: string }>;
  find(id: string): Promise<{ payment: Payment; changes: store.Change[] } | undefined>;
  receiveCallback(provider: string, body: Buffer, headers: Record<string, unknown>): Promise<void>;
  /** One sweep over what is due; gives how many payments it looked at. */
  sweep(most: number): Promise<number>;
  /** Resolves when no call started here is under way. */
  drain(): Promise<void>;
}

const answerWithinMs = 1_800;
const callbackFloorMs = 2_000;

export function createPayments(deps: PaymentsDependencies): Payments {
  const { db, events } = deps;
  const underWay = new Set<Promise<unknown>>();

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  function gatewayOf(payment: Payment): PaymentGateway {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) throw new Error(`no connector is configured for the gateway "${payment.gateway}"`);
    return gateway;
  }

  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const ageSeconds = (since: Date) => (deps.now().getTime() - since.getTime()) / 1000;

  interface Step {
    reason?: PaymentReason | null;
    patch?: Updateable<PaymentsTable>;
    posting?: PostingKind;
    notice?: PaymentNotice['kind'];
    also?: (transaction: store.Executor, moved: Payment) => Promise<void>;
  }

  /** The only writer of a state: state, history, books and message are one transaction. Null: somebody was quicker. */
  async function move(payment: Payment, event: PaymentEvent, step: Step = {}): Promise<Payment | null> {
    const at = deps.now();
    const to = next(payment.state, event);
    const moved = await db.transaction().execute(async (transaction) => {
      const row = await store.movePayment(transaction, payment, {
        event,
        to,
        at,
        reason: step.reason,
        patch: { due_at: isFinal(to) || to === 'REVIEW' ? null : at, ...step.patch },
      });
      if (!row) return null;
      if (step.posting) {
        const posting = postingFor(step.posting, { ...row, transactionType: row.transaction_type });
        await store.insertPosting(transaction, row.id, posting, at);
      }
      if (step.notice) await deps.notify(transaction, { paymentId: row.id, kind: step.notice });
      await step.also?.(transaction, row);
      return row;
    });
    if (moved) events.moved(moved, payment.state, event);
    return moved;
  }

  const lease = () => ({ due_at: inSeconds(callLeaseSeconds) });

  async function start(payment: Payment): Promise<{ payment: Payment | null; redirectUrl?: string }> {
    const outcome = await gatewayOf(payment).start({
      reference: payment.id,
      shortReference: payment.short_reference,
      amount: payment.amount,
      currency: payment.currency,
      payerMsisdn: payment.payer_msisdn ?? payment.msisdn,
      email: payment.email,
      language: payment.language,
    });
    const soon = { due_at: inSeconds(enquiryDelay(0, 0) ?? 0) };
    switch (outcome.kind) {
      case 'await':
      case 'redirect': {
        const patch = { ...soon, provider_reference: outcome.providerReference ?? null };
        const moved = await move(payment, 'accept', { patch });
        return { payment: moved, ...(outcome.kind === 'redirect' ? { redirectUrl: outcome.url } : {}) };
      }
      case 'refused':
        return { payment: await move(payment, 'refuse', refusedStep(payment, outcome.reason)) };
      case 'unclear':
        events.unclear(payment, 'start', outcome.detail);
        return { payment: await move(payment, 'lose', { patch: soon }) };
    }
  }

  function refusedStep(payment: Payment, reason: PaymentReason): Step {
    const again = lateMoneyDelay(ageSeconds(payment.created_at));
    return { reason, notice: 'notTaken', patch: { due_at: again === null ? null : inSeconds(again) } };
  }

  function matches(payment: Payment, outcome: Extract<EnquiryOutcome, { kind: 'paid' }>): boolean {
    return outcome.amount === payment.amount && outcome.currency === payment.currency;
  }

  async function enquire(payment: Payment): Promise<Payment | null> {
    const outcome = await gatewayOf(payment).enquire({
      reference: payment.id,
      providerReference: payment.provider_reference,
    });
    const age = ageSeconds(payment.submitted_at ?? payment.created_at);
    const counted = { attempts: payment.attempts + 1, last_enquiry_at: deps.now() };
    const delay = enquiryDelay(payment.attempts, age);
    const later = { ...counted, due_at: delay === null ? null : inSeconds(delay) };
    const giveUp = () => move(payment, 'giveUp', { reason: 'retriesSpent', patch: counted });

    switch (outcome.kind) {
      case 'paid':
        if (!matches(payment, outcome)) return move(payment, 'conflict', { reason: 'amountConflict', patch: counted });
        return move(payment, 'pay', {
          posting: 'paid',
          patch: { attempts: 0, last_enquiry_at: deps.now(), provider_reference: outcome.providerReference },
        });
      case 'refused': {
        const step = refusedStep(payment, outcome.reason);
        return move(payment, 'refuse', { ...step, patch: { ...counted, ...step.patch } });
      }
      case 'pending':
        if (delay === null) return giveUp();
        if (payment.state === 'UNKNOWN') return move(payment, 'accept', { patch: later });
        await store.notePayment(db, payment, later);
        return null;
      case 'notFound': {
        const answers = payment.not_found_answers + 1;
        if (payment.state === 'UNKNOWN' && provesNeverArrived(answers, age))
          return move(payment, 'refuse', refusedStep(payment, 'neverArrived'));
        if (delay === null) return giveUp();
        await store.notePayment(db, payment, { ...later, not_found_answers: answers });
        return null;
      }
      case 'unclear':
        events.unclear(payment, 'enquire', outcome.detail);
        if (delay === null) return giveUp();
        await store.notePayment(db, payment, later);
        return null;
    }
  }

  /** A failure was proven, but providers have been seen to take money afterwards. Such money only goes back. */
  async function lookForLateMoney(payment: Payment): Promise<Payment | null> {
    const delay = lateMoneyDelay(ageSeconds(payment.submitted_at ?? payment.created_at));
    const patch = { last_enquiry_at: deps.now(), due_at: delay === null ? null : inSeconds(delay) };
    if (!payment.submitted_at) {
      await store.notePayment(db, payment, { due_at: null });
      return null;
    }
    const outcome = await gatewayOf(payment).enquire({
      reference: payment.id,
      providerReference: payment.provider_reference,
    });
    if (outcome.kind === 'paid') {
      if (!matches(payment, outcome)) return move(payment, 'conflict', { reason: 'amountConflict' });
      return move(payment, 'findLateMoney', {
        reason: 'lateMoney',
        posting: 'paid',
        notice: 'goingBack',
        patch: { attempts: 0, provider_reference: outcome.providerReference },
      });
    }
    await store.notePayment(db, payment, patch);
    return null;
  }

  const deliveryOf = (payment: Payment) => ({
    reference: payment.id,
    msisdn: payment.msisdn,
    amount: payment.amount,
    currency: payment.currency,
  });

  function delivered(payment: Payment, providerReference: string): Promise<Payment | null> {
    return move(payment, 'deliver', {
      posting: 'delivered',
      notice: 'delivered',
      also: (transaction, row) => store.completeDelivery(transaction, row.id, providerReference, row.changed_at),
    });
  }

  async function deliver(payment: Payment): Promise<Payment | null> {
    const fulfilling = await move(payment, 'fulfil', {
      patch: lease(),
      also: (transaction, row) => store.startDelivery(transaction, row, row.changed_at),
    });
    if (!fulfilling) return null;
    const outcome = await deps.charging.topUp(deliveryOf(fulfilling));
    switch (outcome.kind) {
      case 'delivered':
        return delivered(fulfilling, outcome.providerReference);
      case 'refused':
        return move(fulfilling, 'refuseDelivery', {
          reason: 'deliveryRefused',
          notice: 'goingBack',
          patch: { attempts: 0 },
        });
      case 'unclear':
        events.unclear(fulfilling, 'deliver', outcome.detail);
        return move(fulfilling, 'loseDelivery', {
          patch: { due_at: inSeconds(deliveryDelay(fulfilling.attempts, 0) ?? 0) },
        });
    }
  }

  async function findOutDelivery(payment: Payment): Promise<Payment | null> {
    const found = await deps.charging.findTopUp(deliveryOf(payment));
    const delay = deliveryDelay(payment.attempts + 1, ageSeconds(payment.submitted_at ?? payment.created_at));
    if (found.kind === 'delivered') return delivered(payment, found.providerReference);
    if (delay === null) return move(payment, 'giveUp', { reason: 'retriesSpent' });
    const counted = { attempts: payment.attempts + 1, due_at: inSeconds(delay) };
    await store.notePayment(db, payment, counted);
    if (found.kind === 'unclear') {
      events.unclear(payment, 'find delivery', found.detail);
      return null;
    }
    return deliver({ ...payment, ...counted });
  }

  async function refund(payment: Payment): Promise<Payment | null> {
    const delay = refundDelay(payment.attempts);
    if (delay === null) return move(payment, 'giveUp', { reason: 'retriesSpent' });
    const refunding = await move(payment, 'refund', {
      patch: {
        ...lease(),
        attempts: payment.attempts + 1,
        refund_expected_at: payment.refund_expected_at ?? inSeconds(24 * 3600),
      },
    });
    if (!refunding) return null;
    const outcome = await gatewayOf(refunding).refund({
      reference: refunding.id,
      providerReference: refunding.provider_reference ?? '',
      amount: refunding.amount,
      currency: refunding.currency,
    });
    if (outcome.kind === 'refunded')
      return move(refunding, 'completeRefund', { posting: 'refunded', notice: 'givenBack' });
    events.unclear(refunding, 'refund', outcome.detail);
    return move(refunding, 'loseRefund', { patch: { due_at: inSeconds(delay) } });
  }

  function step(payment: Payment): Promise<Payment | null> {
    switch (payment.state) {
      case 'CREATED':
        return move(payment, 'expire', { reason: 'orderExpired' });
      case 'SUBMITTING':
        return move(payment, 'lose');
      case 'AWAITING_PAYER':
      case 'UNKNOWN':
        return enquire(payment);
      case 'PAID':
        return deliver(payment);
      case 'FULFILLING':
        return move(payment, 'loseDelivery');
      case 'FULFIL_UNKNOWN':
        return findOutDelivery(payment);
      case 'REFUND_DUE':
      case 'REFUND_UNKNOWN':
        return refund(payment);
      case 'REFUNDING':
        return move(payment, 'loseRefund');
      case 'FAILED':
        return lookForLateMoney(payment);
      case 'SUCCEEDED':
      case 'REFUNDED':
      case 'REVIEW':
        return Promise.resolve(null);
    }
  }

  /** Goes on while each step leaves the payment due at once; a null or a later time ends it. */
  async function run(first: Payment | null): Promise<void> {
    let payment = first;
    while (payment?.due_at && payment.due_at <= deps.now()) payment = await step(payment);
  }

  /** Takes a payment whose turn it is as far as it goes without waiting for anybody. */
  async function take(turn: store.Turn): Promise<void> {
    const payment = await store.findPayment(db, turn.id);
    if (payment?.version === turn.version) await run({ ...payment, due_at: deps.now() });
  }

  const takeInBackground = (turn: store.Turn) =>
    track(take(turn).catch((error: unknown) => events.stepFailed(turn.id, error)));

  async function existing(id: string): Promise<Payment> {
    const payment = await store.findPayment(db, id);
    if (!payment) throw new PortalError('notFound', 'We do not know this payment.');
    return payment;
  }

  return {
    async initiate(quote, attempt) {
      const now = deps.now();
      const id = newPaymentId();
      const bodyHash = createHash('sha256').update(JSON.stringify(attempt.body)).digest('hex');
      const inserted = await store.insertPayment(
        db,
        {
          id,
          short_reference: newShortReference(),
          state: 'CREATED',
          version: 0,
          gateway: quote.gateway,
          payment_mode: quote.paymentMode,
          transaction_type: quote.transactionType,
          amount: quote.amount,
          currency: quote.currency,
          msisdn: quote.msisdn,
          payer_msisdn: quote.payerMsisdn,
          email: quote.email,
          product_code: quote.productCode,
          description: quote.description,
          account_id: quote.accountId,
          invoice_number: quote.invoiceNumber,
          language: quote.language,
          details: JSON.stringify(quote.details),
          created_at: now,
          changed_at: now,
          due_at: inSeconds(orderLifeSeconds),
        },
        { operation: 'initiate', key: attempt.key, bodyHash },
      );
      if (inserted) {
        events.created(quote);
        return id;
      }
      const earlier = await store.findKey(db, 'initiate', attempt.key);
      if (!earlier || earlier.body_hash !== bodyHash)
        throw new PortalError(
          'keyReused',
          'This payment attempt was already used for another order. Please start again.',
        );
      return earlier.payment_id;
    },

    async process(id, payer) {
      const payment = await existing(id);
      if (payment.state !== 'CREATED') return { payment, already: true };
      const submitting = await move(payment, 'submit', {
        patch: { ...lease(), submitted_at: deps.now(), payer_msisdn: payment.payer_msisdn ?? payer.msisdn },
      });
      if (!submitting) return { payment: await existing(id), already: true };
      const started = track(
        start(submitting)
          .then(async (result) => {
            if (result.payment) await run(result.payment);
            return result;
          })
          // An error of ours says nothing about the money: the intent is stored, and the sweep finds out.
          .catch((error: unknown) => events.stepFailed(id, error)),
      );
      const result = await Promise.race([started, delay(answerWithinMs)]);
      return { payment: result?.payment ?? submitting, already: false, redirectUrl: result?.redirectUrl };
    },

    find: (id) => store.findPaymentWithChanges(db, id),

    async receiveCallback(provider, body, headers) {
      const gateway = deps.gateways.get(provider);
      if (!gateway) throw new PortalError('notFound', 'There is no such provider.');
      const hint = gateway.parseCallback(body, headers);
      const now = deps.now();
      const fresh = await store.insertCallback(db, {
        provider,
        digest: createHash('sha256').update(body).digest('hex'),
        verdict: hint.signed ? 'signed' : 'unsigned',
        payment_id: hint.reference,
        headers: JSON.stringify({ 'content-type': headers['content-type'] ?? null }),
        body,
        received_at: now,
      });
      events.callback(provider, { fresh, signed: hint.signed });
      if (!fresh || !hint.reference) return;
      // Signed or not, it is a reason to ask, and nothing more.
      const floor = new Date(now.getTime() - callbackFloorMs);
      const turn = await store.hurryPayment(db, hint.reference, {
        now,
        floor,
        leaseUntil: inSeconds(callLeaseSeconds),
      });
      if (turn) void takeInBackground(turn);
    },

    async sweep(most) {
      const leaseUntil = inSeconds(callLeaseSeconds);
      const turns = await store.leaseDuePayments(db, deps.now(), leaseUntil, most);
      await Promise.all(turns.map(takeInBackground));
      return turns.length;
    },

    async drain() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
