import { deliveryDelay, provesNotThere, usualLag } from '@portal/domain/payment/schedule.ts';
import type { EnquiryOutcome, Fulfilment, RefundLookup } from '../../connectors/ports.ts';
import { deliveryOf, fulfilmentFor, refundOf, startedOf } from './connector-inputs.ts';
import * as deliveries from './deliveries.store.ts';
import * as claims from './order-claims.store.ts';
import type { Evidence, Payment } from './payments.store.ts';
import type { StepContext } from './step-context.ts';

/** Another payment holds the claim to deliver this order. */
class OrderClaimed extends Error {}

/** States in which a payment from before a restore may have been delivered. */
const mayBeDelivered: readonly Payment['state'][] = [
  'CREATED',
  'SUBMITTING',
  'AWAITING_PAYER',
  'UNKNOWN',
  'PAID',
  'FULFILLING',
  'FULFIL_UNKNOWN',
  'REVIEW',
];
const orderLookSeconds = 60;

/** Delivers what was paid for exactly once: looks it up before sending it again. */
export function deliverySteps(context: StepContext) {
  const { deps, move, step, note, fenced, inSeconds, ageSeconds, isOfOtherEpoch, secondsInDoubt, wasSentSince } =
    context;
  const { db, events, epochs } = deps;

  /**
   * A payment from an earlier epoch may have been refunded there, and must not be delivered then. A gateway without
   * refund lookup is asked whether the payment is still paid. Null: not known yet.
   */
  async function wasRefunded(payment: Payment): Promise<boolean | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway || !(await isOfOtherEpoch(payment)) || (await wasSentSince(payment))) return false;
    const { findRefund } = gateway;
    const found = await fenced<RefundLookup | EnquiryOutcome>(payment, () =>
      findRefund ? findRefund(refundOf(payment)) : gateway.enquire(startedOf(payment)),
    );
    if (found?.kind === 'refunded') return true;
    if (found?.kind === 'unclear') events.unclear(payment, findRefund ? 'find refund' : 'enquire', found.detail);
    const isThere = found?.kind === (findRefund ? 'notFound' : 'paid');
    return isThere && (await secondsInDoubt(payment, null)) >= (gateway.lag ?? usualLag) ? false : null;
  }

  const fulfilmentOf = (payment: Payment): Fulfilment => fulfilmentFor(payment.details.item, deps);

  async function delivered(
    payment: Payment,
    call: Evidence['call'],
    providerReference: string,
  ): Promise<Payment | null> {
    // A delivery made before a restore was probably announced then. One sent in this epoch was not.
    const isNotified = call === 'findDelivery' && (await isOfOtherEpoch(payment)) && !(await wasSentSince(payment));
    return step(payment, 'deliver', {
      posting: 'delivered',
      ...(isNotified ? {} : { notice: 'delivered' }),
      evidence: { call, answer: 'delivered', receipt: providerReference },
      async also(transaction, row) {
        await deliveries.completeDelivery(transaction, row.id, providerReference, row.changed_at);
        // A delivery from before a restore has no claim on its order in this database yet.
        if (call === 'findDelivery') await claims.claimOrder(transaction, row, row.changed_at);
      },
    });
  }

  /** Another payment delivers the order, so this one is refunded. */
  const findOrderPaid = (payment: Payment): Promise<Payment | null> =>
    step(payment, 'findOrderPaid', {
      reason: 'paidAlready',
      notice: 'goingBack',
      patch: { attempts: 0, not_found_answers: 0 },
    });

  /**
   * Whether another payment of the same order was delivered before a restore, where its claim was lost as well. Null:
   * not known yet.
   */
  async function wasOrderDelivered(payment: Payment): Promise<boolean | null> {
    const epoch = await epochs.current();
    const others = await claims.findSameOrder(db, payment);
    const doubted = others.filter((one) => one.epoch !== epoch.number && mayBeDelivered.includes(one.state));
    if (doubted.length === 0) return false;
    const system = fulfilmentOf(payment);
    let isSure = ageSeconds(epoch.beganAt) >= (system.lag ?? usualLag);
    for (const one of doubted) {
      const found = await fenced(payment, () => system.findDelivery(deliveryOf(one)));
      if (found?.kind === 'delivered') return true;
      isSure &&= found?.kind === 'notFound';
    }
    return isSure ? false : null;
  }

  /** The reason tells the payer whether the delivery was refused or somebody else had paid already. */
  async function refuseDelivery(payment: Payment, detail: string): Promise<Payment | null> {
    return step(payment, 'refuseDelivery', {
      reason: (await isSettledBy(payment)) ? 'paidAlready' : 'deliveryRefused',
      notice: 'goingBack',
      evidence: { call: 'deliver', answer: 'refused', detail },
      patch: { attempts: 0, not_found_answers: 0 },
    });
  }

  /** Only informs the payer, so it has a short timeout, and a failed request counts as not settled. */
  async function isSettledBy(payment: Payment): Promise<boolean> {
    const asked = fulfilmentOf(payment).isSettled?.(deliveryOf(payment));
    if (!asked) return false;
    const late = new Promise<false>((resolve) => setTimeout(resolve, deps.settledLimitMs, false).unref());
    return Promise.race([asked.catch(() => false), late]);
  }

  async function deliver(payment: Payment, epoch: number): Promise<Payment | null> {
    const before = await deliveries.findDelivery(db, payment.id);
    const wasDelivered = await wasOrderDelivered(payment);
    if (wasDelivered === null) return note(payment, { due_at: inSeconds(orderLookSeconds) });
    if (wasDelivered) return findOrderPaid(payment);
    const fulfilling = await move(payment, 'fulfil', {
      patch: { not_found_answers: 0 },
      async also(transaction, row) {
        if (!(await claims.claimOrder(transaction, row, row.changed_at))) throw new OrderClaimed();
        await deliveries.startDelivery(transaction, row, row.changed_at);
      },
    }).catch((error: unknown) => {
      if (error instanceof OrderClaimed) return error;
      throw error;
    });
    if (fulfilling instanceof OrderClaimed) return findOrderPaid(payment);
    if (!fulfilling) return null;
    const send = () => fulfilmentOf(fulfilling).deliver(deliveryOf(fulfilling));
    const outcome = await fenced(fulfilling, send, epoch);
    if (!outcome) return null;
    if (outcome.kind === 'delivered') return delivered(fulfilling, 'deliver', outcome.providerReference);
    // Refused after an attempt without a response: the refusal may mean that the earlier attempt arrived.
    const isDoubtful = before?.sent_at || (await isOfOtherEpoch(fulfilling));
    if (outcome.kind === 'refused' && !isDoubtful) return refuseDelivery(fulfilling, outcome.detail);
    if (outcome.kind === 'unclear') events.unclear(fulfilling, 'deliver', outcome.detail);
    const isRefused = outcome.kind === 'refused';
    const isUnsent = outcome.kind === 'unclear' && outcome.isUnsent;
    return step(fulfilling, 'loseDelivery', {
      evidence: { call: 'deliver', answer: outcome.kind, detail: outcome.detail },
      patch: { due_at: inSeconds(deliveryDelay(fulfilling.attempts, 0) ?? 0) },
      also: (transaction, row) =>
        deliveries.noteDelivery(transaction, row.id, {
          ...(isRefused ? { refused_at: row.changed_at } : {}),
          ...(isUnsent ? { sent_at: before?.sent_at ?? null } : {}),
        }),
    });
  }

  /** A system may show a delivery later than it accepted it. Within its lag nothing is sent again or refunded. */
  async function findOutDelivery(payment: Payment): Promise<Payment | null> {
    const system = fulfilmentOf(payment);
    const { number: epoch } = await epochs.current();
    const found = await fenced(payment, () => system.findDelivery(deliveryOf(payment)));
    if (!found) return null;
    if (found.kind === 'delivered') return delivered(payment, 'findDelivery', found.providerReference);
    if (found.kind === 'unclear') events.unclear(payment, 'find delivery', found.detail);
    const delivery = await deliveries.findDelivery(db, payment.id);
    const delay = deliveryDelay(payment.attempts, ageSeconds(delivery?.started_at ?? payment.changed_at));
    const evidence = {
      call: 'findDelivery',
      answer: found.kind,
      ...('detail' in found ? { detail: found.detail } : {}),
    } as const;
    if (delay === null) return step(payment, 'giveUp', { reason: 'retriesSpent', evidence });
    const isMissing = found.kind === 'notFound';
    const counted = {
      attempts: payment.attempts + 1,
      not_found_answers: payment.not_found_answers + (isMissing ? 1 : 0),
    };
    const inDoubt = await secondsInDoubt(payment, delivery?.sent_at ?? null);
    if (!isMissing || !provesNotThere(counted.not_found_answers, inDoubt, system.lag ?? usualLag))
      return note(payment, { ...counted, due_at: inSeconds(delay) }, evidence);
    if (delivery?.refused_at) return refuseDelivery(payment, 'refused, and not there');
    const isBack = await wasRefunded(payment);
    if (isBack === null) return note(payment, { ...counted, due_at: inSeconds(delay) }, evidence);
    return isBack
      ? refuseDelivery(payment, 'not there, and given back before')
      : deliver({ ...payment, attempts: counted.attempts }, epoch);
  }

  /**
   * A payment from an earlier epoch may have been delivered there, so the delivery is looked up before anything is
   * sent.
   */
  async function lookUpDeliveryFirst(payment: Payment): Promise<Payment | null> {
    const { beganAt } = await epochs.current();
    const fulfilling = await move(payment, 'fulfil', {
      patch: { not_found_answers: 0 },
      // If it was sent, then before this epoch began.
      also: (transaction, row) => deliveries.startDelivery(transaction, row, beganAt),
    });
    return fulfilling && step(fulfilling, 'loseDelivery');
  }

  return { deliver, findOutDelivery, lookUpDeliveryFirst, isSettledBy };
}
