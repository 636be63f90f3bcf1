import type { PaymentState } from './transitions.ts';

/** Actions of the operator's people on a payment. The console's permissions decide who may do them. */
export const deskActs = ['ask', 'askInReview', 'settle', 'receiptAgain', 'openTicket'] as const;
export type DeskAct = (typeof deskActs)[number];

/** A ticket makes sense once a provider was called. */
const talked: readonly DeskAct[] = ['openTicket'];

/** The actions that each state allows. A state that resolves by itself within seconds allows no enquiry. */
const actsByState: Record<PaymentState, readonly DeskAct[]> = {
  CREATED: [],
  SUBMITTING: talked,
  AWAITING_PAYER: ['ask', ...talked],
  UNKNOWN: ['ask', ...talked],
  PAID: talked,
  FULFILLING: talked,
  FULFIL_UNKNOWN: talked,
  SUCCEEDED: ['receiptAgain', ...talked],
  // Late money may have been taken.
  FAILED: ['ask', ...talked],
  REFUND_DUE: ['receiptAgain', ...talked],
  REFUNDING: ['receiptAgain', ...talked],
  REFUND_UNKNOWN: ['receiptAgain', ...talked],
  REFUNDED: ['receiptAgain', ...talked],
  REVIEW: ['askInReview', 'settle', ...talked],
};

/** An order that expired before it was sent has no provider to ask. */
export function deskActsOf({ state, wasSent }: { state: PaymentState; wasSent: boolean }): readonly DeskAct[] {
  return state === 'FAILED' && !wasSent ? [] : actsByState[state];
}
