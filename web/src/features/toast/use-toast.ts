import type { Failure } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { whenUsable } from '../../loading/deferred.ts';

type Length = 'short' | 'long';

/** Lazy, so that no form waits for it; loaded before its first use, because it also reports a lost connection. */
const bring = whenUsable(() => import('./show-toast-for.ts'));

/**
 * For messages that belong to no field, dialog or payment: content or a list that failed to load, a vote that was
 * lost, and confirmations such as copied, shared, sent again or stored.
 */
export function useToast() {
  const { t } = usePage();
  const show = (kind: 'error' | 'success', heading: string, message: string, length: Length) =>
    bring().then(({ showToastFor }) => showToastFor(length, { kind, heading, message }));
  const error = (message: string, length: Length = 'short') => show('error', t('common.error'), message, length);
  return {
    error,
    /** Does nothing when the page was left before the response came. */
    failed: (failure: Failure) => {
      if (failure.code !== 'ABORTED') error(failure.message);
    },
    done: (message: string) => show('success', t('common.done'), message, 'short'),
  };
}
