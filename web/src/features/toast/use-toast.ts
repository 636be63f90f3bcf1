import type { Failure } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { whenUsable } from '../../loading/deferred.ts';

type Length = 'short' | 'long';

/** In a script of its own, so that no form waits for it; there before it is wanted, since it also says that there is no network. */
const bring = whenUsable(() => import('./show-toast-for.ts'));

/**
 * For what belongs to no field, dialog or payment: content or a list that did not come, a vote that was lost, and that
 * something was copied, shared, sent again or kept.
 */
export function useToast() {
  const { t } = usePage();
  const show = (kind: 'error' | 'success', heading: string, message: string, length: Length) =>
    bring().then(({ showToastFor }) => showToastFor(length, { kind, heading, message }));
  const error = (message: string, length: Length = 'short') => show('error', t('common.error'), message, length);
  return {
    error,
    /** Nothing where the page went before the answer came. */
    failed: (failure: Failure) => {
      if (failure.code !== 'ABORTED') error(failure.message);
    },
    done: (message: string) => show('success', t('common.done'), message, 'short'),
  };
}
