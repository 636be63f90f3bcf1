import type { PostingKind } from '@portal/domain/payment/ledger.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import {
  callLeaseSeconds,
  deliveryDelay,
  enquiryDelay,
  lateMoneyDelay,
  orderLifeSeconds,
  provesNeverArrived,
  provesNotDelivered,
  refundDelay,
} from '@portal/domain/payment/schedule.ts';
import type { PaymentEvent } from '@portal/domain/payment/transitions.ts';
import type { Updateable } from 'kysely';
import type {
  DeliveredItem,
  Delivery,
  EnquiryOutcome,
  Fulfilment,
  PaymentGateway,
  Started,
  StartOutcome,
} from '../connectors/ports.ts';
import type { Continuation, PaymentsTable } from '../db/schema.ts';
import type { PaymentNotice } from '../notices/notices.service.ts';
import type { PaymentsDependencies } from './payments.service.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

/** What goes with a change of state, in the same transaction. */
export interface Step {
  reason?: PaymentReason | null;
  patch?: Updateable<PaymentsTable>;
  posting?: PostingKind;
  notice?: PaymentNotice['kind'];
  /** Who decided it, and why, when it was a person. */
  settled?: { by: string; note: string };
  also?: (transaction: store.Executor, moved: Payment) => Promise<void>;
}

/** Null: somebody was quicker. */
export type Move = (payment: Payment, event: PaymentEvent, step?: Step) => Promise<Payment | null>;

