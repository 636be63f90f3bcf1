import { shownStatus } from './shown-status.ts';
import type { PaymentEvent, PaymentState } from './transitions.ts';

/** The outcomes at a provider that a person can state. */
export const settlements = ['delivered', 'notTaken', 'givenBack'] as const;
/** The actions that a person can order. */
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

/** Why a decision is refused, as messages for the terminal. The console has its own. */
export const decisionProblems = {
  notWaiting: 'It does not wait for a person.',
  notAskedYet: 'No provider was asked yet: it may go on, or not be taken.',
  askedBefore: 'Its provider was asked before: it cannot go on by hand.',
  toldFailed:
    'The customer was told that it failed, and may have paid again: it can only be given back, or prove not to have been taken.',
  provedTaken: 'The provider proved that the money was taken.',
  notStatedTaken: 'The provider has not stated that the money was taken: ask it first.',
  otherAmount: 'Another amount was taken than was asked for: it is not delivered by itself.',
  orderDelivered: 'Another payment of the same order is delivered: this one is to be given back.',
  wasDelivered: 'It was delivered: the money is not to go back.',
  deliveryUnclear: 'Whether it was delivered cannot be told now. Try again later.',
  notDelivered: 'The system that brings it does not know of it: it was not delivered.',
  stillThere: 'The provider still has the money, and knows of no refund.',
  reasonNeeded: 'A name and a reason are needed.',
  changedMeanwhile: 'Somebody else changed it just now. Look again.',
  noConnector: 'No connector is configured for its way to pay.',
} as const;
export type DecisionProblem = keyof typeof decisionProblems;

/** Why a decision is refused for this payment; null if it is allowed. */
export function decisionProblem(
  history: readonly { to: PaymentState; event: string }[],
  /** What the provider stated it took; null if nothing. */
  taken: { isAsAsked: boolean } | null,
  decision: Decision,
): DecisionProblem | null {
  if (history.at(-1)?.to !== 'REVIEW') return 'notWaiting';
  if (isHeld(history)) return decision === 'letGoOn' || decision === 'notTaken' ? null : 'notAskedYet';
  if (decision === 'letGoOn') return 'askedBefore';
  const wasShownFailed = history.some(({ to }) => shownStatus(to, 'payer') === 'FAILED');
  if ((decision === 'delivered' || decision === 'deliver') && wasShownFailed) return 'toldFailed';
  if (decision === 'notTaken' && taken) return 'provedTaken';
  if ((decision === 'deliver' || decision === 'giveBack') && !taken) return 'notStatedTaken';
  if (decision === 'deliver' && !taken?.isAsAsked) return 'otherAmount';
  return null;
}

/** In REVIEW before any provider was called. */
export function isHeld(history: readonly { to: PaymentState }[]): boolean {
  return history.at(-1)?.to === 'REVIEW' && !history.some(({ to }) => to === 'SUBMITTING');
}
