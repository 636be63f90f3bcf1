import { deviceKeys as keys } from '../../lib/device-keys.ts';
import type { QueryData } from '../../lib/session.ts';
import { deviceStore, type SafeStorage } from '../../lib/storage.ts';

/** A purchase that came through, as this device remembers it; the server knows of no device. */
export interface Recent {
  id: string;
  at: string;
  order: QueryData;
}

const most = 5;

export const recentsIn = (store: SafeStorage) => ({
  list: (): Recent[] => store.read<Recent[]>(keys.recents) ?? [],

  /** Newest first; the same purchase again takes the place of the older one. */
  remember(recent: Recent): void {
    if (store.readText(keys.shared)) return;
    const others = (store.read<Recent[]>(keys.recents) ?? []).filter(
      ({ id, order }) => id !== recent.id && !isSamePurchase(order, recent.order),
    );
    // Bought again it is another order, which is offered and shown as of that day.
    const { orderId: _, pgOptions: __, theme: ___, ...order } = recent.order;
    store.write(keys.recents, [{ ...recent, order }, ...others].slice(0, most));
  },

  /** Whether this device keeps anything about anybody, a place or an order that waits among it. */
  hasTraces: () => [keys.recents, keys.keptOrder, keys.lastPlace].some((key) => store.readText(key) !== null),
});

function isSamePurchase(one: QueryData, other: QueryData): boolean {
  return (
    one.msisdn === other.msisdn &&
    one.transactionType === other.transactionType &&
    one.productCode === other.productCode &&
    one.amount === other.amount
  );
}

/** A bill is paid for once; what is bought again and again is credit and bundles. */
export function canRepeat(order: QueryData): boolean {
  return order.transactionType !== 'POSTPAID_BILL' && order.transactionType !== 'HBB_LEADS';
}

export const recents = recentsIn(deviceStore);
