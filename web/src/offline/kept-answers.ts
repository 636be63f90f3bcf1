import { mayKeep } from './caching-rules.ts';

/** One cache of responses, of a limited size. */
export interface KeptAnswers {
  find(key: string): Promise<Response | undefined>;
  /** Stores a copy if the response allows it; the oldest entries are evicted when there are too many. */
  keep(key: string, answer: Response): Promise<void>;
}

export function keptAnswers(caches: CacheStorage, name: string, most: number): KeptAnswers {
  return {
    // The key contains everything that a response depends on.
    find: async (key) => (await caches.open(name)).match(key, { ignoreVary: true }),
    async keep(key, answer) {
      if (!mayKeep(answer)) return;
      const copy = answer.clone();
      const cache = await caches.open(name);
      await cache.delete(key, { ignoreVary: true });
      await cache.put(key, copy);
      const keys = await cache.keys();
      for (const old of keys.slice(0, Math.max(0, keys.length - most))) await cache.delete(old, { ignoreVary: true });
    },
  };
}
