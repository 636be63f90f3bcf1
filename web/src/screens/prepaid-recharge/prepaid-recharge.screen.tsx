import { type ComponentType, useEffect, useRef, useState } from 'react';
import type { BundleFlow } from '../../features/bundle-list/bundle-order.ts';
import type { LineBundlesProps } from '../../features/bundle-list/line-bundles.tsx';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { RechargeForm } from '../../features/recharge-form/recharge-form.tsx';
import { usePage } from '../../lib/page.tsx';
import { paths } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './prepaid-recharge.module.css';

const bundleFlow: BundleFlow = { page: paths.dataBundle, serviceType: 'ALL' };

export function Screen() {
  const { t } = usePage();
  const [prepaid, setPrepaid] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const { LineBundles, failed, retry } = useLineBundles(prepaid !== null);
  return (
    <>
      <div className={styles.page}>
        <h1>{t('recharge.title')}</h1>
        <p className={styles.lead}>{t('recharge.lead')}</p>
        <Card>
          <FlowTabs current={paths.prepaidRecharge} />
          <RechargeForm
            redirectPage={paths.prepaidRecharge}
            onLine={setPrepaid}
            onShowBundles={() => list.current?.querySelector('h2')?.focus()}
          />
        </Card>
      </div>
      <div ref={list} className={styles.bundles}>
        {prepaid && LineBundles && (
          <LineBundles
            key={prepaid}
            line={{ msisdn: prepaid, lineType: 'PREPAID' }}
            flow={bundleFlow}
            redirectPage={paths.prepaidRecharge}
          />
        )}
        {prepaid && !LineBundles && !failed && <Skeleton height={48} lines={6} />}
        {prepaid && failed && (
          <Notice
            kind="failure"
            role="alert"
            title={t('bundles.failed')}
            action={<Button onClick={retry}>{t('common.tryAgain')}</Button>}
          />
        )}
      </div>
    </>
  );
}

/** The list has a script of its own, which comes when there is a line to list for: the form is ready without it. */
function useLineBundles(isWanted: boolean) {
  const [LineBundles, setLineBundles] = useState<ComponentType<LineBundlesProps> | null>(null);
  const [failures, setFailures] = useState(0);
  const [attempts, setAttempts] = useState(1);
  useEffect(() => {
    if (!isWanted) return;
    import('../../features/bundle-list/line-bundles.tsx').then(
      (module) => setLineBundles(() => module.LineBundles),
      () => setFailures(attempts),
    );
  }, [isWanted, attempts]);
  return { LineBundles, failed: failures === attempts, retry: () => setAttempts(attempts + 1) };
}
