import { deviceKeys } from '../../lib/device-keys.ts';
import type { QueryData } from '../../lib/session.ts';
import { deviceStore, type SafeStorage } from '../../lib/storage.ts';

/** A purchase attempted offline. It is never sent automatically: the person confirms it again. */
interface Kept {
  at: number;
  order: QueryData;
}

const lifeMs = 24 * 3_600_000;

/** Only what is bought and for whom: no email, no proof, no bill data. */
function essence(order: QueryData): QueryData {
  const { msisdn, amount, currency, lineType, transactionType, redirectPage, rechargeType } = order;
  const { productCode, description, data, dataUnit, bundleInfo } = order;
  const all = { msisdn, amount, currency, lineType, transactionType, redirectPage, rechargeType };
  return { ...all, productCode, description, data, dataUnit, bundleInfo } as QueryData;
}

const keptTypes: readonly string[] = ['PREPAID_RECHARGE', 'PREPAID_BUNDLES', 'POSTPAID_BUNDLES'];

export function keptOrderIn(store: SafeStorage, now: () => number) {
  const listeners = new Set<() => void>();
  let isNew = false;
  const tellAll = () => {
    for (const listener of listeners) listener();
  };

  const kept = {
    /** False on a shared phone, where storage is unavailable, and for bills. */
    keep(order: QueryData): boolean {
      if (store.readText(deviceKeys.shared) !== null || !keptTypes.includes(order.transactionType)) return false;
      const isKept = store.write(deviceKeys.keptOrder, { at: now(), order: essence(order) } satisfies Kept);
      isNew = isKept;
      tellAll();
      return isKept;
    },
    /** True once after an order was stored; one from an earlier visit is not announced. */
    takeNews(): boolean {
      const wasNew = isNew;
      isNew = false;
      return wasNew;
    },
    /** The stored value, for detecting changes. */
    text: () => store.readText(deviceKeys.keptOrder),
    read(): QueryData | null {
      const found = store.read<Kept>(deviceKeys.keptOrder);
      if (!found || typeof found.at !== 'number') return null;
      return now() - found.at < lifeMs ? found.order : null;
    },
    /** Another order leaves the stored one waiting. */
    forgetIfSame({ msisdn, amount, productCode }: QueryData): void {
      const waiting = kept.read();
      if (waiting?.msisdn === msisdn && waiting.amount === amount && waiting.productCode === productCode) kept.forget();
    },
    forget(): void {
      store.remove(deviceKeys.keptOrder);
      tellAll();
    },
    onChange(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return kept;
}

export const keptOrder = keptOrderIn(deviceStore, Date.now);
