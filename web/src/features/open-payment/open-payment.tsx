import { statusPath } from '@portal/domain/paths.ts';
import { useEffect, useState } from 'react';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import { type QueryData, session } from '../../lib/session.ts';
import { useCall } from '../../lib/use-call.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** The newest payment of this tab while its outcome is open: whoever comes home does not pay it again by mistake. */
export function OpenPayment() {
  const [begun, setBegun] = useState<[string, QueryData]>();
  useEffect(() => setBegun(Object.entries(session.paid.all() ?? {}).at(-1)), []);
  return begun ? <Begun id={begun[0]} order={begun[1]} /> : null;
}

function Begun({ id, order }: { id: string; order: QueryData }) {
  const { t, api } = usePage();
  const formats = useFormats();
  const told = useCall(id, (signal) => api('transactionStatus', { query: { tid: id }, signal }));
  if (told.state !== 'loaded' || told.result.final) return null;
  return (
    <section aria-label={t('recent.open')}>
      <Notice
        kind="process"
        role="status"
        title={t('recent.open')}
        action={
          <ButtonLink as={Link} href={statusPath(id)} kind="secondary">
            {t('recent.seeOpen')}
          </ButtonLink>
        }
      >
        {t('recent.openText', {
          amount: formats.money(order.amount, order.currency),
          number: formats.number(order.msisdn),
        })}
      </Notice>
    </section>
  );
}
