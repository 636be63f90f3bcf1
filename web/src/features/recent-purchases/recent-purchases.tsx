import { paths } from '@portal/domain/paths.ts';
import { useEffect, useState } from 'react';
import { useFormats, usePage } from '../../lib/page.tsx';
import { session } from '../../lib/session.ts';
import { isPhoneShared, setPhoneShared } from '../../lib/shared-phone.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import styles from './recent-purchases.module.css';
import { canRepeat, type Recent, recents } from './recents.ts';

/** Stored on this device only, so they are rendered after hydration; without any nothing is shown. */
export function RecentPurchases() {
  const { t, navigate } = usePage();
  const formats = useFormats();
  const [list, setList] = useState<Recent[]>([]);
  const [isShared, setShared] = useState(false);
  const [hasTraces, setTraces] = useState(false);
  useEffect(() => {
    setList(recents.list());
    setShared(isPhoneShared());
    setTraces(recents.hasTraces());
  }, []);
  if (!hasTraces && !isShared) return null;

  function share(value: boolean) {
    setPhoneShared(value);
    setShared(value);
    setList([]);
  }

  function repeat({ order }: Recent) {
    session.order.write(order);
    navigate(paths.paymentStart);
  }

  return (
    <section aria-labelledby="recent">
      <Card>
        <h2 id="recent">{t('recent.title')}</h2>
        {isShared ? (
          <p role="status">{t('recent.isShared')}</p>
        ) : (
          <ul className={styles.list}>
            {list.map((recent) => (
              <li key={recent.id} className={styles.item}>
                <span>
                  <span className={styles.what}>{recent.order.description ?? t('recent.credit')}</span>
                  <span className={styles.whom}>{formats.number(recent.order.msisdn)}</span>
                </span>
                {canRepeat(recent.order) && (
                  <Button
                    kind="secondary"
                    onClick={() => repeat(recent)}
                    aria-label={t('recent.repeatLabel', {
                      what: recent.order.description ?? t('recent.credit'),
                      amount: formats.money(recent.order.amount, recent.order.currency),
                      number: formats.group(recent.order.msisdn),
                    })}
                  >
                    {formats.money(recent.order.amount, recent.order.currency)}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <p className={styles.note}>{isShared ? null : t('recent.onlyHere')}</p>
        <Button kind="quiet" onClick={() => share(!isShared)}>
          {t(isShared ? 'recent.notShared' : 'recent.shared')}
        </Button>
      </Card>
    </section>
  );
}
