import type { PostingKind } from '@portal/domain/payment/ledger.ts';
import { takenOtherwise } from '@portal/domain/payment/ledger.ts';
import {
  type Decision,
  type DecisionProblem,
  decisionEvents,
  decisionProblem,
  decisionProblems,
  isHeld,
  type Settlement,
} from '@portal/domain/payment/review-decisions.ts';
import { provesNotThere, usualLag } from '@portal/domain/payment/schedule.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { PaymentNotice } from '../../notices/notices.service.ts';
import { deliveryOf, enquiryOf, fulfilmentFor, refundOf, startedOf } from '../core/connector-inputs.ts';
import * as deliveries from '../core/deliveries.store.ts';
import * as ledger from '../core/ledger.store.ts';
import * as claims from '../core/order-claims.store.ts';
import type { Move, PaymentsDependencies, Step } from '../core/payments.dependencies.ts';
import type { Executor, Payment, StoredEvidence } from '../core/payments.store.ts';
import * as store from '../core/payments.store.ts';

export interface Deciding {
  as: Decision;
  by: string;
  note: string;
  /** Writes the audit row in the transaction of the decision. */
  record?: (transaction: Executor, decided: Payment) => Promise<void>;
}

/** The decision is not allowed. The message is for the person at a terminal. */
export class DecisionRefused extends Error {
  readonly code: DecisionProblem;

  constructor(code: DecisionProblem) {
    super(decisionProblems[code]);
    this.code = code;
  }
}

const consequences: Record<Settlement, { postings: PostingKind[]; notice: PaymentNotice['kind'] }> = {
  delivered: { postings: ['paid', 'delivered'], notice: 'delivered' },
  givenBack: { postings: ['paid', 'refunded'], notice: 'givenBack' },
  notTaken: { postings: [], notice: 'notTaken' },
};

