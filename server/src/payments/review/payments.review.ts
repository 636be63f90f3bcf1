import type { PostingKind } from '@portal/domain/payment/ledger.ts';
import { takenOf } from '@portal/domain/payment/ledger.ts';
import { provesNotThere, usualLag } from '@portal/domain/payment/schedule.ts';
import {
  type Decision,
  decisionEvents,
  decisionProblem,
  isHeld,
  type Settlement,
} from '@portal/domain/payment/settle.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { PaymentNotice } from '../../notices/notices.service.ts';
import { deliveryOf, fulfilmentFor, refundOf, startedOf } from '../core/connector-inputs.ts';
import type { Move, PaymentsDependencies, Step } from '../core/payments.dependencies.ts';
import type { Executor, Payment, StoredEvidence } from '../core/payments.store.ts';
import * as store from '../core/payments.store.ts';

export interface Deciding {
  as: Decision;
  by: string;
  note: string;
  /** Written down with the decision, or not at all. */
  record?: (transaction: Executor, decided: Payment) => Promise<void>;
}

/** A refusal to decide so, in words for the person who tried. */
export class DecisionRefused extends Error {}

const consequences: Record<Settlement, { postings: PostingKind[]; notice: PaymentNotice['kind'] }> = {
  delivered: { postings: ['paid', 'delivered'], notice: 'delivered' },
  givenBack: { postings: ['paid', 'refunded'], notice: 'givenBack' },
  notTaken: { postings: [], notice: 'notTaken' },
};

/** What machines could not find out, a named person decides with a reason; the books follow. */
export function paymentReview(deps: PaymentsDependencies, move: Move) {
  const { db, clock } = deps;

  async function waiting(id: string) {
    const record = await store.findPaymentWithChanges(db, id);
    if (!record) throw new PortalError('paymentUnknown');
    return record;
  }

  /** What the person has had done is still looked up first, like everything that was sent once. */
  async function stepOf(payment: Payment, as: Decision, changes: readonly { to: string }[]): Promise<Step> {
    switch (as) {
      case 'deliver':
        return {
          patch: { attempts: 0, not_found_answers: 0, due_at: clock.now() },
          async also(transaction, row) {
            if (!(await store.claimOrder(transaction, row, row.changed_at)))
              throw new DecisionRefused(
                'Another payment of the same order is delivered: this one is to be given back.',
              );
            await store.noteDelivery(transaction, row.id, { started_at: row.changed_at });
          },
        };
      case 'giveBack':
        await refuseDelivered(payment);
        return {
          // Whom nobody could give back to by itself was told when it was first tried.
          ...(changes.some(({ to }) => to === 'REFUND_DUE') ? {} : { notice: 'goingBack' as const }),
          patch: { attempts: 0, not_found_answers: 0, due_at: clock.now() },
        };
      case 'letGoOn':
        return { reason: null, patch: { due_at: clock.now(), released_at: clock.now() } };
      case 'notTaken':
        // It may still be taken: what a person saw is no more than what a provider says.
        return { notice: 'notTaken', patch: { due_at: payment.submitted_at ? clock.now() : null } };
      default: {
        await refuseHearsay(payment, as);
        const { postings, notice } = consequences[as];
        return {
          notice,
          async also(transaction, row) {
            await postMissing(transaction, row, postings);
            // Stated as done: where another payment holds the order, it was delivered twice, and saying so changes nothing.
            if (as === 'delivered') await store.claimOrder(transaction, row, row.changed_at);
          },
        };
      }
    }
  }

  /** Money that goes back for what was delivered is lost: nothing goes back while a delivery may show late. */
  async function refuseDelivered(payment: Payment): Promise<void> {
    const delivery = await store.findDelivery(db, payment.id);
    // In a past that is lost somebody may have had it delivered, of which nothing is on record here.
    const epoch = await deps.epochs.check();
    const pastEnded = payment.epoch === epoch.number ? 0 : epoch.beganAt.getTime();
    const sentAt = Math.max(pastEnded, delivery?.sent_at?.getTime() ?? 0);
    if (sentAt === 0) return;
    const system = fulfilmentFor(payment.details.item, deps);
    const found = await system.findDelivery(deliveryOf(payment));
    if (found.kind === 'delivered') throw new DecisionRefused('It was delivered: the money is not to go back.');
    const seconds = (clock.now().getTime() - sentAt) / 1000;
    if (found.kind === 'unclear' || !provesNotThere(3, seconds, system.lag ?? usualLag))
      throw new DecisionRefused('Whether it was delivered cannot be told now. Try again later.');
  }

  /** What a person states about a system that can be asked is held against what it says; only where it says nothing clear, they are believed. */
  async function refuseHearsay(payment: Payment, as: Settlement): Promise<void> {
    if (as === 'delivered') {
      const found = await fulfilmentFor(payment.details.item, deps).findDelivery(deliveryOf(payment));
      if (found.kind === 'notFound')
        throw new DecisionRefused('The system that brings it does not know of it: it was not delivered.');
    }
    const gateway = deps.gateways.get(payment.gateway);
    if (as !== 'givenBack' || !gateway) return;
    const found = await (gateway.findRefund?.(refundOf(payment)) ?? gateway.enquire(startedOf(payment)));
    if (found.kind === 'notFound' || found.kind === 'paid')
      throw new DecisionRefused('The provider still has the money, and knows of no refund.');
  }

  /** Some of the books may have been written before the payment got stuck. */
  async function postMissing(transaction: Executor, payment: Payment, kinds: PostingKind[]): Promise<void> {
    const there = await store.postingKinds(transaction, payment.id);
    for (const kind of kinds.filter((one) => !there.includes(one)))
      await store.insertPosting(transaction, payment, kind, payment.changed_at);
  }

  return {
    async decide(id: string, { as, by, note, record }: Deciding): Promise<Payment> {
      if (!by.trim() || !note.trim()) throw new DecisionRefused('A name and a reason are needed.');
      const { payment, changes } = await waiting(id);
      const taken = payment.taken_amount === null ? null : { isAsAsked: isAsAsked(payment) };
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
      if (!decided) throw new DecisionRefused('Somebody else changed it just now. Look again.');
      return decided;
    },

    /** Asks the provider now. What it states is kept and booked; what follows from it is for a person to decide. */
    async ask(id: string): Promise<StoredEvidence[]> {
      const { payment } = await waiting(id);
      const gateway = deps.gateways.get(payment.gateway);
      if (payment.state !== 'REVIEW') throw new DecisionRefused('It does not wait for a person.');
      if (!gateway) throw new DecisionRefused(`No connector is configured for "${payment.gateway}".`);
      const outcome = await gateway.enquire(startedOf(payment));
      const at = clock.now();
      const stated =
        outcome.kind === 'paid'
          ? { amount: outcome.amount ?? payment.amount, currency: outcome.currency ?? payment.currency }
          : null;
      await db.transaction().execute(async (transaction) => {
        const evidence = {
          call: 'enquire' as const,
          answer: outcome.kind,
          ...stated,
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
        await store.notePayment(transaction, payment, { last_enquiry_at: at, ...patch }, { ...evidence, at });
        const now = { ...payment, ...patch, changed_at: at };
        if (stated) await postMissing(transaction, now, ['paid']);
      });
      return store.evidenceOf(db, id);
    },
  };
}

function isAsAsked(payment: Payment): boolean {
  const { amount, currency } = takenOf(payment);
  return amount === payment.amount && currency === payment.currency;
}
