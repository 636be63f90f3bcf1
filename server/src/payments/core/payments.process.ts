import { isConnectionLoss } from '../../db/connection-loss.ts';
import { PortalError } from '../../http/portal-error.ts';
import { RiskStop } from '../../risk/risk.service.ts';
import type { Move, PaymentsDependencies } from './payments.dependencies.ts';
import { orderPaid } from './payments.orders.ts';
import type { PaymentRunner } from './payments.runner.ts';
import type { paymentSteps } from './payments.steps.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

const answerWithinMs = 1_800;

/** All that can be added to what was ordered. */
export interface Added {
  pin?: string;
  uniqueCode?: string;
  askedFrom?: string;
}

interface Parts {
  move: Move;
  steps: Pick<ReturnType<typeof paymentSteps>, 'start' | 'isSettledBy'>;
  runner: Pick<PaymentRunner, 'track' | 'run'>;
}

/** Begins what was ordered, once: nobody is asked for money before it is stored that somebody will be. */
export function paymentProcess(deps: PaymentsDependencies, { move, steps, runner }: Parts) {
  const { db, events, clock } = deps;

  async function existing(id: string): Promise<Payment> {
    const payment = await store.findPayment(db, id);
    if (!payment) throw new PortalError('paymentUnknown');
    return payment;
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

  return async function process(id: string, added: Added = {}): Promise<{ payment: Payment; already: boolean }> {
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
    const started = runner.track(
      steps
        .start(submitting, added.pin)
        .then(runner.run)
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
  };
}

function delay(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, ms, undefined).unref());
}
