import { useEffect, useEffectEvent } from 'react';
import { usePage } from '../../lib/page.tsx';

interface Marked {
  /** The payment whose status page has two history entries here. */
  backOf?: string;
  /** The top entry is the one in view; going back reaches the one below it. */
  isTop?: boolean;
}

const marked = (): Marked => window.history.state ?? {};

/**
 * The browser's Back leads to the page the order came from, whatever precedes this page in the history: a gateway's
 * pages, the payment page, or nothing after a reload. A second history entry keeps Back within this document, so that
 * the order is cleared as it is by Return; `onBack` runs first.
 */
export function useBackTo(target: string | undefined, id: string, onBack?: () => void): void {
  const { navigate } = usePage();
  const left = useEffectEvent(() => onBack?.());
  useEffect(() => {
    // During a navigation the URL is that of the next page already, which must not be marked.
    if (target === undefined || !window.location.href.includes(id)) return;
    if (marked().backOf !== id || !marked().isTop) {
      window.history.replaceState({ backOf: id }, '');
      window.history.pushState({ backOf: id, isTop: true }, '');
    }
    const leave = () => {
      if (marked().backOf !== id || marked().isTop) return;
      left();
      navigate(target, { replace: true });
    };
    window.addEventListener('popstate', leave);
    return () => window.removeEventListener('popstate', leave);
  }, [target, id, navigate]);
}
