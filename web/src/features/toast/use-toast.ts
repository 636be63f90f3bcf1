import { toastSeconds } from '@portal/domain/constants.ts';
import type { Failure } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { showToast } from '../../ui/toast-store.ts';

/**
 * For what belongs to no field, dialog or payment: content or a list that did not come, a vote that was lost, and that
 * something was copied, shared, sent again or kept.
 */
export function useToast() {
  const { t } = usePage();
  const error = (message: string, seconds: 3 | 10 = toastSeconds.short) =>
    showToast({ kind: 'error', heading: t('common.error'), message, seconds });
  return {
    error,
    /** Null where the page went before the answer came. */
    failed: (failure: Failure) => (failure.code === 'ABORTED' ? null : error(failure.message)),
    done: (message: string) =>
      showToast({ kind: 'success', heading: t('common.done'), message, seconds: toastSeconds.short }),
  };
}
