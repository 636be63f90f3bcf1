import type { ResultOf } from '@portal/contract/contract.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import type { moneyStates } from '@portal/domain/payment/shown.ts';
import { cardMode } from '@portal/domain/transaction-types.ts';
import { paths } from '../../lib/paths.ts';
import type { Translate } from '../../lib/translate.ts';

export type Transaction = ResultOf<'transactionFetch'>;
export type Known =
  | { state: 'loading' }
  | { state: 'missing' }
  | { state: 'failed' }
  | { state: 'known'; transaction: Transaction };

export interface StatusLoaded {
  known: Known;
}

/** Which payment an address is about; channel and pg are passed on as they came. */
export function addressOf(
  path: string,
  query: Readonly<Record<string, string>>,
): { txnId: string; channel?: string; pg?: string } {
  const { id, channel, pg } = query;
  return {
    txnId: id ?? path.slice(paths.paymentStatus.length + 1),
    ...(channel ? { channel } : {}),
    ...(pg ? { pg } : {}),
  };
}

export type Outcome = 'success' | 'failed' | 'process';

const inProcess = ['REQUEST_REGISTERED', 'REQUEST_RAISED', 'ALREADY_PROCESSED', 'IN_PROCESS'];

/** Upstreams have been seen to misspell failure; it counts as what it means. */
export function readStatus(status: string): string {
  if (status === 'FALIURE') return 'FAILED';
  return status === 'ALREADY_PROCESSED' ? 'REQUEST_REGISTERED' : status;
}

export function outcomeOf(status: string): Outcome {
  const read = readStatus(status);
  if (read === 'SUCCESS') return 'success';
  return inProcess.includes(read) ? 'process' : 'failed';
}

export function headingOf(status: string, t: Translate): string {
  const read = readStatus(status);
  if (read === 'SUCCESS') return t('common.thankYou');
  if (inProcess.includes(read)) return t('status.inProcessing');
  const known = t(`status.heading.${read}`);
  return known.startsWith('status.') ? read.replaceAll('_', ' ') : known;
}

/** A postpaid bill with an invoice number is a fixed-internet bill. */
export function typeKeyOf(transaction: Pick<Transaction, 'transactionType' | 'invoiceNumber'>): string {
  if (transaction.transactionType === 'POSTPAID_BILL' && transaction.invoiceNumber) return 'FIXED_INTERNET';
  return transaction.transactionType;
}

/** Where the money is, in words; who pays by card approves on the bank's page and not on a phone. */
export function moneyKeyOf(transaction: Pick<Transaction, 'moneyState' | 'paymentMode' | 'transactionType'>): string {
  const { moneyState, paymentMode } = transaction;
  const isAtBank = moneyState === 'awaitingApproval' && paymentMode === cardMode;
  return `status.money.${isAtBank ? 'awaitingBank' : shownState(moneyState, transaction)}`;
}

/** What was delivered for home broadband is the order alone: nobody has installed anything yet. */
export const shownState = (state: MoneyStep['state'], { transactionType }: Pick<Transaction, 'transactionType'>) =>
  state === 'delivered' && transactionType === 'HBB_LEADS' ? 'paidLead' : state;

/** The way to pay as the payment page calls it. */
export function wayOf(
  { paymentGateway, paymentMode }: Pick<Transaction, 'paymentGateway' | 'paymentMode'>,
  methods: PublicPack['methods'],
): string {
  const named = (paymentGateway ?? '').toLowerCase();
  const way = methods.find(({ gateway }) => gateway === named) ?? methods.find(({ mode }) => mode === paymentMode);
  return way?.name ?? paymentGateway ?? paymentMode ?? '';
}

export interface MoneyStep {
  state: (typeof moneyStates)[number];
  at: string | null;
  mark: 'done' | 'current' | 'todo' | 'failed';
}

/** The way the money goes, with the times known so far: what is behind, where it is, and what is still to come. */
export function moneySteps(transaction: Pick<Transaction, 'moneyState' | 'timeline' | 'final'>): MoneyStep[] {
  const { moneyState, timeline, final } = transaction;
  const reached = timeline.map(({ state, at }, index): MoneyStep => {
    const isLast = index === timeline.length - 1;
    if (!isLast) return { state, at, mark: 'done' };
    if (state === 'notTaken') return { state, at, mark: final ? 'failed' : 'current' };
    return { state, at, mark: final ? 'done' : 'current' };
  });
  const ahead = {
    notTaken: [],
    awaitingApproval: ['taken', 'delivered'],
    taken: ['delivered'],
    delivered: [],
    givenBack: [],
  } as const;
  const goesBack = timeline.some(({ state }) => state === 'givenBack');
  const rest = final || goesBack ? [] : ahead[moneyState];
  return [...reached, ...rest.map((state): MoneyStep => ({ state, at: null, mark: 'todo' }))];
}
