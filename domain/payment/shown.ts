import { isFinal, type PaymentState } from './transitions.ts';

/** What the wire calls a status; the seed's words. */
export type ShownStatus = 'REQUEST_REGISTERED' | 'IN_PROCESS' | 'REQUEST_RAISED' | 'SUCCESS' | 'FAILED';

/** The five plain states a customer is told, in the order in which money moves. */
export const moneyStates = ['notTaken', 'awaitingApproval', 'taken', 'delivered', 'givenBack'] as const;
export type MoneyState = (typeof moneyStates)[number];

/** Push and PIN methods are waited for by polling while IN_PROCESS; a card leaves the page, so it stays registered. */
export type WaitingFor = 'payer' | 'redirect';

const waiting: readonly PaymentState[] = ['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN'];

export function shownStatus(state: PaymentState, waitingFor: WaitingFor): ShownStatus {
  if (state === 'CREATED') return 'REQUEST_REGISTERED';
  if (waiting.includes(state)) return waitingFor === 'payer' ? 'IN_PROCESS' : 'REQUEST_REGISTERED';
  if (state === 'SUCCEEDED') return 'SUCCESS';
  if (state === 'FAILED' || state.startsWith('REFUND')) return 'FAILED';
  return 'REQUEST_RAISED';
}

/** The payer has not decided, or has not been asked yet. */
export const isAwaited = (state: PaymentState): boolean => state === 'CREATED' || waiting.includes(state);

/** Whether somebody who waits is told anything else after a move. */
export const isSeenMove = (from: PaymentState, to: PaymentState): boolean =>
  shownStatus(from, 'payer') !== shownStatus(to, 'payer') || moneyStateOf(from) !== moneyStateOf(to);

/** The status page polls only while REQUEST_REGISTERED, so waiting for the payer is told to it by that word. */
export function shownOnStatusPage(status: ShownStatus): ShownStatus {
  return status === 'IN_PROCESS' ? 'REQUEST_REGISTERED' : status;
}

export interface StateChange {
  to: PaymentState;
  at: Date;
  /** A conflict says that money was taken, though not the amount that was asked for. */
  event?: string;
}

/** REVIEW says nothing about the money by itself; what was proven before it does, and that nobody was asked for it. */
export function moneyState(changes: readonly StateChange[]): MoneyState {
  const last = changes.at(-1)?.to ?? 'CREATED';
  if (last === 'REVIEW') {
    if (!changes.some(({ to }) => to === 'SUBMITTING')) return 'notTaken';
    const isTaken = changes.some((change) => moneyProven(change.to) || change.event === 'conflict');
    return isTaken ? 'taken' : 'awaitingApproval';
  }
  return moneyStateOf(last);
}

function moneyStateOf(state: PaymentState): MoneyState {
  if (state === 'CREATED' || state === 'FAILED') return 'notTaken';
  if (waiting.includes(state)) return 'awaitingApproval';
  if (state === 'SUCCEEDED') return 'delivered';
  if (state === 'REFUNDED') return 'givenBack';
  return 'taken';
}

/** What was delivered for home broadband is the order alone: nobody has installed anything yet. */
export const toldState = (state: MoneyState, transactionType: string): MoneyState | 'paidLead' =>
  state === 'delivered' && transactionType === 'HBB_LEADS' ? 'paidLead' : state;

export function moneyProven(state: PaymentState): boolean {
  return !['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN', 'FAILED', 'REVIEW'].includes(state);
}

/** One entry for each plain state with the time it began; what repeats is told once. */
export function moneyTimeline(changes: readonly StateChange[]): { state: MoneyState; at: Date }[] {
  const timeline: { state: MoneyState; at: Date }[] = [];
  changes.forEach((change, index) => {
    const state = moneyState(changes.slice(0, index + 1));
    const isOldOrder = change.to === 'CREATED' && changes.length > 1;
    if (timeline.at(-1)?.state === state || isOldOrder) return;
    timeline.push({ state, at: change.at });
  });
  return timeline;
}

/** Waiting customers ask often at first; a payment that takes minutes is asked about gently. */
export function nextPollSeconds(state: PaymentState, ageSeconds: number): number | null {
  if (isFinal(state)) return null;
  if (state === 'REVIEW') return 60;
  if (ageSeconds < 30) return 2;
  return ageSeconds < 180 ? 5 : 15;
}
