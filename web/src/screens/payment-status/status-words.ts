import type { ResultOf } from '@portal/contract/contract.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import { awaitedWord, type MoneyState, toldState } from '@portal/domain/payment/shown-status.ts';
import { readTicketNumber } from '@portal/domain/ticket.ts';
import { methodPaidBy } from '../../features/await-approval/asked-words.ts';
import type { QueryData } from '../../lib/session.ts';
import type { Translate } from '../../lib/translate.ts';

export type Transaction = ResultOf<'transactionFetch'>;
export type Known =
  | { state: 'loading' }
  /** The URL names no payment: it is searched by its reference. */
  | { state: 'unasked' }
  | { state: 'missing' }
  | { state: 'failed' }
  | { state: 'known'; transaction: Transaction };

export type TicketView = ResultOf<'ticket'>;

export interface StatusLoaded {
  known: Known;
  ticket?: TicketView | undefined;
  /** The sealed order, for this visit only, to pay another way without script. */
  token?: string;
}

/** The order as its own visit may see it, with the flow it came from. */
export function orderOf({ invoice, ...order }: NonNullable<Transaction['order']>): QueryData {
  const redirectPage = flowOf({ ...order, invoiceNumber: invoice?.invoiceNo });
  return { ...order, redirectPage, ...(invoice ? { invoiceDetail: invoice } : {}) };
}

/** The page of the flow for this kind of order. */
export function flowOf({
  transactionType,
  rechargeType,
  invoiceNumber,
}: Pick<Transaction, 'transactionType' | 'rechargeType' | 'invoiceNumber'>): string {
  const pages = {
    PREPAID_RECHARGE: paths.prepaidRecharge,
    PREPAID_BUNDLES: paths.dataBundle,
    POSTPAID_BUNDLES: paths.dataBundle,
    POSTPAID_BILL: invoiceNumber ? paths.fixedInternet : paths.postpaidBillPay,
    HBB_LEADS: paths.homeBroadband,
  };
  return rechargeType ? paths.broadbandRecharge : pages[transactionType];
}

/** The payment that a URL names; channel and pg are passed on unchanged. */
export function addressOf(
  path: string,
  query: Readonly<Record<string, string>>,
): { txnId: string; channel?: string; pg?: string; said?: string } {
  const { id, channel, pg, from, status } = query;
  return {
    // A reference may be copied from an SMS, or written down, in any case and with spaces or hyphens.
    txnId: (id ?? path.slice(paths.paymentStatus.length + 1)).toLowerCase().replaceAll(/[^a-z\d]/g, ''),
    ...(channel ? { channel } : {}),
    ...(pg ? { pg } : {}),
    ...(from === 'gateway' && status ? { said: status.slice(0, 32) } : {}),
  };
}

/** Which text explains a number that is no payment's: customers also get numbers of questions and of requests. */
export const missingKey = (txnId: string): 'missing' | 'missingTicket' | 'missingLead' =>
  readTicketNumber(txnId) ? 'missingTicket' : /^hb[\da-f]{20}$/.test(txnId) ? 'missingLead' : 'missing';

export type Outcome = 'success' | 'failed' | 'process';

const inProcess = ['REQUEST_REGISTERED', 'REQUEST_RAISED', 'ALREADY_PROCESSED', 'IN_PROCESS'];

/** Some upstreams misspell failure; the misspelling counts as FAILED. */
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

/**
 * A postpaid bill with an invoice number is a fixed-internet bill; purchases for a router have a type name of their
 * own.
 */
export function typeKeyOf(
  transaction: Pick<Transaction, 'transactionType' | 'invoiceNumber' | 'rechargeType'>,
): string {
  if (transaction.transactionType === 'POSTPAID_BILL' && transaction.invoiceNumber) return 'FIXED_INTERNET';
  if (transaction.rechargeType === 'broadband') return 'BROADBAND';
  return transaction.transactionType;
}

type Told = Pick<
  Transaction,
  | 'moneyState'
  | 'paymentMode'
  | 'paymentGateway'
  | 'transactionType'
  | 'left'
  | 'declined'
  | 'unopened'
  | 'unclear'
  | 'refund'
> &
  Partial<Pick<Transaction, 'status' | 'final' | 'metaInfo'>>;
type Ways = Pick<PublicPack, 'methods' | 'features'>;

/** Registered, but the request to pay was lost on its way: nobody was asked for anything, and the order can be paid. */
export const isUnsent = ({ status, moneyState, final }: Pick<Told, 'status' | 'moneyState' | 'final'>): boolean =>
  final === false && moneyState === 'notTaken' && readStatus(status ?? '') === 'REQUEST_REGISTERED';

/** The money's state as a text key: `status.money` has its sentence, `status.step` its line in the timeline. */
export function moneyWordOf(told: Told, operator: Ways): string {
  const { moneyState, refund, left, declined, unopened, unclear } = told;
  if (isUnsent(told)) return 'unsent';
  if (moneyState === 'taken' && refund) return 'goingBack';
  if (moneyState !== 'awaitingApproval') {
    const { transactionType, metaInfo } = told;
    return toldState(moneyState, { transactionType, isLeadErased: metaInfo?.isErased });
  }
  const awaited = awaitedWord(methodPaidBy(told, operator), operator);
  if (awaited === 'awaitingBank' || awaited === 'awaitingGateway') {
    const said = (left && 'left') || (declined && 'declined') || (unopened && 'unopened') || 'awaiting';
    return awaited.replace('awaiting', said);
  }
  if (unclear) return awaited === 'awaitingAnswer' ? 'unclearAnswer' : 'unclear';
  return awaited;
}

/** The timeline's current step uses the sentence of the heading; past and future steps have texts of their own. */
export function stepWordOf({ state, mark }: MoneyStep, told: Told, operator: Ways): string {
  const { paymentMode, paymentGateway, transactionType } = told;
  return moneyWordOf(
    mark === 'current' ? told : { paymentMode, paymentGateway, transactionType, moneyState: state },
    operator,
  );
}

export interface MoneyStep {
  state: MoneyState;
  at: string | null;
  mark: 'done' | 'current' | 'todo' | 'failed';
}

/** The steps of the money with the times known so far: past, current and still to come. */
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
