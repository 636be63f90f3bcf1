import { randomUUID } from 'node:crypto';

export type ActionType = 'TopupBalance' | 'ReserveBalance' | 'AdjustBalance';

export interface BalanceAction {
  id: string;
  '@type': ActionType;
  /** A released or expired reservation is cancelled; it can no longer be committed. */
  status: 'completed' | 'failed' | 'cancelled';
  reason?: string;
  amount: { amount: number; units: string };
  usageType: string;
  bucket?: { id: string };
  partyAccount: { id: string };
  payment?: { id: string };
  description?: string;
  adjustType?: string;
  reserveBalance?: { id: string };
  actionDate: string;
}

export interface Reservation {
  number: string;
  amount: number;
  open: boolean;
  expiry: NodeJS.Timeout;
}

/** Every action with its outcome, including refused ones. Not idempotent: a repeated top-up is a second top-up. */
export class BalanceActions {
  #byId = new Map<string, BalanceAction>();
  #byParty = new Map<string, BalanceAction[]>();
  #byPayment = new Map<string, BalanceAction[]>();
  #reservations = new Map<string, Reservation>();

  record(action: Omit<BalanceAction, 'id' | 'actionDate'>): BalanceAction {
    const recorded = { id: randomUUID(), ...action, actionDate: new Date().toISOString() };
    this.#byId.set(recorded.id, recorded);
    push(this.#byParty, recorded.partyAccount.id, recorded);
    if (recorded.payment) push(this.#byPayment, recorded.payment.id, recorded);
    return recorded;
  }

  find(id: string): BalanceAction | undefined {
    return this.#byId.get(id);
  }

  history(partyId: string | undefined, paymentId: string | undefined): BalanceAction[] {
    if (paymentId === undefined) return (this.#byParty.get(partyId ?? '') ?? []).toReversed();
    const actions = this.#byPayment.get(paymentId) ?? [];
    return actions.filter((action) => partyId === undefined || action.partyAccount.id === partyId).toReversed();
  }

  reserve(
    action: BalanceAction,
    held: Pick<Reservation, 'number' | 'amount'>,
    expires: { afterMs: number; release: () => void },
  ): void {
    const expiry = setTimeout(expires.release, expires.afterMs);
    expiry.unref();
    this.#reservations.set(action.id, { ...held, open: true, expiry });
  }

  /** Returns the reserved amount, once; undefined if the reservation is already closed. */
  close(id: string, how: 'committed' | 'released'): number | undefined {
    const reservation = this.#reservations.get(id);
    if (!reservation?.open) return undefined;
    reservation.open = false;
    clearTimeout(reservation.expiry);
    const action = this.#byId.get(id);
    if (action && how === 'released') action.status = 'cancelled';
    return reservation.amount;
  }

  reservation(id: string): Reservation | undefined {
    return this.#reservations.get(id);
  }

  reset(): void {
    this.#byId.clear();
    this.#byParty.clear();
    this.#byPayment.clear();
    for (const { expiry } of this.#reservations.values()) clearTimeout(expiry);
    this.#reservations.clear();
  }
}

function push(index: Map<string, BalanceAction[]>, key: string, action: BalanceAction): void {
  const list = index.get(key);
  if (list) list.push(action);
  else index.set(key, [action]);
}
