import { paths } from '@portal/domain/paths.ts';
import { type FormEvent, Suspense, useRef, useState } from 'react';
import { type BundleLine, bundleOrder } from '../../features/bundle-list/bundle-order.ts';
import { LineBundles } from '../../features/bundle-list/deferred-line-bundles.tsx';
import { type BundlesState, useBundles } from '../../features/bundle-list/use-bundles.ts';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { KeptOrderCard } from '../../features/kept-order/kept-order-card.tsx';
import { useOrder } from '../../features/kept-order/use-order.ts';
import { useLineCheck } from '../../features/line-check/use-line-check.ts';
import { PopularBundles } from '../../features/popular-bundles/popular-bundles.tsx';
import { useFlowEntry } from '../../lib/flow-entry.ts';
import { Link } from '../../lib/link.tsx';
import { useFormats, usePage } from '../../lib/page.tsx';
import { usePrefetchedPayment } from '../../lib/prefetch-payment.ts';
import type { ScreenProps } from '../../lib/screen.ts';
import { useUnpaidOrder } from '../../lib/unpaid-order.ts';
import { deferred } from '../../loading/deferred.ts';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { BundleForm } from './bundle-form.tsx';
import { bundleFlow, type DataBundleLoaded, isBrowsing } from './bundle-page.ts';
import styles from './data-bundle.module.css';

// Imported from the list's script, which this page loads anyway.
const load = () => import('../../features/bundle-list/line-bundles.tsx').then((module) => module.BundleCard);
const BundleCard = import.meta.env.SSR ? await load() : deferred(load);

export function Screen({ loaded }: ScreenProps<DataBundleLoaded>) {
  const { query } = usePage();
  return <DataBundle key={query.product ?? ''} loaded={loaded} product={query.product} />;
}

interface DataBundleProps extends ScreenProps<DataBundleLoaded> {
  product: string | undefined;
}

function DataBundle({ loaded, product }: DataBundleProps) {
  const { t, form, query, operator } = usePage();
  const formats = useFormats();
  // After a change of language the server's data is gone, but its result for this number is still valid.
  const [first] = useState(loaded ?? null);
  const left = useUnpaidOrder(paths.dataBundle, ['PREPAID_BUNDLES', 'POSTPAID_BUNDLES']);
  const [national, setNational] = useState(
    form?.values.msisdn ?? first?.line?.msisdn ?? formats.read(query.msisdn ?? left?.msisdn ?? ''),
  );
  const loadedLine = first?.line?.msisdn === national ? first.line : null;
  const check = useLineCheck(loadedLine ? '' : national, bundleFlow.requestType);
  const checkedLine = check.state === 'line' ? { msisdn: national, lineType: check.lineType } : null;
  const line = loadedLine ?? checkedLine;
  const { chosen, isGone, isForLine } = useChosen(product, line, first);
  const browsed = isBrowsing(query) && national === '';
  const popular = useBundles(browsed ? { popular: true } : null, first?.popular, { isQuiet: true });
  const list = useRef<HTMLDivElement>(null);
  const placeOrder = useOrder();
  useFlowEntry(paths.dataBundle);
  usePrefetchedPayment(line !== null && chosen !== null && isForLine === true);
  const [isRefused, setRefused] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>) {
    if (check.canPost) return;
    if (line && chosen && isForLine) {
      const placed = placeOrder(bundleOrder(chosen, line, { redirectPage: paths.dataBundle }));
      setRefused(placed === 'refused');
      if (placed === 'post') return;
    } else list.current?.querySelector('h2')?.focus();
    event.preventDefault();
  }

  return (
    <div className={`lit ${styles.page}`}>
      <div className={styles.narrow}>
        <h1>{t('bundles.title')}</h1>
        <p className={styles.lead}>{t('bundles.lead', { brand: operator.brand.name })}</p>
        <Card>
          <FlowTabs current={paths.dataBundle} />
          {chosen && (
            <div className={styles.chosen}>
              <h2>{t('bundles.chosen')}</h2>
              <Suspense fallback={<Skeleton height={176} />}>
                <BundleCard bundle={chosen} />
              </Suspense>
              <Link href={paths.tariffTable}>{t('bundles.change')}</Link>
            </div>
          )}
          <KeptOrderCard />
          {isRefused && <Notice kind="failure" role="alert" title={t('recharge.needsNetworkShared')} />}
          {isGone && <Notice kind="info" role="status" title={t('bundles.gone')} />}
          <BundleForm
            national={national}
            onNumber={setNational}
            check={check}
            line={line}
            chosen={isForLine === false ? null : chosen}
            isReady={line !== null && (!chosen || isForLine !== null)}
            onSubmit={submit}
          />
          {!chosen && (
            <p className={styles.lead}>
              <Link href={paths.tariffTable}>{t('bundles.withoutNumber')}</Link>
            </p>
          )}
        </Card>
      </div>
      <div ref={list} className={styles.wide}>
        {browsed && popular.state !== 'failed' && (
          <PopularBundles bundles={popular.state === 'loaded' ? popular.bundles : null} />
        )}
        {chosen && isForLine === false && <Notice kind="info" role="status" title={t('bundles.notForLine')} />}
        {line && (!product || isGone || isForLine === false) && (
          <LineBundles key={line.msisdn} line={line} flow={bundleFlow} loaded={first?.bundles ?? null} />
        )}
      </div>
    </div>
  );
}

/** The bundle of ?product=: at its public price, and, once a line is known, whether that line can buy it. */
function useChosen(product: string | undefined, line: BundleLine | null, first: DataBundleLoaded | null) {
  const { serviceType } = bundleFlow;
  const sold = useBundles(product ? { serviceType } : null, first?.named);
  const own = useBundles(product && line ? { ...line, serviceType } : null, first?.bundles);
  const find = (found: BundlesState) =>
    found.state === 'loaded' ? (found.bundles.find(({ productCode }) => productCode === product) ?? null) : null;
  return {
    chosen: find(own) ?? find(sold),
    isGone: sold.state === 'loaded' && find(sold) === null,
    isForLine: own.state === 'loaded' ? find(own) !== null : null,
  };
}
