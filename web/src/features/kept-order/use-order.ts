import { paths } from '@portal/domain/paths.ts';
import { usePage } from '../../lib/page.tsx';
import { type QueryData, session } from '../../lib/session.ts';
import { useToast } from '../toast/use-toast.ts';
import { keptOrder } from './kept-order.ts';

/** Outcome of an order: payment page opened, order stored until the connection is back, refused, or post the form. */
export type Placed = 'paying' | 'kept' | 'refused' | 'post';

export function useOrder(): (order: QueryData) => Placed {
  const { navigate, t } = usePage();
  const toast = useToast();
  return (order) => {
    if (!navigator.onLine) {
      if (!keptOrder.keep(order)) return 'refused';
      toast.done(t('recharge.keptToast'));
      return 'kept';
    }
    // Where storage is unavailable, the form is posted and the order travels in the URL.
    if (!session.order.write(order)) return 'post';
    keptOrder.forgetIfSame(order);
    navigate(paths.paymentStart);
    return 'paying';
  };
}
