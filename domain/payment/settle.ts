import { shownStatus } from './shown.ts';
import type { PaymentEvent, PaymentState } from './transitions.ts';

/** What a person states has happened outside. */
export const settlements = ['delivered', 'notTaken', 'givenBack'] as const;
/** What a person has the portal do. */
export const actions = ['deliver', 'giveBack', 'letGoOn'] as const;
export const decisions = [...settlements, ...actions] as const;

export type Settlement = (typeof settlements)[number];
export type Decision = (typeof decisions)[number];

export const decisionEvents: Record<Decision, PaymentEvent> = {
  delivered: 'settleDelivered',
  notTaken: 'settleNotTaken',
  givenBack: 'settleGivenBack',
  deliver: 'resumeDelivery',
  giveBack: 'giveBack',
  letGoOn: 'letGoOn',
};

/** Why a person may not decide so about a payment, in words; null when it may be done. */
export function decisionProblem(
  history: readonly { to: PaymentState; event: string }[],
  /** What the provider stated that it took; null while it stated nothing. */
  taken: { isAsAsked: boolean } | null,
  decision: Decision,
): string | null {
  if (history.at(-1)?.to !== 'REVIEW') return 'It does not wait for a person.';
  if (isHeld(history))
    return decision === 'letGoOn' || decision === 'notTaken'
      ? null
      : 'No provider was asked yet: it may go on, or not be taken.';
  if (decision === 'letGoOn') return 'Its provider was asked before: it cannot go on by hand.';
  const wasShownFailed = history.some(({ to }) => shownStatus(to, 'payer') === 'FAILED');
  if ((decision === 'delivered' || decision === 'deliver') && wasShownFailed)
    return 'The customer was told that it failed, and may have paid again: it can only be given back, or prove not to have been taken.';
  if (decision === 'notTaken' && taken) return 'The provider proved that the money was taken.';
  if ((decision === 'deliver' || decision === 'giveBack') && !taken)
    return 'The provider has not stated that the money was taken: ask it first.';
  if (decision === 'deliver' && !taken?.isAsAsked)
    return 'Another amount was taken than was asked for: it is not delivered by itself.';
  return null;
}

/** It waits for a person, and nobody was asked for the money yet. */
export function isHeld(history: readonly { to: PaymentState }[]): boolean {
  return history.at(-1)?.to === 'REVIEW' && !history.some(({ to }) => to === 'SUBMITTING');
}
