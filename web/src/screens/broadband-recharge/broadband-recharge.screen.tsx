import { paths, withQuery } from '@portal/domain/paths.ts';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import type { BundleFlowLoaded } from '../../features/bundle-list/bundle-flow.ts';
import { LineBundles } from '../../features/bundle-list/deferred-line-bundles.tsx';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { KeptOrderCard } from '../../features/kept-order/kept-order-card.tsx';
import { KnownLine } from '../../features/line-check/known-line.tsx';
import { LineField } from '../../features/line-check/line-field.tsx';
import { useLineCheck } from '../../features/line-check/use-line-check.ts';
import { useFlowEntry } from '../../lib/flow-entry.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { useUnpaidOrder } from '../../lib/unpaid-order.ts';
import { deferred } from '../../loading/deferred.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { broadbandFlow } from './broadband-page.ts';
import styles from './broadband-recharge.module.css';

// Needed once a line is known, which the server may know already.
const load = () => import('./balance-check.tsx').then((module) => module.BalanceCheck);
const BalanceCheck = import.meta.env.SSR ? await load() : deferred(load);

export function Screen({ loaded }: ScreenProps<BundleFlowLoaded>) {
  const page = usePage();
  const { t, form, query, operator } = page;
  const formats = useFormats();
  const hydrated = useHydrated();
  // After a change of language the server's data is gone, but its result for this number is still valid.
  const [first] = useState(loaded ?? null);
  const left = useUnpaidOrder(paths.broadbandRecharge, ['PREPAID_BUNDLES', 'POSTPAID_BUNDLES']);
  const [national, setNational] = useState(
    form?.values.msisdn ?? first?.line?.msisdn ?? formats.read(query.msisdn ?? left?.msisdn ?? ''),
  );
  const loadedLine = first?.line?.msisdn === national ? first.line : null;
  const check = useLineCheck(loadedLine ? '' : national, broadbandFlow.requestType);
  const line = loadedLine ?? (check.state === 'line' ? { msisdn: national, lineType: check.lineType } : null);
  const list = useRef<HTMLDivElement>(null);
  useFlowEntry(paths.broadbandRecharge);

  const elsewhere = (
    <>
      {t('broadband.mobileLine')}{' '}
      <Link href={withQuery(paths.prepaidRecharge, { msisdn: national })}>{t('broadband.toRecharge')}</Link>
      {' · '}
      <Link href={withQuery(paths.dataBundle, { msisdn: national })}>{t('bundles.forThisLine')}</Link>
    </>
  );
  const words = national === form?.values.msisdn ? formError(form, 'msisdn', t) : undefined;

  function showBundles(event: FormEvent<HTMLFormElement>) {
    if (check.canPost) return;
    event.preventDefault();
    list.current?.querySelector('h2')?.focus();
  }

  return (
    <div className={`lit ${styles.page}`}>
      <div className={styles.narrow}>
        <h1>{t('broadband.title')}</h1>
        <p className={styles.lead}>{t('broadband.lead')}</p>
        <Card>
          <FlowTabs current={paths.broadbandRecharge} />
          <KeptOrderCard />
          <form
            method="post"
            action={page.href(paths.broadbandRecharge)}
            onSubmit={showBundles}
            className={styles.form}
            noValidate
          >
            <LineField
              value={national}
              onChange={setNational}
              hint={t('broadband.numberHint', { brand: operator.brand.name })}
              check={check}
              known={line && <KnownLine kind={t('broadband.line')} />}
              error={words === t('broadband.mobileLine') ? elsewhere : words}
              elsewhere={elsewhere}
            />
            <Button type="submit" block disabled={hydrated && !line && !check.canPost}>
              {t('bundles.show')}
            </Button>
          </form>
          {operator.features.dataBalance && line && (
            <Suspense fallback={<Skeleton height={48} />}>
              <BalanceCheck key={line.msisdn} national={line.msisdn} />
            </Suspense>
          )}
        </Card>
      </div>
      <div ref={list}>
        {line && <LineBundles key={line.msisdn} line={line} flow={broadbandFlow} loaded={first?.bundles ?? null} />}
      </div>
    </div>
  );
}
