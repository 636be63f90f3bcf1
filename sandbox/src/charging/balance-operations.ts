import { randomUUID } from 'node:crypto';
import type { SandboxState } from '../state/sandbox-state.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import { majorOf } from '../wire/money.ts';
import { invalid, TmfError } from '../wire/tmf-error.ts';
import type { ActionType, BalanceAction, BalanceActions } from './balance-actions.ts';
import type { BalanceRequest } from './balance-request.ts';

const bundleLifeMs = 30 * 24 * 60 * 60 * 1000;

export interface Ledger {
  state: SandboxState;
  actions: BalanceActions;
  reservationLifeMs: number;
  currency: string;
  currencyDigits: number;
}

export function topUp(ledger: Ledger, request: BalanceRequest, refused: boolean): BalanceAction {
  const { line, amount } = request;
  if (amount < 0) throw invalid('A top-up needs an amount above 0.');
  const usageType = asText(request.body.usageType);
  if (usageType === undefined) throw invalid('usageType is missing.');
  if (!request.bucket) throw invalid('bucket.id is missing.');
  const monetary = usageType === 'monetary';
  if (monetary && request.units !== ledger.currency) throw invalid(`A monetary top-up is in ${ledger.currency}.`);
  const prepaid = ledger.state.balances.prepaid(line.number);
  let reason: string | undefined;
  if (line.refusesTopups) reason = 'the line does not accept top-ups';
  else if (refused) reason = 'top-up refused by the charging system';
  else if (monetary && !prepaid) reason = 'the line has no prepaid balance';
  if (reason === undefined) {
    if (monetary && prepaid) prepaid.available += amount;
    else addBundle(ledger, request, usageType);
    if (request.payment) {
      ledger.state.books.deliver(request.payment.id, request.units === ledger.currency ? amount : 0, line.number);
    }
  }
  return record(ledger, 'TopupBalance', request, { usageType, reason });
}

export function reserve(ledger: Ledger, request: BalanceRequest, refused: boolean): BalanceAction {
  if (request.amount < 0) throw invalid('A reservation needs an amount above 0.');
  const prepaid = ledger.state.balances.prepaid(request.line.number);
  const enough = prepaid !== undefined && prepaid.available >= request.amount;
  const reason = refused ? 'reservation refused by the charging system' : enough ? undefined : 'insufficient balance';
  const action = record(ledger, 'ReserveBalance', request, { reason });
  if (prepaid && reason === undefined) {
    prepaid.available -= request.amount;
    prepaid.reserved += request.amount;
    const held = { number: request.line.number, amount: request.amount };
    ledger.actions.reserve(action, held, {
      afterMs: ledger.reservationLifeMs,
      release: () => {
        const freed = ledger.actions.close(action.id, 'released') ?? 0;
        prepaid.reserved -= freed;
        prepaid.available += freed;
      },
    });
  }
  return action;
}

export function adjust(ledger: Ledger, request: BalanceRequest, refused: boolean): BalanceAction {
  const adjustType = asText(request.body.adjustType);
  const reserveBalance = asText(asRecord(request.body.reserveBalance).id);
  let reason: string | undefined;
  if (refused) reason = 'adjustment refused by the charging system';
  else if (adjustType === 'commit' || adjustType === 'release') {
    if (reserveBalance === undefined) throw invalid(`adjustType ${adjustType} needs reserveBalance.id.`);
    reason = closeReservation(ledger, request, adjustType, reserveBalance);
  } else if (adjustType === 'credit' || adjustType === 'debit') {
    reason = move(ledger, request, adjustType);
  } else {
    throw invalid('adjustType must be commit, release, credit or debit.');
  }
  return record(ledger, 'AdjustBalance', request, {
    adjustType,
    reason,
    reserveBalance: reserveBalance === undefined ? undefined : { id: reserveBalance },
  });
}

/** Returns why it is refused, or undefined on success. Committing less than the reserved amount frees the rest. */
function closeReservation(
  ledger: Ledger,
  request: BalanceRequest,
  adjustType: 'commit' | 'release',
  id: string,
): string | undefined {
  const reservation = ledger.actions.reservation(id);
  const prepaid = ledger.state.balances.prepaid(request.line.number);
  if (!reservation || !prepaid || reservation.number !== request.line.number) {
    throw new TmfError(404, '60', 'not found', 'This line has no such reservation.');
  }
  if (!reservation.open) return 'the reservation is no longer open';
  const spent = adjustType === 'release' ? 0 : Math.abs(request.amount);
  if (spent > reservation.amount) return 'the amount is more than was reserved';
  const held = ledger.actions.close(id, adjustType === 'release' ? 'released' : 'committed') ?? 0;
  prepaid.reserved -= held;
  prepaid.available += held - spent;
  if (spent > 0 && request.payment) {
    ledger.state.books.take('airtime', request.payment.id, spent, ledger.currency, request.line.number);
  }
  return undefined;
}

function move(ledger: Ledger, request: BalanceRequest, adjustType: 'credit' | 'debit'): string | undefined {
  const { line, payment } = request;
  const prepaid = ledger.state.balances.prepaid(line.number);
  if (!prepaid) return 'the line has no prepaid balance';
  const amount = Math.abs(request.amount);
  if (adjustType === 'debit' && prepaid.available < amount) return 'insufficient balance';
  prepaid.available += adjustType === 'credit' ? amount : -amount;
  if (payment && adjustType === 'credit') {
    ledger.state.books.giveBack('airtime', payment.id, amount, ledger.currency, line.number);
  } else if (payment) {
    ledger.state.books.take('airtime', payment.id, amount, ledger.currency, line.number);
  }
  return undefined;
}

/**
 * A bundle arrives as a top-up of a bucket (price in the amount, contents in the bucket) or as a plain amount of data.
 * Without an end date it is valid forever.
 */
function addBundle({ state, currency }: Ledger, request: BalanceRequest, usageType: string): void {
  const bucket = asRecord(request.body.bucket);
  const content = request.units === currency ? asRecord(bucket.remainingValue) : asRecord(request.body.amount);
  const validFor = bucket.validFor ?? request.body.validFor;
  const usualEnd = validFor === undefined ? new Date(Date.now() + bundleLifeMs).toISOString() : null;
  state.balances.addBundle(request.line.number, {
    id: randomUUID(),
    description: request.description ?? asText(bucket.name) ?? request.bucket?.id ?? 'Bundle',
    category: usageType.toUpperCase(),
    unlimited: bucket.isUnlimited === true,
    amount: typeof content.amount === 'number' ? content.amount : null,
    unit: asText(content.units) ?? '',
    expiresAt: asText(asRecord(validFor).endDateTime) ?? usualEnd,
  });
}

/** Money is stored in its smallest unit and sent in major units; data and minutes are sent as received. */
function wireAmount({ amount, units }: BalanceRequest, { currency, currencyDigits }: Ledger): number {
  return units === currency ? majorOf(amount, currencyDigits) : amount;
}

function record(
  ledger: Ledger,
  type: ActionType,
  request: BalanceRequest,
  rest: { usageType?: string; reason?: string; adjustType?: string; reserveBalance?: { id: string } },
): BalanceAction {
  const { reason, usageType = 'monetary', ...more } = rest;
  return ledger.actions.record({
    '@type': type,
    status: reason === undefined ? 'completed' : 'failed',
    ...(reason === undefined ? {} : { reason }),
    amount: { amount: wireAmount(request, ledger), units: request.units },
    usageType,
    bucket: request.bucket,
    partyAccount: request.partyAccount,
    payment: request.payment,
    description: request.description,
    ...more,
  });
}
