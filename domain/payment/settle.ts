import { shownStatus } from './shown.ts';
import type { PaymentEvent, PaymentState } from './transitions.ts';

export const settlements = ['delivered', 'notTaken', 'givenBack', 'letGoOn'] as const;
export type Settlement = (typeof settlements)[number];

export const settlementEvents: Record<Settlement, PaymentEvent> = {
  delivered: 'settleDelivered',
  notTaken: 'settleNotTaken',
  givenBack: 'settleGivenBack',
  letGoOn: 'settleLetGoOn',
};

/** Why a person may not settle a payment so, in words; null when it may be done. */
export function settlementProblem(
  history: readonly { to: PaymentState; event: string }[],
  settlement: Settlement,
): string | null {
  if (history.at(-1)?.to !== 'REVIEW') return 'It does not wait for a person.';
  if (isHeld(history))
    return settlement === 'letGoOn' || settlement === 'notTaken'
      ? null
      : 'No provider was asked yet: it may go on, or not be taken.';
  if (settlement === 'letGoOn') return 'Its provider was asked before: it cannot go on by hand.';
  const wasShownFailed = history.some(({ to }) => shownStatus(to, 'payer') === 'FAILED');
  if (settlement === 'delivered' && wasShownFailed)
    return 'The customer was told that it failed, and may have paid again: it can only be given back, or prove not to have been taken.';
  const isTaken = history.some(({ to }) => to === 'PAID' || to === 'REFUND_DUE');
  if (settlement === 'notTaken' && isTaken) return 'The provider proved that the money was taken.';
  return null;
}

/** It waits for a person, and nobody was asked for the money yet. */
export function isHeld(history: readonly { to: PaymentState }[]): boolean {
  return history.at(-1)?.to === 'REVIEW' && !history.some(({ to }) => to === 'SUBMITTING');
}
