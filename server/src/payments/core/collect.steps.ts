import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import {
  enquiryDelay,
  lateMoneyDelay,
  orderLifeSeconds,
  provesNeverArrived,
  usualLateMoneyTerm,
} from '@portal/domain/payment/schedule.ts';
import type { PaymentEvent } from '@portal/domain/payment/transitions.ts';
import type { EnquiryOutcome, StartOutcome } from '../../connectors/ports.ts';
import type { Continuation } from '../../db/schema/payments.ts';
import { enquiryOf, startedOf } from './connector-inputs.ts';
import * as claims from './order-claims.store.ts';
import type { Step } from './payments.dependencies.ts';
import type { Evidence, Payment } from './payments.store.ts';
import { inEarlierEpoch, type StepContext } from './step-context.ts';

/** Takes the payer's money: starts the charge, enquires about it, and looks for late money after a failure. */
export function collectSteps(context: StepContext, isSettledBy: (payment: Payment) => Promise<boolean>) {
  const { deps, move, step, note, fenced, inSeconds, ageSeconds, mayRepeatLostAttempt, loseConnector } = context;
  const { db, events, clock, epochs } = deps;

  /** The PIN is only in memory, in this call and in the connector. */
  async function start(payment: Payment, pin?: string): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    const { number: epoch } = await epochs.current();
    if (payment.epoch !== epoch) {
      const found = await fenced(payment, () => gateway.enquire(enquiryOf(db, payment)));
      if (!found) return null;
      if (found.kind !== 'notFound' || !gateway.refusesRepeats) return applyEnquiry(payment, found);
    }
    const start = () =>
      gateway.start({
        ...startedOf(payment),
        email: payment.email,
        language: payment.language,
        returnUrl: deps.returnUrl(payment),
        ...(pin === undefined ? {} : { pin }),
      });
    const outcome = await fenced(payment, start, epoch);
    if (!outcome) return null;
    const soon = { due_at: inSeconds(enquiryDelay(0, 0) ?? 0) };
    switch (outcome.kind) {
      case 'await':
      case 'redirect':
      case 'popup': {
        const isDecided = outcome.kind === 'await' && outcome.isDecided;
        const continuation = continuationOf(outcome);
        return step(payment, 'accept', {
          evidence: { call: 'start', answer: 'accepted', receipt: outcome.providerReference },
          patch: {
            ...(isDecided ? {} : soon),
            provider_reference: outcome.providerReference ?? null,
            // Opened before a restore. The gateway refuses repeated references and accepted this one, so it was never
            // sent before.
            ...(payment.epoch === epoch ? {} : { epoch }),
            ...(continuation ? { continuation: JSON.stringify(continuation) } : {}),
          },
        });
      }
      case 'refused': {
        // This request was not sent, but one may have been sent before a restore.
        const isDoubted =
          outcome.reason === 'notReached' && (payment.epoch !== epoch || (await mayRepeatLostAttempt(payment)));
        if (isDoubted) return loseStart(payment, { detail: outcome.reason });
        return step(payment, 'refuse', refusedStep('start', outcome.reason));
      }
      case 'unclear':
        return loseStart(payment, outcome);
    }
  }

  async function loseStart(payment: Payment, { detail, isRepeated }: { detail: string; isRepeated?: boolean }) {
    events.unclear(payment, 'start', detail);
    // The provider knows a reference that we have no record of: the payment was sent, and perhaps delivered, before a
    // restore.
    const isFromBeforeRestore = isRepeated || (await mayRepeatLostAttempt(payment));
    return step(payment, 'lose', {
      patch: { due_at: inSeconds(enquiryDelay(0, 0) ?? 0), ...(isFromBeforeRestore ? inEarlierEpoch(payment) : {}) },
      evidence: { call: 'start', answer: 'unclear', detail },
    });
  }

  function refusedStep(call: Evidence['call'], reason: PaymentReason): Step {
    return {
      reason,
      notice: 'notTaken',
      evidence: { call, answer: 'refused', detail: reason },
      patch: { due_at: inSeconds(lateMoneyDelay) },
      also: (transaction, row) => deps.guards.refused(transaction, row, reason),
    };
  }

  /** Money was taken. The provider's amount is stored and posted. If it differs from ours, a person decides. */
  function taken(
    payment: Payment,
    outcome: Extract<EnquiryOutcome, { kind: 'paid' }>,
    matching: { event: PaymentEvent; step: Step },
  ): Promise<Payment | null> {
    const amount = outcome.amount ?? payment.amount;
    const currency = outcome.currency ?? payment.currency;
    const isSame = amount === payment.amount && currency === payment.currency;
    const { event, step: what } = isSame
      ? matching
      : { event: 'conflict' as const, step: { reason: 'amountConflict' as const } };
    return step(payment, event, {
      ...what,
      posting: 'paid',
      // Only what the provider stated: an omitted amount is not filled in from our request.
      evidence: {
        call: 'enquire',
        answer: 'paid',
        ...(outcome.amount === null ? {} : { amount, currency }),
        receipt: outcome.providerReference,
      },
      patch: {
        attempts: 0,
        not_found_answers: 0,
        last_enquiry_at: clock.now(),
        provider_reference: outcome.providerReference,
        taken_amount: amount,
        taken_currency: currency,
      },
    });
  }

  async function enquire(payment: Payment): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    const outcome = await fenced(payment, () => gateway.enquire(enquiryOf(db, payment)));
    return outcome && applyEnquiry(payment, outcome);
  }

  /** Applies the outcome of an enquiry to an open payment. */
  async function applyEnquiry(payment: Payment, outcome: EnquiryOutcome): Promise<Payment | null> {
    const age = ageSeconds(payment.submitted_at ?? payment.created_at);
    const counted = { attempts: payment.attempts + 1, last_enquiry_at: clock.now() };
    const delay = enquiryDelay(payment.attempts, age);
    const later = { ...counted, due_at: delay === null ? null : inSeconds(delay) };
    const evidence = {
      call: 'enquire',
      answer: outcome.kind,
      ...('detail' in outcome ? { detail: outcome.detail } : {}),
    } as const;
    const isOpen = payment.state === 'AWAITING_PAYER' || payment.state === 'UNKNOWN';
    if (outcome.kind === 'unclear') events.unclear(payment, 'enquire', outcome.detail);

    switch (outcome.kind) {
      case 'paid':
        return taken(payment, outcome, {
          event: 'pay',
          step: { also: (transaction, row) => deps.guards.paid(transaction, row, outcome.card) },
        });
      case 'refused': {
        const refused = refusedStep('enquire', outcome.reason);
        return step(payment, 'refuse', { ...refused, patch: { ...counted, ...refused.patch } });
      }
      case 'pending':
        if (delay === null) break;
        return payment.state === 'AWAITING_PAYER'
          ? note(payment, later, evidence)
          : step(payment, 'accept', { patch: later, evidence });
      case 'notFound': {
        // The provider accepted this payment, so "not found" is an error on its side and proves nothing.
        if (payment.state === 'AWAITING_PAYER' && outcome.isClosed && delay !== null)
          return step(payment, 'lose', { patch: { ...later, not_found_answers: 1 }, evidence });
        const answers = payment.not_found_answers + (payment.state === 'AWAITING_PAYER' ? 0 : 1);
        if (payment.state === 'UNKNOWN' && provesNeverArrived(answers, age))
          return step(payment, 'refuse', refusedStep('enquire', 'neverArrived'));
        if (delay === null) break;
        const patch = { ...later, not_found_answers: answers };
        return isOpen ? note(payment, patch, evidence) : step(payment, 'lose', { patch, evidence });
      }
      case 'unclear':
        if (delay === null) break;
        return isOpen ? note(payment, later, evidence) : step(payment, 'lose', { patch: later, evidence });
    }
    return step(payment, 'giveUp', { reason: 'retriesSpent', patch: counted, evidence });
  }

  /**
   * Providers sometimes take money after a proven failure. Such money is always refunded. The search ends only with a
   * clear response after the provider's late-money term.
   */
  async function lookForLateMoney(payment: Payment): Promise<Payment | null> {
    if (!payment.submitted_at) return note(payment, { due_at: null });
    const gateway = deps.gateways.get(payment.gateway);
    // A failed payment does not change, so this is the time since the failure.
    const isOver = ageSeconds(payment.changed_at) >= (gateway?.lateMoneyTerm ?? usualLateMoneyTerm);
    if (!gateway) return note(payment, { due_at: isOver ? null : inSeconds(lateMoneyDelay) });
    const outcome = await fenced(payment, () => gateway.enquire(enquiryOf(db, payment)));
    if (!outcome) return null;
    if (outcome.kind === 'paid')
      return taken(payment, outcome, {
        event: 'findLateMoney',
        step: { reason: 'lateMoney', notice: 'goingBack' },
      });
    const answers = payment.not_found_answers + (outcome.kind === 'notFound' ? 1 : 0);
    // One "not found" proves as little here as it does in an open payment.
    const isNowhere = outcome.kind === 'notFound' && provesNeverArrived(answers, ageSeconds(payment.submitted_at));
    const isClear = outcome.kind === 'refused' || isNowhere;
    const due_at = isOver && isClear ? null : inSeconds(lateMoneyDelay);
    return note(
      payment,
      { last_enquiry_at: clock.now(), not_found_answers: answers, due_at },
      { call: 'enquire', answer: outcome.kind },
    );
  }

  /**
   * An order from an earlier epoch may have been paid there. It is handled like a start whose response was lost:
   * enquire first.
   */
  async function enquireOrderFirst(payment: Payment): Promise<Payment | null> {
    const submitting = await move(payment, 'submit', { patch: { submitted_at: clock.now() } });
    return submitting && step(submitting, 'lose');
  }

  /**
   * Resumes a payment that a person released. The PIN was not stored, and a gateway's page needs the payer in the
   * browser: those payers are told to pay again.
   */
  async function resume(payment: Payment): Promise<Payment | null> {
    if (ageSeconds(payment.changed_at) > orderLifeSeconds) return step(payment, 'expire', { reason: 'orderExpired' });
    if (payment.payer_proof === 'token' || deps.gateways.get(payment.gateway)?.waitingFor === 'redirect')
      return step(payment, 'expire', { reason: 'payAgain', notice: 'notTaken' });
    const others = await claims.findSameOrder(db, payment);
    if (others.some(claims.isOrderPaid) || (await isSettledBy(payment)))
      return step(payment, 'expire', { reason: 'paidAlready' });
    const submitting = await move(payment, 'submit', {
      patch: { submitted_at: clock.now() },
      also: (transaction, row) => deps.guards.submitting(transaction, row),
    });
    return submitting && start(submitting);
  }

  return { start, enquire, lookForLateMoney, enquireOrderFirst, resume };
}

function continuationOf(outcome: StartOutcome): Continuation | null {
  if (outcome.kind === 'redirect') return { redirectUrl: outcome.url };
  return outcome.kind === 'popup' ? { popup: outcome.popup } : null;
}
