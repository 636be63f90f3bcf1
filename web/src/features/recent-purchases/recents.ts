import { deviceKeys as keys } from '../../lib/device-keys.ts';
import type { QueryData } from '../../lib/session.ts';
import { deviceStore, type SafeStorage } from '../../lib/storage.ts';

/** A completed purchase, stored on this device only. */
export interface Recent {
  id: string;
  at: string;
  order: QueryData;
}

const most = 5;

export const recentsIn = (store: SafeStorage) => ({
  list: (): Recent[] => store.read<Recent[]>(keys.recents) ?? [],

  /** Newest first; a repeated purchase replaces the older entry. */
  remember(recent: Recent): void {
    if (store.readText(keys.shared)) return;
    const others = (store.read<Recent[]>(keys.recents) ?? []).filter(
      ({ id, order }) => id !== recent.id && !isSamePurchase(order, recent.order),
    );
    store.write(keys.recents, [{ ...recent, order: anotherOrder(recent.order) }, ...others].slice(0, most));
  },

  /** Whether this device stores anything personal, such as a place or an order made offline. */
  hasTraces: () => [keys.recents, keys.keptOrder, keys.lastPlace].some((key) => store.readText(key) !== null),
});

/** Repeating a purchase makes a new order, with the offers and prices of that day. */
export function anotherOrder({ orderId: _, pgOptions: __, theme: ___, ...order }: QueryData): QueryData {
  return order;
}

function isSamePurchase(one: QueryData, other: QueryData): boolean {
  return (
    one.msisdn === other.msisdn &&
    one.transactionType === other.transactionType &&
    one.productCode === other.productCode &&
    one.invoiceDetail?.invoiceNo === other.invoiceDetail?.invoiceNo &&
    one.amount === other.amount
  );
}

/** Bills are paid once; airtime and bundles are what people buy repeatedly. */
export function canRepeat(order: QueryData): boolean {
  return order.transactionType !== 'POSTPAID_BILL' && order.transactionType !== 'HBB_LEADS';
}

export const recents = recentsIn(deviceStore);
