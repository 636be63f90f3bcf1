import type { ResultOf } from '@portal/contract/contract.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import { type MoneyState, toldState } from '@portal/domain/payment/shown.ts';
import type { QueryData } from '../../lib/session.ts';
import type { Translate } from '../../lib/translate.ts';

export type Transaction = ResultOf<'transactionFetch'>;
export type Known =
  | { state: 'loading' }
  /** The address names no payment: it is looked for by its reference. */
  | { state: 'unasked' }
  | { state: 'missing' }
  | { state: 'failed' }
  | { state: 'known'; transaction: Transaction };

export type TicketView = ResultOf<'ticket'>;

export interface StatusLoaded {
  known: Known;
  ticket?: TicketView | undefined;
  /** The sealed order of its own visit, to be paid another way without script. */
  token?: string;
}

/** What was ordered, as its own visit is told it: the way back to where it began is the kind's own. */
export function orderOf({ invoice, ...order }: NonNullable<Transaction['order']>): QueryData {
  const pages = {
    PREPAID_RECHARGE: paths.prepaidRecharge,
    PREPAID_BUNDLES: paths.dataBundle,
    POSTPAID_BUNDLES: paths.dataBundle,
    POSTPAID_BILL: invoice ? paths.fixedInternet : paths.postpaidBillPay,
    HBB_LEADS: paths.homeBroadband,
  };
  const redirectPage = order.rechargeType ? paths.broadbandRecharge : pages[order.transactionType];
  return { ...order, redirectPage, ...(invoice ? { invoiceDetail: invoice } : {}) };
}

/** Which payment an address is about; channel and pg are passed on as they came. */
export function addressOf(
  path: string,
  query: Readonly<Record<string, string>>,
): { txnId: string; channel?: string; pg?: string; said?: string } {
  const { id, channel, pg, from, status } = query;
  return {
    // A reference is copied from an SMS, in whatever case and with whatever spaces.
    txnId: (id ?? path.slice(paths.paymentStatus.length + 1)).replaceAll(/\s/g, '').toLowerCase(),
    ...(channel ? { channel } : {}),
    ...(pg ? { pg } : {}),
    ...(from === 'gateway' && status ? { said: status.slice(0, 32) } : {}),
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

/** A postpaid bill with an invoice number is a fixed-internet bill; what is bought for a router has a name of its own. */
export function typeKeyOf(
  transaction: Pick<Transaction, 'transactionType' | 'invoiceNumber' | 'rechargeType'>,
): string {
  if (transaction.transactionType === 'POSTPAID_BILL' && transaction.invoiceNumber) return 'FIXED_INTERNET';
  if (transaction.rechargeType === 'broadband') return 'BROADBAND';
  return transaction.transactionType;
}

/**
 * Where the money is, in words. Who pays on a page approves there and not on a phone; who gave a code or a PIN has approved, and
 * what became of it is not known until the other side answers.
 */
export function moneyKeyOf(
  transaction: Pick<
    Transaction,
    'moneyState' | 'paymentMode' | 'paymentGateway' | 'transactionType' | 'left' | 'declined' | 'unopened' | 'refund'
  >,
  { methods, features }: Pick<PublicPack, 'methods' | 'features'>,
): string {
  const { moneyState, paymentMode, paymentGateway } = transaction;
  if (moneyState === 'taken' && transaction.refund) return 'status.money.goingBack';
  if (moneyState !== 'awaitingApproval') return `status.money.${toldState(moneyState, transaction.transactionType)}`;
  const ofMode = methods.filter(({ mode }) => mode === paymentMode);
  const method = ofMode.find(({ gateway }) => gateway.toUpperCase() === paymentGateway) ?? ofMode[0];
  if (method?.type === 'PG')
    return `status.money.${pageWord(transaction)}${method.route === 'card' ? 'Bank' : 'Gateway'}`;
  const hasApproved = method?.type !== 'MPESA' && (method?.type !== 'AM' || features.enableAmPin);
  return `status.money.${method && hasApproved ? 'awaitingAnswer' : moneyState}`;
}

function pageWord({ left, declined, unopened }: Pick<Transaction, 'left' | 'declined' | 'unopened'>): string {
  if (left) return 'left';
  if (declined) return 'declined';
  return unopened ? 'unopened' : 'awaiting';
}

export interface MoneyStep {
  state: MoneyState;
  at: string | null;
  mark: 'done' | 'current' | 'todo' | 'failed';
}

/** The way the money goes, with the times known so far: what is behind, where it is, and what is still to come. */
export function moneySteps(
  transaction: Pick<Transaction, 'moneyState' | 'timeline' | 'final' | 'refund'>,
): MoneyStep[] {
  const { moneyState, timeline, final, refund } = transaction;
  const reached = timeline.map(({ state, at }, index): MoneyStep => {
    const isLast = index === timeline.length - 1;
    if (!isLast) return { state, at, mark: 'done' };
    if (state === 'notTaken') return { state, at, mark: final ? 'failed' : 'current' };
    return { state, at, mark: final ? 'done' : 'current' };
  });
  const ahead = {
    notTaken: [],
    awaitingApproval: ['taken', 'delivered'],
    taken: [refund ? 'givenBack' : 'delivered'],
    delivered: [],
    givenBack: [],
  } as const;
  const goesBack = timeline.some(({ state }) => state === 'givenBack');
  const rest = final || goesBack ? [] : ahead[moneyState];
  return [...reached, ...rest.map((state): MoneyStep => ({ state, at: null, mark: 'todo' }))];
}
