import { withoutNames } from '../../lib/personal-address.ts';
import { sharedPhoneCache } from '../../offline/worker-scope.ts';

/** The mark comes first, so that the worker keeps nothing new while the old goes. */
export async function forgetAnswers(): Promise<void> {
  if (!('caches' in window)) return;
  await caches.open(sharedPhoneCache);
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys())
      if (withoutNames(request.url)) await cache.delete(request, { ignoreVary: true });
  }
}

/** What is not about anybody was kept all along. */
export async function keepAnswersAgain(): Promise<void> {
  if ('caches' in window) await caches.delete(sharedPhoneCache);
}

interface Entry {
  key: string;
  url: string | null;
  sameDocument: boolean;
}

/** The part of the browser's Navigation API that is used; not every browser has it. */
interface Navigation {
  currentEntry: Entry;
  entries(): Entry[];
  traverseTo(key: string): { finished: Promise<unknown> };
}

/** Past the router, which would take a changed address for a wish to go there. */
const replaceHere = (address: string) => History.prototype.replaceState.call(window.history, null, '', address);

/** What this entry of the history says about somebody goes before another one is opened. */
export function forgetThisEntry(): void {
  const clean = withoutNames(window.location.href);
  if (clean) replaceHere(clean);
}

/**
 * Entries of this document are gone through and cleaned. Those of others cannot be reached without opening them; they are
 * cleaned when somebody goes back to them.
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
