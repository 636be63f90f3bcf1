import { useEffect } from 'react';
import type { BaseLocationHook } from 'wouter';
import { useBrowserLocation } from 'wouter/use-browser-location';

interface Guard {
  href: string;
  /** Whether this address no longer shows what is unsaved. */
  isLeftFor: (address: URL) => boolean;
  question: string;
}

/** Of the page and of the dialogs on it that have unsaved changes, the latest last. */
const guards: Guard[] = [];

/** Asks once, whatever is left behind; null where all stays, or may be left. */
function staysFor(address: URL): Guard | null {
  const left = guards.findLast((one) => one.isLeftFor(address));
  return left && !window.confirm(left.question) ? left : null;
}

// popstate fires after the navigation: on cancel the URL is pushed again, before another page renders. The window calls
// listeners in the order of their registration, so this one is registered before the router's.
window.addEventListener('popstate', (event) => {
  const kept = staysFor(new URL(window.location.href));
  if (!kept) return;
  event.stopImmediatePropagation();
  window.history.pushState(null, '', kept.href);
});

/**
 * While something is unsaved, leaving it asks: by a link, by Back, or for another site. A page stays where only the query
 * of its URL changes, and a dialog does not.
 */
export function useUnsaved(isUnsaved: boolean, question: string, what: 'page' | 'dialog' = 'page'): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const { pathname, search, href } = window.location;
    const guard: Guard = {
      href,
      isLeftFor: (to) => to.pathname !== pathname || (what === 'dialog' && to.search !== search),
      question,
    };
    guards.push(guard);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      guards.splice(guards.indexOf(guard), 1);
      window.removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved, question, what]);
}

/** The browser's location; navigating to another page asks first while something is unsaved. */
export const useGuardedLocation: BaseLocationHook = () => {
  const [location, go] = useBrowserLocation();
  return [
    location,
    (to: string, options?: object) => {
      if (!staysFor(new URL(to, window.location.href))) go(to, options);
    },
  ];
};