/** What each state asks for: which provider to call, and what its answer proves. The states are written by `move` alone. */
export function paymentSteps(deps: PaymentsDependencies, move: Move) {
  const { db, events } = deps;
  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const ageSeconds = (since: Date) => (deps.now().getTime() - since.getTime()) / 1000;
  const lease = () => ({ due_at: inSeconds(callLeaseSeconds) });

  function gatewayOf(payment: Payment): PaymentGateway {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) throw new Error(`no connector is configured for the gateway "${payment.gateway}"`);
    return gateway;
  }

  /** The PIN lives in this call and in the connector, nowhere else. */
  async function start(payment: Payment, pin?: string): Promise<Payment | null> {
    const outcome = await gatewayOf(payment).start({
      ...startedOf(payment),
      email: payment.email,
      language: payment.language,
      returnUrl: deps.returnUrl(payment),
      ...(pin === undefined ? {} : { pin }),
    });
    const soon = { due_at: inSeconds(enquiryDelay(0, 0) ?? 0) };
    switch (outcome.kind) {
      case 'await':
      case 'redirect':
      case 'popup': {
        const isDecided = outcome.kind === 'await' && outcome.isDecided;
        const continuation = continuationOf(outcome);
        return move(payment, 'accept', {
          patch: {
            ...(isDecided ? { due_at: deps.now() } : soon),
            provider_reference: outcome.providerReference ?? null,
            ...(continuation ? { continuation: JSON.stringify(continuation) } : {}),
          },
        });
      }
      case 'refused':
        return move(payment, 'refuse', refusedStep(outcome.reason));
      case 'unclear':
        events.unclear(payment, 'start', outcome.detail);
        return move(payment, 'lose', { patch: soon });
    }
  }

  function refusedStep(reason: PaymentReason): Step {
    return {
      reason,
      notice: 'notTaken',
      patch: { due_at: inSeconds(lateMoneyDelay(0) ?? 0) },
      also: (transaction, row) => deps.guards.refused(transaction, row, reason),
    };
  }

  function matches(payment: Payment, outcome: Extract<EnquiryOutcome, { kind: 'paid' }>): boolean {
    const isSameAmount = outcome.amount === null || outcome.amount === payment.amount;
    return isSameAmount && (outcome.currency === null || outcome.currency === payment.currency);
  }

  async function enquire(payment: Payment): Promise<Payment | null> {
    const outcome = await gatewayOf(payment).enquire(startedOf(payment));
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
          patch: {
            attempts: 0,
            not_found_answers: 0,
            last_enquiry_at: deps.now(),
            provider_reference: outcome.providerReference,
          },
          also: (transaction, row) => deps.guards.paid(transaction, row, outcome.card),
        });
      case 'refused': {
        const step = refusedStep(outcome.reason);
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
          return move(payment, 'refuse', refusedStep('neverArrived'));
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
    // The row has not moved since it failed, so this counts from the failure.
    const delay = lateMoneyDelay(ageSeconds(payment.changed_at));
    const patch = { last_enquiry_at: deps.now(), due_at: delay === null ? null : inSeconds(delay) };
    if (!payment.submitted_at) {
      await store.notePayment(db, payment, { due_at: null });
      return null;
    }
    const outcome = await gatewayOf(payment).enquire(startedOf(payment));
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

  const fulfilmentOf = (payment: Payment): Fulfilment => fulfilmentFor(payment.details.item, deps);

  function delivered(payment: Payment, providerReference: string): Promise<Payment | null> {
    return move(payment, 'deliver', {
      posting: 'delivered',
      notice: 'delivered',
      also: (transaction, row) => store.completeDelivery(transaction, row.id, providerReference, row.changed_at),
    });
  }

  async function deliver(payment: Payment): Promise<Payment | null> {
    const fulfilling = await move(payment, 'fulfil', {
      patch: { ...lease(), not_found_answers: 0 },
      also: (transaction, row) => store.startDelivery(transaction, row, row.changed_at),
    });
    if (!fulfilling) return null;
    const outcome = await fulfilmentOf(fulfilling).deliver(deliveryOf(fulfilling));
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

  /** A charging system may still be at work on what got no answer, so "not found" sends nothing again too soon. */
  async function findOutDelivery(payment: Payment): Promise<Payment | null> {
    const found = await fulfilmentOf(payment).findDelivery(deliveryOf(payment));
    if (found.kind === 'delivered') return delivered(payment, found.providerReference);
    const startedAt = await store.deliveryStartedAt(db, payment.id);
    const delay = deliveryDelay(payment.attempts, ageSeconds(startedAt ?? payment.changed_at));
    if (delay === null) return move(payment, 'giveUp', { reason: 'retriesSpent' });
    const isMissing = found.kind === 'notFound';
    const counted = {
      attempts: payment.attempts + 1,
      not_found_answers: payment.not_found_answers + (isMissing ? 1 : 0),
      due_at: inSeconds(delay),
    };
    await store.notePayment(db, payment, counted);
    if (found.kind === 'unclear') events.unclear(payment, 'find delivery', found.detail);
    // The row has not moved since the answer was lost, so this counts from then.
    if (!isMissing || !provesNotDelivered(counted.not_found_answers, ageSeconds(payment.changed_at))) return null;
    return deliver({ ...payment, ...counted });
  }

  /** An order from a backup may have been paid since it was made, so it is asked about like one whose answer was lost. */
  async function doubtOrder(payment: Payment): Promise<Payment | null> {
    const submitting = await move(payment, 'submit', { patch: { ...lease(), submitted_at: deps.now() } });
    return submitting && move(submitting, 'lose');
  }

  /** A person let it go on. A PIN was not kept, and a gateway's page wants its payer: those are told to pay anew. */
  async function goOn(payment: Payment): Promise<Payment | null> {
    if (ageSeconds(payment.changed_at) > orderLifeSeconds) return move(payment, 'expire', { reason: 'orderExpired' });
    if (payment.payer_proof === 'token' || gatewayOf(payment).waitingFor === 'redirect')
      return move(payment, 'expire', { reason: 'payAgain', notice: 'notTaken' });
    const submitting = await move(payment, 'submit', {
      patch: { ...lease(), submitted_at: deps.now() },
      also: (transaction, row) => deps.guards.submitting(transaction, row),
    });
    return submitting && start(submitting);
  }

  /** Likewise what it was paid for may have been delivered since, so it is looked up before anything is sent. */
  async function doubtDelivery(payment: Payment): Promise<Payment | null> {
    const fulfilling = await move(payment, 'fulfil', {
      patch: { ...lease(), not_found_answers: 0 },
      also: (transaction, row) => store.startDelivery(transaction, row, row.changed_at),
    });
    return fulfilling && move(fulfilling, 'loseDelivery');
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
    const outcome = await gatewayOf(refunding).refund(startedOf(refunding));
    if (outcome.kind === 'refunded')
      return move(refunding, 'completeRefund', { posting: 'refunded', notice: 'givenBack' });
    events.unclear(refunding, 'refund', outcome.detail);
    return move(refunding, 'loseRefund', { patch: { due_at: inSeconds(delay) } });
  }

  function next(payment: Payment): Promise<Payment | null> {
    switch (payment.state) {
      case 'CREATED':
        if (payment.restored_at) return doubtOrder(payment);
        return payment.released_at ? goOn(payment) : move(payment, 'expire', { reason: 'orderExpired' });
      case 'SUBMITTING':
        return move(payment, 'lose');
      case 'AWAITING_PAYER':
      case 'UNKNOWN':
        return enquire(payment);
      case 'PAID':
        return payment.restored_at ? doubtDelivery(payment) : deliver(payment);
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

  return { start, next };
}

/** What is brought is worth its price, in the currency of prices; what was taken for it may be in the other one. */
export function deliveryOf({ id, msisdn, amount, currency, details: { item, conversion } }: Payment): Delivery {
  return {
    reference: id,
    msisdn,
    amount: conversion?.price ?? amount,
    currency: conversion?.from ?? currency,
    item,
  };
}

/** The system that brings each kind of thing. */
export function fulfilmentFor(
  item: DeliveredItem,
  systems: Pick<PaymentsDependencies, 'charging' | 'billing' | 'orders'>,
): Fulfilment {
  if (item.kind === 'bill') return systems.billing;
  return item.kind === 'order' ? systems.orders : systems.charging;
}

function startedOf(payment: Payment): Started {
  return {
    reference: payment.id,
    shortReference: payment.short_reference,
    providerReference: payment.provider_reference,
    amount: payment.amount,
    currency: payment.currency,
    payerMsisdn: payment.payer_msisdn ?? payment.msisdn,
  };
}

function continuationOf(outcome: StartOutcome): Continuation | null {
  if (outcome.kind === 'redirect') return { redirectUrl: outcome.url };
  return outcome.kind === 'popup' ? { popup: outcome.popup } : null;
}
