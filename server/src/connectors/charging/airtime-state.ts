import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { BalanceAction } from './messages.ts';

/** How far a payment by airtime got, according to the history of its balance actions. */
export type AirtimeState =
  | { kind: 'taken'; id: string; amount: number; currency: string }
  | { kind: 'reserved'; reservation: string }
  /** The commit was refused, and the reservation is still held. */
  | { kind: 'commitRefused'; reservation: string }
  /** Nothing was taken, and no reservation is left to take it from. */
  | { kind: 'refused'; reason: PaymentReason }
  | { kind: 'nothing' }
  | { kind: 'unclear'; detail: string };

const reasons: Record<string, PaymentReason> = { 'insufficient balance': 'insufficientFunds' };

export function reasonOf(words: string | undefined): PaymentReason {
  return reasons[words ?? ''] ?? 'refusedByProvider';
}

export function airtimeState(actions: readonly BalanceAction[]): AirtimeState {
  const unlisted = actions.find(
    (action) => action['@type'] === 'AdjustBalance' && !adjustTypes.includes(action.adjustType ?? ''),
  );
  if (unlisted) return { kind: 'unclear', detail: `an adjustment of type ${unlisted.adjustType}` };
  const debits = adjustments(actions, ['commit', 'debit']);
  const reservations = actions.filter((action) => action['@type'] === 'ReserveBalance');
  const open = [...debits, ...reservations].find(({ status }) => !finalStatuses.includes(status));
  if (open) return { kind: 'unclear', detail: `${open['@type']} ${open.status}` };

  const taken = debits.filter(({ status }) => status === 'completed');
  if (taken[0]) {
    const { id, amount: first } = taken[0];
    const amount = sumOf(taken);
    return amount
      ? { kind: 'taken', id, amount, currency: first.units }
      : { kind: 'unclear', detail: 'a debit of no amount' };
  }

  const [held, ...others] = reservations.filter(({ status }) => status === 'completed');
  if (held) {
    if (others.length > 0) return { kind: 'unclear', detail: 'two reservations for one payment' };
    const isRefused = debits.some((debit) => debit.reserveBalance?.id === held.id);
    return { kind: isRefused ? 'commitRefused' : 'reserved', reservation: held.id };
  }
  if (reservations.some(({ status }) => status === 'cancelled'))
    return { kind: 'refused', reason: debits.length > 0 ? 'refusedByProvider' : 'expired' };
  if (reservations[0]) return { kind: 'refused', reason: reasonOf(reservations[0].reason) };
  return debits.length > 0 ? { kind: 'unclear', detail: 'a commit of no known reservation' } : { kind: 'nothing' };
}

/** The total that was refunded; null if that is not certain. */
export function refundedTotal(actions: readonly BalanceAction[]): number | null {
  const credits = adjustments(actions, ['credit']);
  if (credits.some(({ status }) => !finalStatuses.includes(status))) return null;
  return sumOf(credits.filter(({ status }) => status === 'completed'));
}

const adjustTypes = ['commit', 'debit', 'release', 'credit'];
const finalStatuses = ['completed', 'failed', 'cancelled'];

function adjustments(actions: readonly BalanceAction[], types: readonly string[]): BalanceAction[] {
  return actions.filter((action) => action['@type'] === 'AdjustBalance' && types.includes(action.adjustType ?? ''));
}

/** Debits are negative on the wire; both directions are counted as positive amounts. */
function sumOf(actions: readonly BalanceAction[]): number | null {
  const isPlain = actions.every(
    ({ amount }) => Number.isSafeInteger(amount.amount) && amount.units === actions[0]?.amount.units,
  );
  return isPlain ? actions.reduce((sum, { amount }) => sum + Math.abs(amount.amount), 0) : null;
}
