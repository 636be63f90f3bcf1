import { paths } from '@portal/domain/paths.ts';
import { useRef, useState } from 'react';
import type { BundleFlow } from '../../features/bundle-list/bundle-order.ts';
import { LineBundles } from '../../features/bundle-list/deferred-line-bundles.tsx';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { RechargeForm } from '../../features/recharge-form/recharge-form.tsx';
import { usePage } from '../../lib/page.tsx';
import { Card } from '../../ui/card.tsx';
import styles from './prepaid-recharge.module.css';

const bundleFlow: BundleFlow = { page: paths.dataBundle, serviceType: 'ALL', requestType: 'BUNDLE PURCHASE' };

export function Screen() {
  const { t } = usePage();
  const [prepaid, setPrepaid] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  return (
    <>
      <div className={`lit ${styles.page}`}>
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
        {prepaid && (
          <LineBundles
            key={prepaid}
            line={{ msisdn: prepaid, lineType: 'PREPAID' }}
            flow={bundleFlow}
            redirectPage={paths.prepaidRecharge}
            isAside
          />
        )}
      </div>
    </>
  );
}
