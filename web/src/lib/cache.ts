import { cacheDefaultSeconds } from '@portal/domain/constants.ts';
import { type SafeStorage, sessionStore } from './storage.ts';

interface CachedItem<T> {
  expiry: number;
  data: T;
}

interface FetchOptions<T> {
  seconds?: number;
  keep?: (data: T) => boolean;
}

export interface Cache {
  read<T>(key: string): T | null;
  write(key: string, data: unknown, seconds?: number): void;
  /**
   * Returns the cached value while fresh, else fetches it once for all concurrent callers; only what `keep` accepts
   * is stored.
   */
  fetch<T>(key: string, load: () => Promise<T>, options?: FetchOptions<T>): Promise<T>;
}

export function createCache(storage: SafeStorage, now: () => number): Cache {
  const coming = new Map<string, Promise<unknown>>();
  const cache: Cache = {
    read<T>(key: string) {
      const item = storage.read<CachedItem<T>>(key);
      if (!item || typeof item.expiry !== 'number') return null;
      if (item.expiry > now()) return item.data;
      storage.remove(key);
      return null;
    },
    write(key, data, seconds = cacheDefaultSeconds) {
      storage.write(key, { expiry: now() + seconds * 1000, data } satisfies CachedItem<unknown>);
    },
    async fetch<T>(key: string, load: () => Promise<T>, options?: FetchOptions<T>) {
      const kept = cache.read<T>(key);
      if (kept !== null) return kept;
      const underWay = coming.get(key) as Promise<T> | undefined;
      if (underWay) return underWay;
      const asked = load().finally(() => coming.delete(key));
      coming.set(key, asked);
      const data = await asked;
      if (options?.keep?.(data) ?? true) cache.write(key, data, options?.seconds);
      return data;
    },
  };
  return cache;
}

export const sessionCache = createCache(sessionStore, Date.now);
