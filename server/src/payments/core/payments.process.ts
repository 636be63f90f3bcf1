import { isConnectionLoss } from '../../db/connection-loss.ts';
import { PortalError } from '../../http/portal-error.ts';
import { RiskStop } from '../../risk/risk.service.ts';
import * as claims from './order-claims.store.ts';
import type { Move, PaymentsDependencies } from './payments.dependencies.ts';
import { orderPaid } from './payments.orders.ts';
import type { PaymentRunner } from './payments.runner.ts';
import type { paymentSteps } from './payments.steps.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';
import { bringsLostAttempts, inEarlierEpoch } from './step-context.ts';

const answerWithinMs = 1_800;

/** What the payer adds to the order when paying it. */
export interface PayerInput {
  pin?: string;
  uniqueCode?: string;
  askedFrom?: string;
}

interface Parts {
  move: Move;
  steps: Pick<ReturnType<typeof paymentSteps>, 'start' | 'isSettledBy'>;
  runner: Pick<PaymentRunner, 'track' | 'run'>;
}

/** Starts the charge of an order, once. The intent is stored before any provider is called. */
export function paymentProcess(deps: PaymentsDependencies, { move, steps, runner }: Parts) {
  const { db, events, clock } = deps;

  async function existing(id: string): Promise<Payment> {
    const payment = await store.findPayment(db, id);
    if (!payment) throw new PortalError('paymentUnknown');
    return payment;
  }

  /**
   * A risk rule stopped the payment before any provider was called: the payer must enter a code, or a person decides.
   */
  async function stop(payment: Payment, { decision, storeDecision }: RiskStop, askedFrom: string | null) {
    if (decision === 'ask') {
      await storeDecision(db);
      throw new PortalError('codeNeeded');
    }
    const held = await move(payment, 'hold', { reason: 'held', patch: { asked_from: askedFrom }, also: storeDecision });
    return { payment: held ?? (await existing(payment.id)), already: held === null };
  }

  /**
   * An order of an earlier epoch may have been sent already. It must not expire here: its step enquires when it is due.
   */
  const isOfThisEpoch = async (payment: Payment) => payment.epoch === (await deps.epochs.check()).number;

  /**
   * Ends a payment whose order is paid. After a restore it may be an attempt that the restore lost, and its provider may
   * have the money: then it counts as opened in the earlier epoch, and its next step enquires. Money that is found goes
   * back, because another payment holds the claim.
   */
  async function endPaid(payment: Payment): Promise<void> {
    const epoch = await deps.epochs.check();
    if (payment.epoch !== epoch.number) return;
    if (bringsLostAttempts(epoch, clock.now()))
      await store.notePayment(db, payment, { ...inEarlierEpoch(payment), due_at: clock.now() });
    else await move(payment, 'expire', { reason: 'paidAlready' });
  }

  /**
   * Refuses to start another payment for a paid order. If the order is paid right after this check, this payment is
   * refunded, because only one payment can hold the claim.
   */
  async function refuseIfOrderPaid(payment: Payment): Promise<Payment[]> {
    const others = await claims.findSameOrder(db, payment);
    const paidBy = others.find(claims.isOrderPaid);
    if (!paidBy) return others;
    await endPaid(payment);
    throw orderPaid(paidBy, payment.visit);
  }

  /** Refuses an invoice or request that somebody else paid since it was ordered. */
  async function refuseIfSettled(payment: Payment): Promise<void> {
    if (!(await steps.isSettledBy(payment))) return;
    await endPaid(payment);
    throw new PortalError('paidMeanwhile');
  }

  /** Expires earlier payments of the same visit for this order that were not sent to a provider. */
  async function closeEarlier(payment: Payment, others: Payment[]): Promise<void> {
    const isEarlier = (other: Payment) => other.state === 'CREATED' && other.created_at <= payment.created_at;
    for (const other of others)
      if (isEarlier(other) && other.visit === payment.visit && (await isOfThisEpoch(other)))
        await move(other, 'expire', { reason: 'replaced' });
  }

  return async function process(id: string, added: PayerInput = {}): Promise<{ payment: Payment; already: boolean }> {
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
    // An error here must not look as if no provider had been called.
    await closeEarlier(submitting, others).catch((error: unknown) => events.stepFailed(id, error));
    const started = runner.track(
      steps
        .start(submitting, added.pin)
        .then(runner.run)
        // An internal error says nothing about the money. The intent is stored, and the sweep will enquire.
        .catch((error: unknown) => events.stepFailed(id, error)),
    );
    await Promise.race([started, answerBy]);
    // The provider was called. A database error from here on must not be reported as "nothing was taken".
    const latest = await existing(id).catch((error: unknown) => {
      if (isConnectionLoss(error)) return submitting;
      throw error;
    });
    return { payment: latest, already: false };
  };
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
