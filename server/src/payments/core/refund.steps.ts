import { provesNotThere, refundDelay, refundEnquiryDelay, usualLag } from '@portal/domain/payment/schedule.ts';
import { refundOf } from './connector-inputs.ts';
import type { Evidence, Payment } from './payments.store.ts';
import type { StepContext } from './step-context.ts';

/** Refunds the payer. */
export function refundSteps(context: StepContext) {
  const { deps, move, step, note, fenced, inSeconds, ageSeconds, secondsInDoubt, loseConnector } = context;
  const { events, clock, epochs } = deps;

  /** It may have been refunded in an earlier epoch, or before a person ordered it, so the refund is looked up first. */
  async function lookUpRefundFirst(payment: Payment): Promise<Payment | null> {
    const refunding = await move(payment, 'refund', { patch: { attempts: 1, not_found_answers: 0 } });
    return refunding && step(refunding, 'loseRefund');
  }

  async function refund(payment: Payment, epoch: number): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    if (refundDelay(payment.attempts) === null) return step(payment, 'giveUp', { reason: 'retriesSpent' });
    const refunding = await move(payment, 'refund', {
      patch: {
        attempts: payment.attempts + 1,
        not_found_answers: 0,
        refund_sent_at: clock.now(),
        refund_expected_at: payment.refund_expected_at ?? inSeconds(24 * 3600),
      },
    });
    if (!refunding) return null;
    const outcome = await fenced(refunding, () => gateway.refund(refundOf(refunding)), epoch);
    if (!outcome) return null;
    if (outcome.kind === 'refunded') return refunded(refunding, 'refund');
    events.unclear(refunding, 'refund', outcome.detail);
    const delay = gateway.findRefund && !outcome.isUnsent ? refundEnquiryDelay(0, 0) : refundDelay(payment.attempts);
    return step(refunding, 'loseRefund', {
      evidence: { call: 'refund', answer: 'unclear', detail: outcome.detail },
      patch: {
        due_at: inSeconds(delay ?? 0),
        ...(outcome.isUnsent ? { refund_sent_at: payment.refund_sent_at } : {}),
      },
    });
  }

  const refunded = (payment: Payment, call: Evidence['call']): Promise<Payment | null> =>
    step(payment, 'completeRefund', {
      posting: 'refunded',
      notice: 'givenBack',
      evidence: { call, answer: 'refunded' },
    });

  /** Like a delivery: looked up if the provider has a lookup, and sent again only after its lag. */
  async function findOutRefund(payment: Payment): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    const { refund_sent_at: sentAt } = payment;
    const { number: epoch } = await epochs.current();
    const isMaybeThere = sentAt !== null || payment.epoch !== epoch;
    if (!isMaybeThere) return refund(payment, epoch);
    const lag = gateway.lag ?? usualLag;
    const inDoubt = await secondsInDoubt(payment, sentAt);
    const wait = Math.max(lag, refundDelay(payment.attempts - 1) ?? 0);
    if (!gateway.findRefund)
      return inDoubt >= wait ? refund(payment, epoch) : note(payment, { due_at: inSeconds(wait - inDoubt) });
    const found = await fenced(payment, () => gateway.findRefund?.(refundOf(payment)) ?? Promise.resolve(null));
    if (!found) return null;
    if (found.kind === 'refunded') return refunded(payment, 'findRefund');
    if (found.kind === 'unclear') events.unclear(payment, 'find refund', found.detail);
    const looks = payment.not_found_answers + (found.kind === 'notFound' ? 1 : 0);
    if (found.kind === 'notFound' && provesNotThere(looks, inDoubt, wait)) return refund(payment, epoch);
    const delay = refundEnquiryDelay(looks, ageSeconds(payment.changed_at));
    const isLasting = found.kind === 'unclear' && found.isLasting;
    const evidence = {
      call: 'findRefund',
      answer: found.kind,
      ...(isLasting ? { detail: found.detail } : {}),
    } as const;
    if (delay === null || isLasting) return step(payment, 'giveUp', { reason: 'retriesSpent', evidence });
    return note(payment, { not_found_answers: looks, due_at: inSeconds(delay) }, evidence);
  }

  return { refund, findOutRefund, lookUpRefundFirst };
}
