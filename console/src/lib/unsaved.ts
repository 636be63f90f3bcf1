import { useEffect } from 'react';
import type { BaseLocationHook } from 'wouter';
import { useBrowserLocation } from 'wouter/use-browser-location';

interface Guard {
  pathname: string;
  href: string;
  mayLeave: () => boolean;
}

/** Set by the page with unsaved changes; null if everything is saved. */
let guard: Guard | null = null;

// popstate fires after the navigation: on cancel the URL is pushed again, before another page renders. The window calls
// listeners in the order of their registration, so this one is registered before the router's.
window.addEventListener('popstate', (event) => {
  if (!guard || window.location.pathname === guard.pathname || guard.mayLeave()) return;
  event.stopImmediatePropagation();
  window.history.pushState(null, '', guard.href);
});

/** While something is unsaved, leaving the page asks: by a link, by Back, or for another site. */
export function useUnsaved(isUnsaved: boolean, question: string): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const { pathname, href } = window.location;
    guard = { pathname, href, mayLeave: () => window.confirm(question) };
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => {
      guard = null;
      window.removeEventListener('beforeunload', warn);
    };
  }, [isUnsaved, question]);
}

const pathOf = (address: string) => address.split(/[?#]/)[0];

/** The browser's location; navigating to another page asks first while something is unsaved. */
export const useGuardedLocation: BaseLocationHook = () => {
  const [location, go] = useBrowserLocation();
  return [
    location,
    (to: string, options?: object) => {
      if (pathOf(to) === location || !guard || guard.mayLeave()) go(to, options);
    },
  ];
};
