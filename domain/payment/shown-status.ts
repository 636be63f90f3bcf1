import type { PaymentMethod } from '../operator.ts';
import { isApprovedOnPhone } from './approval-on-phone.ts';
import { isFinal, type PaymentState } from './transitions.ts';

/** The statuses of the API, as the specification names them. */
export type ShownStatus = 'REQUEST_REGISTERED' | 'IN_PROCESS' | 'REQUEST_RAISED' | 'SUCCESS' | 'FAILED';

/** The five plain states that a customer sees, in the order in which money moves. */
export const moneyStates = ['notTaken', 'awaitingApproval', 'taken', 'delivered', 'givenBack'] as const;
export type MoneyState = (typeof moneyStates)[number];

/** What the return URL of a gateway's page says, if it says that nothing was paid. */
export type PageWord = 'left' | 'declined';
/**
 * `done`: the browser came back by the success URL. A payer who may have paid must not be told later that they did not.
 */
export type StoredPageWord = PageWord | 'done';

/** Push and PIN methods are polled while IN_PROCESS. A card leaves the page, so it stays REQUEST_REGISTERED. */
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

/** Whether a move changes what a waiting client sees. That the provider was unclear is shown too. */
export const isSeenMove = (from: PaymentState, to: PaymentState): boolean =>
  shownStatus(from, 'payer') !== shownStatus(to, 'payer') ||
  moneyStateOf(from) !== moneyStateOf(to) ||
  (from === 'UNKNOWN') !== (to === 'UNKNOWN');

/** The status page polls only while REQUEST_REGISTERED, so it gets that status while waiting for the payer. */
export function shownOnStatusPage(status: ShownStatus): ShownStatus {
  return status === 'IN_PROCESS' ? 'REQUEST_REGISTERED' : status;
}

export interface StateChange {
  to: PaymentState;
  at: Date;
  /** `conflict` means that money was taken, but not the amount asked for. */
  event?: string;
}

/**
 * REVIEW alone says nothing about the money. The history before it does: what was proven, or that no provider was
 * called.
 */
export function moneyState(changes: readonly StateChange[]): MoneyState {
  const last = changes.at(-1)?.to ?? 'CREATED';
  if (last === 'REVIEW') {
    if (!changes.some(({ to }) => to === 'SUBMITTING')) return 'notTaken';
    const isTaken = changes.some((change) => moneyProven(change.to) || change.event === 'conflict');
    return isTaken ? 'taken' : 'awaitingApproval';
  }
  return moneyStateOf(last);
}

export const wasTaken = (money: MoneyState): boolean => money !== 'notTaken' && money !== 'awaitingApproval';

function moneyStateOf(state: PaymentState): MoneyState {
  if (state === 'CREATED' || state === 'FAILED') return 'notTaken';
  if (waiting.includes(state)) return 'awaitingApproval';
  if (state === 'SUCCEEDED') return 'delivered';
  if (state === 'REFUNDED') return 'givenBack';
  return 'taken';
}

/**
 * For home broadband only the order was delivered: nothing is installed yet, and nothing will be said about it once the
 * request was erased. A bill is paid, not delivered.
 */
export function toldState(
  state: MoneyState,
  { transactionType, isLeadErased }: { transactionType: string; isLeadErased?: boolean | undefined },
): MoneyState | 'paidLead' | 'erasedLead' | 'paidBill' {
  if (state !== 'delivered') return state;
  if (transactionType === 'HBB_LEADS') return isLeadErased ? 'erasedLead' : 'paidLead';
  return transactionType === 'POSTPAID_BILL' ? 'paidBill' : state;
}

/**
 * Whom a payment waits for. On a gateway's page the payer approves there. After a code or PIN the payer has approved,
 * and the outcome is unknown until the provider responds. A method that is no longer offered gets the general text.
 */
export function awaitedWord(
  method: Pick<PaymentMethod, 'type' | 'route'> | undefined,
  operator: { features: { enableAmPin: boolean } },
): 'awaitingApproval' | 'awaitingBank' | 'awaitingGateway' | 'awaitingAnswer' {
  if (method?.type === 'PG') return method.route === 'card' ? 'awaitingBank' : 'awaitingGateway';
  return !method || isApprovedOnPhone(method, operator) ? 'awaitingApproval' : 'awaitingAnswer';
}

export function moneyProven(state: PaymentState): boolean {
  return !['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN', 'FAILED', 'REVIEW'].includes(state);
}

/** One entry for each plain state with the time it began, without repeats. */
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

/** Clients poll often at first, and slowly once a payment takes minutes. */
export function nextPollSeconds(state: PaymentState, ageSeconds: number): number | null {
  if (isFinal(state)) return null;
  if (state === 'REVIEW') return 60;
  if (ageSeconds < 30) return 2;
  return ageSeconds < 180 ? 5 : 15;
}
