import type { Delivery, Money, Sum } from './books.ts';
import { Broken } from './broken.ts';
import type { Observation, SeenChange, SeenMessage, SeenPayment, SeenPosting } from './observation.ts';

export const asking = new Set(['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN']);
export const delivering = new Set(['PAID', 'FULFILLING', 'FULFIL_UNKNOWN']);
export const givingBack = new Set(['REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN']);

/** States that the customer sees as failed. */
export const shownFailed = new Set(['FAILED', 'REFUNDED', ...givingBack]);

/** Gateways whose payer is redirected to a hosted page. */
export const pages = new Set(['card', 'orange', 'paystack']);

/**
 * Gateways that cannot be asked by our reference alone. Daraja is asked by an id of its own, which is lost with its
 * answer; afterwards only its list of paid requests helps. A card page that nobody has paid at is unknown to its
 * gateway too, and Orange Money is asked by a token that came with its answer.
 */
export const knowsUnpaid = ({ gateway }: SeenPayment): boolean => !['mpesa', 'card', 'orange'].includes(gateway);

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** A call takes at most 20 s and its response is stored right after. Until then the outcome is unknown. */
export const inFlight = 30 * second;

/** R14: a call that passed the fence may leave so much later, if its process was paused in between. */
export const letThrough = 95 * second;

/** R8, R10: open payments are enquired about at least hourly. One sweep may miss a response. */
export const noticed = 2 * hour;

/** Everything about one payment, from both sides. */
export interface Case {
  id: string;
  /** Undefined: a restore lost it, or it never existed. */
  payment: SeenPayment | undefined;
  history: SeenChange[];
  postings: SeenPosting[];
  messages: SeenMessage[];
  money: Money[];
  debits: Money['debits'];
  refunds: Money['refunds'];
  deliveries: Delivery[];
}

/** Earlier observations of a payment that must not be contradicted later. */
export interface Remembered {
  first: SeenPayment;
  version: number;
  firstSeenAt: number;
  /** Messages that the database lost with a restore, but customers have read. */
  messagesBefore: SeenMessage[];
  messages: SeenMessage[];
  /** When an observation first showed that the provider had refused. */
  refusedAt: number | null;
}

export const isSame = (one: Sum | null | undefined, other: Sum | null | undefined): boolean =>
  one?.amount === other?.amount && one?.currency === other?.currency;

export const textOf = (sum: Sum | null | undefined): string => (sum ? `${sum.amount} ${sum.currency}` : 'nothing');

export function casesOf(seen: Observation): Map<string, Case> {
  const cases = new Map<string, Case>();
  const of = (id: string): Case => {
    let one = cases.get(id);
    if (!one) {
      one = {
        id,
        payment: undefined,
        history: [],
        postings: [],
        messages: [],
        money: [],
        debits: [],
        refunds: [],
        deliveries: [],
      };
      cases.set(id, one);
    }
    return one;
  };
  // Records outside may be newer than the snapshot; later ones are checked in the next observation.
  const isPast = ({ at }: { at: number }): boolean => at <= seen.now + second;
  for (const payment of seen.payments) {
    const one = of(payment.id);
    if (one.payment) throw new Broken('one row per payment', payment.id);
    one.payment = payment;
  }
  for (const change of seen.history) of(change.payment).history.push(change);
  for (const posting of seen.postings) of(posting.payment).postings.push(posting);
  for (const message of seen.messages) of(message.payment).messages.push(message);
  for (const delivery of seen.deliveries.filter(isPast)) of(delivery.reference).deliveries.push(delivery);
  for (const money of seen.money) {
    const one = of(money.reference);
    one.money.push(money);
    one.debits.push(...money.debits.filter(isPast));
    one.refunds.push(...money.refunds.filter(isPast));
  }
  return cases;
}
