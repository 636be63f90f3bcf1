import { paths } from '@portal/domain/paths.ts';
import { withoutNames } from '../../lib/personal-address.ts';
import { orderingLock, sharedPhoneCache } from '../../offline/worker-scope.ts';

const patienceMs = 1_000;

/** The mark is set first, so that the worker caches nothing new while the old entries are deleted. */
export async function forgetAnswers(): Promise<void> {
  if (!('caches' in window)) return;
  await caches.open(sharedPhoneCache);
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys())
      if (withoutNames(request.url)) await cache.delete(request, { ignoreVary: true });
  }
}

/** Entries without personal data stay cached. */
export async function keepAnswersAgain(): Promise<void> {
  if ('caches' in window) await caches.delete(sharedPhoneCache);
}

/** Ends the visit: what it bought or proved is no longer accessible to the next person. */
export const endVisit = () => fetch(paths.leave, { method: 'POST', redirect: 'manual' });

/** While somebody pays in another tab the visit goes on; it ends when home is opened again. */
export async function endVisitUnlessPaying(): Promise<void> {
  const { locks } = navigator;
  if (!locks) return void (await endVisit());
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), patienceMs);
  // The tab that leaves the payment releases the lock a moment later.
  await locks.request(orderingLock, { signal: patience.signal }, () => {
    clearTimeout(timer);
    return endVisit();
  });
}

interface Entry {
  key: string;
  url: string | null;
  sameDocument: boolean;
}

/** The subset of the Navigation API that is used; not every browser has it. */
interface Navigation {
  currentEntry: Entry;
  entries(): Entry[];
  traverseTo(key: string): { finished: Promise<unknown> };
}

/** Bypasses the router, which would treat a changed address as a navigation. */
const replaceHere = (address: string) => History.prototype.replaceState.call(window.history, null, '', address);

/** Clears personal data from this history entry before another one is opened. */
export function forgetThisEntry(): void {
  const clean = withoutNames(window.location.href);
  if (clean) replaceHere(clean);
}

/**
 * Walks through the history entries of this document and clears them. Entries of other documents cannot be reached
 * without opening them; they are cleared when somebody goes back to them.
 */
export async function forgetEntries(): Promise<void> {
  const { navigation } = window as { navigation?: Navigation };
  if (!navigation) return;
  const { key: here } = navigation.currentEntry;
  const named = navigation
    .entries()
    .filter(({ key, url, sameDocument }) => key !== here && sameDocument && url && withoutNames(url));
  if (named.length === 0) return;
  try {
    for (const { key } of named) {
      await navigation.traverseTo(key).finished;
      forgetThisEntry();
    }
  } finally {
    await navigation.traverseTo(here).finished.catch(() => {});
  }
}
