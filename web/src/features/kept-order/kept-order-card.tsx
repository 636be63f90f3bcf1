import { paths } from '@portal/domain/paths.ts';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useOnline } from '../../lib/hydrated.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { type QueryData, session } from '../../lib/session.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { keptOrder } from './kept-order.ts';

const isRecharge = ({ transactionType }: QueryData) => transactionType === 'PREPAID_RECHARGE';

export interface KeptOrderCardProps {
  /** Refills the recharge form, where the number is checked; a page without that form links to one that has it. */
  onRecharge?: (order: QueryData) => void;
}

/** An order that could not be paid offline, with the question whether it is still wanted. */
export function KeptOrderCard({ onRecharge }: KeptOrderCardProps) {
  const { t, navigate } = usePage();
  const formats = useFormats();
  const online = useOnline();
  const text = useSyncExternalStore(keptOrder.onChange, keptOrder.text, () => null);
  const card = useRef<HTMLElement>(null);
  const order = text ? keptOrder.read() : null;
  const isShown = order !== null && (onRecharge !== undefined || !isRecharge(order));

  // Scrolls an order that was just stored into view.
  useEffect(() => {
    if (text && keptOrder.takeNews()) card.current?.focus();
  }, [text]);

  if (!order || !isShown) return null;

  function goOn(meant: QueryData) {
    keptOrder.forget();
    if (isRecharge(meant)) return onRecharge?.(meant);
    session.order.write(meant);
    navigate(paths.paymentStart);
  }

  const what = t('recharge.keptWhat', {
    what: order.description ?? t('recharge.keptCredit'),
    amount: formats.money(order.amount, order.currency),
    number: formats.number(order.msisdn),
  });
  return (
    <section ref={card} tabIndex={-1} aria-label={t('recharge.keptTitle')}>
      <Notice
        kind={online ? 'info' : 'process'}
        role="status"
        title={t('recharge.keptTitle')}
        action={
          <>
            {online && <Button onClick={() => goOn(order)}>{t('recharge.keptGoOn')}</Button>}
            <Button kind="secondary" onClick={keptOrder.forget}>
              {t('recharge.keptForget')}
            </Button>
          </>
        }
      >
        <p>
          <strong>{what}</strong>
        </p>
        <p>{t(online ? 'recharge.keptBack' : 'recharge.keptWaiting')}</p>
      </Notice>
    </section>
  );
}
