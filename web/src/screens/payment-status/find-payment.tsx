import { paths, statusPath } from '@portal/domain/paths.ts';
import { useEffect, useState } from 'react';
import { type Recent, recents } from '../../features/recent-purchases/recents.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import styles from './payment-status.module.css';

/** Finds a payment whose page was closed: by the reference in the SMS, or on the phone that paid. */
export function FindPayment() {
  const { t, operator } = usePage();
  return (
    <div className={styles.page}>
      <h1>{t('status.findTitle')}</h1>
      <p>{t('status.findText', { care: operator.care.number })}</p>
      <ReferenceForm />
      <OnThisPhone />
    </div>
  );
}

export function ReferenceForm() {
  const { t, href, query } = usePage();
  return (
    <Card>
      <form method="get" action={href(paths.paymentStatus)}>
        <Field
          label={t('status.findLabel')}
          name="id"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          // After a mistake it is corrected, not typed once more.
          defaultValue={query.id}
          required
        />
        <Button type="submit" block>
          {t('status.findSubmit')}
        </Button>
      </form>
    </Card>
  );
}

/** Stored on this device only, so they are rendered after hydration. */
function OnThisPhone() {
  const { t } = usePage();
  const formats = useFormats();
  const [list, setList] = useState<readonly Recent[]>([]);
  useEffect(() => setList(recents.list()), []);
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="on-this-phone">
      <h2 id="on-this-phone">{t('status.onThisPhone')}</h2>
      <ul>
        {list.map(({ id, at, order }) => (
          <li key={id}>
            <Link href={statusPath(id)}>
              {formats.money(order.amount, order.currency)},{' '}
              {order.invoiceDetail?.invoiceNo ?? formats.number(order.msisdn)}, {formats.dateTime(at)}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
