import { paths, withQuery } from '@portal/domain/paths.ts';
import { type FormEvent, useId, useState } from 'react';
import { Link } from '../../lib/link.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { usePrefetchedPayment } from '../../lib/prefetch-payment.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useOrder } from '../kept-order/use-order.ts';
import { billedLineKey } from '../recharge-form/billed-line.ts';
import styles from './bundle-list.module.css';
import { BundleList, Picks } from './bundle-list.tsx';
import { type BundleFlow, type BundleLine, bundleOrder } from './bundle-order.ts';
import { type LoadedBundles, useBundles } from './use-bundles.ts';

export { BundleCard } from './bundle-card.tsx';

export interface LineBundlesProps {
  line: BundleLine;
  flow: BundleFlow;
  /** Where the status page's Return leads; the flow's own page by default. */
  redirectPage?: string;
  loaded?: LoadedBundles | null;
  /** On pages about something else: only the best three, and all of them on demand. */
  isAside?: boolean;
}

/** Loads and shows the bundles of a line. Picking one stores the order and opens the payment page. */
export function LineBundles({ line, flow, redirectPage = flow.page, loaded, isAside = false }: LineBundlesProps) {
  const page = usePage();
  const { t, form, query } = page;
  const formats = useFormats();
  const formId = useId();
  const headingId = useId();
  const found = useBundles({ ...line, serviceType: flow.serviceType }, loaded);
  const isEmpty = found.state === 'loaded' && found.bundles.length === 0;
  const placeOrder = useOrder();
  usePrefetchedPayment(found.state === 'loaded' && found.bundles.length > 0);
  const [isRefused, setRefused] = useState(false);
  const [isShort, setShort] = useState(isAside);
  const refused = formError(form, 'product', t) ?? (isRefused ? t('recharge.needsNetworkShared') : undefined);

  function buy(event: FormEvent<HTMLFormElement>) {
    const pressed = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const bundles = found.state === 'loaded' ? found.bundles : [];
    const bundle = bundles.find(({ productCode }) => productCode === pressed?.value);
    if (!bundle) return event.preventDefault();
    const placed = placeOrder(bundleOrder(bundle, line, { ...flow, redirectPage }));
    setRefused(placed === 'refused');
    if (placed !== 'post') event.preventDefault();
  }

  return (
    <section className={styles.section} aria-labelledby={headingId} aria-busy={found.state === 'loading'}>
      <h2 id={headingId} tabIndex={-1}>
        {t('bundles.forLine', { number: formats.number(line.msisdn) })}
      </h2>
      {/* One element for both, because a new one is not always announced. */}
      <p role="status" className="visually-hidden">
        {found.state === 'loading' && t('bundles.loading')}
        {found.state === 'loaded' && !isEmpty && t('bundles.all', { count: found.bundles.length })}
      </p>
      {refused && <Notice kind="failure" role="alert" title={refused} />}
      <form
        id={formId}
        method="post"
        action={page.href(withQuery(flow.page, { line: query.line }))}
        onSubmit={buy}
        hidden
      >
        <input type="hidden" name="msisdn" value={line.msisdn} />
        <input type="hidden" name="redirectPage" value={redirectPage} />
      </form>
      {found.state === 'loading' && <LoadingBundles />}
      {found.state === 'failed' && (
        <Notice
          kind="failure"
          role="alert"
          title={found.message}
          action={<Button onClick={found.retry}>{t('common.tryAgain')}</Button>}
        />
      )}
      {found.state === 'loaded' && isShort && !isEmpty && (
        <>
          <Picks bundles={found.bundles} formId={formId} />
          <Button kind="secondary" block onClick={() => setShort(false)}>
            {t('bundles.all', { count: found.bundles.length })}
          </Button>
        </>
      )}
      {isEmpty && line.lineType !== 'PREPAID' && (
        <Notice
          kind="info"
          role="status"
          title={t('bundles.noData')}
          action={
            <ButtonLink as={Link} href={withQuery(paths.postpaidBillPay, { msisdn: line.msisdn })} kind="secondary">
              {t('recharge.toBill')}
            </ButtonLink>
          }
        >
          {t(billedLineKey(line.lineType))}
        </Notice>
      )}
      {found.state === 'loaded' && (isEmpty ? line.lineType === 'PREPAID' : !isShort) && (
        <BundleList
          bundles={found.bundles}
          formId={formId}
          filter={{ action: page.href(flow.page), carried: { line: query.line } }}
        />
      )}
    </section>
  );
}

function LoadingBundles() {
  return (
    <>
      <Skeleton height={280} />
      <ul className={styles.cards} aria-hidden="true">
        {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
          <li key={place}>
            <Skeleton height={210} />
          </li>
        ))}
      </ul>
    </>
  );
}