/** Lets a named person decide, with a reason, what could not be determined automatically. The ledger follows. */
export function paymentReview(deps: PaymentsDependencies, move: Move) {
  const { db, clock } = deps;

  async function waiting(id: string) {
    const record = await store.findPaymentWithChanges(db, id);
    if (!record) throw new PortalError('paymentUnknown');
    return record;
  }

  /** A delivery or refund that a person orders is still looked up first, because it may have been sent before. */
  async function stepOf(payment: Payment, as: Decision, changes: readonly { to: string }[]): Promise<Step> {
    switch (as) {
      case 'deliver':
        return {
          patch: { attempts: 0, not_found_answers: 0, due_at: clock.now() },
          async also(transaction, row) {
            if (!(await claims.claimOrder(transaction, row, row.changed_at)))
              throw new DecisionRefused('orderDelivered');
            await deliveries.noteDelivery(transaction, row.id, { started_at: row.changed_at });
          },
        };
      case 'giveBack':
        await refuseDelivered(payment);
        return {
          // If an automatic refund was tried before, the payer was told then.
          ...(changes.some(({ to }) => to === 'REFUND_DUE') ? {} : { notice: 'goingBack' as const }),
          patch: { attempts: 0, not_found_answers: 0, due_at: clock.now() },
        };
      case 'letGoOn':
        return { reason: null, patch: { due_at: clock.now(), released_at: clock.now() } };
      case 'notTaken':
        // Late money may still be taken: a person's statement proves no more than a provider's.
        return { notice: 'notTaken', patch: { due_at: payment.submitted_at ? clock.now() : null } };
      default: {
        await refuseContradicted(payment, as);
        const { postings, notice } = consequences[as];
        return {
          notice,
          async also(transaction, row) {
            await postMissing(transaction, row, postings);
            // Stated as delivered. If another payment holds the claim, the order was delivered twice, and refusing the
            // claim would not change that.
            if (as === 'delivered') await claims.claimOrder(transaction, row, row.changed_at);
          },
        };
      }
    }
  }

  /** Refunding a delivered payment loses money, so nothing is refunded while a delivery may still show up. */
  async function refuseDelivered(payment: Payment): Promise<void> {
    const delivery = await deliveries.findDelivery(db, payment.id);
    // Before a restore it may have been delivered without a record in this database.
    const epoch = await deps.epochs.check();
    const pastEnded = payment.epoch === epoch.number ? 0 : epoch.beganAt.getTime();
    const sentAt = Math.max(pastEnded, delivery?.sent_at?.getTime() ?? 0);
    if (sentAt === 0) return;
    const system = fulfilmentFor(payment.details.item, deps);
    const found = await system.findDelivery(deliveryOf(payment));
    if (found.kind === 'delivered') throw new DecisionRefused('wasDelivered');
    const seconds = (clock.now().getTime() - sentAt) / 1000;
    if (found.kind === 'unclear' || !provesNotThere(3, seconds, system.lag ?? usualLag))
      throw new DecisionRefused('deliveryUnclear');
  }

  /**
   * Checks a person's statement against the system it is about. It is accepted only if the system gives no clear
   * response.
   */
  async function refuseContradicted(payment: Payment, as: Settlement): Promise<void> {
    if (as === 'delivered') {
      const found = await fulfilmentFor(payment.details.item, deps).findDelivery(deliveryOf(payment));
      if (found.kind === 'notFound') throw new DecisionRefused('notDelivered');
    }
    const gateway = deps.gateways.get(payment.gateway);
    if (as !== 'givenBack' || !gateway) return;
    const found = await (gateway.findRefund?.(refundOf(payment)) ?? gateway.enquire(startedOf(payment)));
    if (found.kind === 'notFound' || found.kind === 'paid') throw new DecisionRefused('stillThere');
  }

  /** Some postings may have been written before the payment got stuck. */
  async function postMissing(transaction: Executor, payment: Payment, kinds: PostingKind[]): Promise<void> {
    const there = await ledger.postingKinds(transaction, payment.id);
    for (const kind of kinds.filter((one) => !there.includes(one)))
      await ledger.insertPosting(transaction, payment, kind, payment.changed_at);
  }

  return {
    async decide(id: string, { as, by, note, record }: Deciding): Promise<Payment> {
      if (!by.trim() || !note.trim()) throw new DecisionRefused('reasonNeeded');
      const { payment, changes } = await waiting(id);
      const taken = payment.taken_amount === null ? null : { isAsAsked: takenOtherwise(payment) === null };
      const problem = decisionProblem(changes, taken, as);
      if (problem) throw new DecisionRefused(problem);
      const step = await stepOf(payment, as, changes);
      const decided = await move(payment, decisionEvents[as], {
        ...(isHeld(changes) ? { reason: 'calledOff' as const } : {}),
        ...step,
        settled: { by, note },
        async also(transaction, row) {
          await step.also?.(transaction, row);
          await record?.(transaction, row);
        },
      });
      if (!decided) throw new DecisionRefused('changedMeanwhile');
      return decided;
    },

    /** Enquires at the provider now. The response is stored and posted; a person decides what follows. */
    async ask(id: string): Promise<StoredEvidence[]> {
      const { payment } = await waiting(id);
      const gateway = deps.gateways.get(payment.gateway);
      if (payment.state !== 'REVIEW') throw new DecisionRefused('notWaiting');
      if (!gateway) throw new DecisionRefused('noConnector');
      const outcome = await gateway.enquire(enquiryOf(db, payment));
      const at = clock.now();
      const stated =
        outcome.kind === 'paid'
          ? { amount: outcome.amount ?? payment.amount, currency: outcome.currency ?? payment.currency }
          : null;
      await db.transaction().execute(async (transaction) => {
        const evidence = {
          call: 'enquire' as const,
          answer: outcome.kind,
          ...(outcome.kind === 'paid' && outcome.amount !== null ? stated : {}),
          ...(outcome.kind === 'paid' ? { receipt: outcome.providerReference } : {}),
          ...('detail' in outcome ? { detail: outcome.detail } : {}),
        };
        const patch =
          outcome.kind === 'paid' && stated && payment.taken_amount === null
            ? {
                taken_amount: stated.amount,
                taken_currency: stated.currency,
                provider_reference: outcome.providerReference,
              }
            : {};
        const noted = { last_enquiry_at: at, ...patch };
        const isWaiting = await store.notePayment(transaction, payment, noted, { ...evidence, at });
        // If somebody else decided meanwhile, what follows from the decision posts the money.
        if (stated && isWaiting) await postMissing(transaction, { ...payment, ...patch, changed_at: at }, ['paid']);
      });
      return store.evidenceOf(db, id);
    },
  };
}
