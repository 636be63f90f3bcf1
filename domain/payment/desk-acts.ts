import type { PaymentState } from './transitions.ts';

/** What the operator's people may do about a payment; who of them may is the console's table of permissions. */
export const deskActs = ['ask', 'askInReview', 'settle', 'receiptAgain', 'openTicket'] as const;
export type DeskAct = (typeof deskActs)[number];

/** Once a provider was asked for the money there is something to talk about. */
const talked: readonly DeskAct[] = ['openTicket'];

/** What each state takes at all. A payment that is looked after by itself within seconds takes no question. */
const actsByState: Record<PaymentState, readonly DeskAct[]> = {
  CREATED: [],
  SUBMITTING: talked,
  AWAITING_PAYER: ['ask', ...talked],
  UNKNOWN: ['ask', ...talked],
  PAID: talked,
  FULFILLING: talked,
  FULFIL_UNKNOWN: talked,
  SUCCEEDED: ['receiptAgain', ...talked],
  // Money may have come late.
  FAILED: ['ask', ...talked],
  REFUND_DUE: ['receiptAgain', ...talked],
  REFUNDING: ['receiptAgain', ...talked],
  REFUND_UNKNOWN: ['receiptAgain', ...talked],
  REFUNDED: ['receiptAgain', ...talked],
  REVIEW: ['askInReview', 'settle', ...talked],
};

/** An order that ended before it was sent has nobody to ask, and nothing to ask about. */
export function deskActsOf({ state, wasSent }: { state: PaymentState; wasSent: boolean }): readonly DeskAct[] {
  return state === 'FAILED' && !wasSent ? [] : actsByState[state];
}
