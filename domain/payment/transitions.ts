/**
 * Every legal transition of a payment. Nothing else decides whether one state may follow another: the store writes only
 * what `next` returns, and the diagram in docs/states.md is generated from this table.
 */
export const paymentStates = [
  'CREATED',
  'SUBMITTING',
  'AWAITING_PAYER',
  'UNKNOWN',
  'PAID',
  'FULFILLING',
  'FULFIL_UNKNOWN',
  'SUCCEEDED',
  'FAILED',
  'REFUND_DUE',
  'REFUNDING',
  'REFUND_UNKNOWN',
  'REFUNDED',
  'REVIEW',
] as const;

export type PaymentState = (typeof paymentStates)[number];

export const paymentEvents = [
  'submit',
  'hold',
  'expire',
  'accept',
  'pay',
  'refuse',
  'lose',
  'conflict',
  'giveUp',
  'fulfil',
  'deliver',
  'loseDelivery',
  'refuseDelivery',
  'refund',
  'loseRefund',
  'completeRefund',
  'findLateMoney',
  'findOrderPaid',
  'settleDelivered',
  'settleNotTaken',
  'settleGivenBack',
  'resumeDelivery',
  'giveBack',
  'letGoOn',
] as const;

export type PaymentEvent = (typeof paymentEvents)[number];

type Moves = Partial<Record<PaymentEvent, PaymentState>>;

const provenByEnquiry: Moves = { pay: 'PAID', refuse: 'FAILED', conflict: 'REVIEW' };

export const transitions: Record<PaymentState, Moves> = {
  // `hold` comes before any provider is called. A released payment becomes an order again.
  CREATED: { submit: 'SUBMITTING', hold: 'REVIEW', expire: 'FAILED' },
  SUBMITTING: { ...provenByEnquiry, accept: 'AWAITING_PAYER', lose: 'UNKNOWN' },
  AWAITING_PAYER: { ...provenByEnquiry, lose: 'UNKNOWN', giveUp: 'REVIEW' },
  UNKNOWN: { ...provenByEnquiry, accept: 'AWAITING_PAYER', giveUp: 'REVIEW' },
  // `findOrderPaid`: another payment delivers the same order.
  PAID: { fulfil: 'FULFILLING', findOrderPaid: 'REFUND_DUE' },
  FULFILLING: { deliver: 'SUCCEEDED', loseDelivery: 'FULFIL_UNKNOWN', refuseDelivery: 'REFUND_DUE' },
  FULFIL_UNKNOWN: {
    deliver: 'SUCCEEDED',
    fulfil: 'FULFILLING',
    refuseDelivery: 'REFUND_DUE',
    findOrderPaid: 'REFUND_DUE',
    giveUp: 'REVIEW',
  },
  SUCCEEDED: {},
  // Late money is refunded, never delivered.
  FAILED: { findLateMoney: 'REFUND_DUE', conflict: 'REVIEW' },
  REFUND_DUE: { refund: 'REFUNDING' },
  REFUNDING: { completeRefund: 'REFUNDED', loseRefund: 'REFUND_UNKNOWN' },
  REFUND_UNKNOWN: { refund: 'REFUNDING', completeRefund: 'REFUNDED', giveUp: 'REVIEW' },
  REFUNDED: {},
  REVIEW: {
    settleDelivered: 'SUCCEEDED',
    settleNotTaken: 'FAILED',
    settleGivenBack: 'REFUNDED',
    resumeDelivery: 'FULFIL_UNKNOWN',
    giveBack: 'REFUND_DUE',
    letGoOn: 'CREATED',
  },
};

export class IllegalTransition extends Error {
  readonly state: PaymentState;
  readonly event: PaymentEvent;

  constructor(state: PaymentState, event: PaymentEvent) {
    super(`A payment in ${state} does not take "${event}".`);
    this.name = 'IllegalTransition';
    this.state = state;
    this.event = event;
  }
}

export function next(state: PaymentState, event: PaymentEvent): PaymentState {
  const to = transitions[state][event];
  if (!to) throw new IllegalTransition(state, event);
  return to;
}

/** No more automatic transitions. FAILED is final for the customer, though late money is still looked for. */
export function isFinal(state: PaymentState): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED' || state === 'REFUNDED';
}
