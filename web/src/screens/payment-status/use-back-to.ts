import { useEffect } from 'react';
import { usePage } from '../../lib/page.tsx';

interface Marked {
  /** The payment whose status page stands here twice. */
  backOf?: string;
  /** On top is the one that is read; the one below it is met by going back. */
  isTop?: boolean;
}

const marked = (): Marked => window.history.state ?? {};

/**
 * The browser's Back leads to the page the order came from, whatever stands before this one in the history: a gateway's
 * pages, the payment page, or nothing after a reload. Going back from the page on top stays in this document, so the
 * order ends as it does by Return.
 */
export function useBackTo(target: string | undefined, id: string): void {
  const { navigate } = usePage();
  useEffect(() => {
    // While another page is on its way its address is there already, and is not to be marked.
    if (target === undefined || !window.location.href.includes(id)) return;
    if (marked().backOf !== id || !marked().isTop) {
      window.history.replaceState({ backOf: id }, '');
      window.history.pushState({ backOf: id, isTop: true }, '');
    }
    const onBack = () => {
      if (marked().backOf === id && !marked().isTop) navigate(target, { replace: true });
    };
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, [target, id, navigate]);
}
