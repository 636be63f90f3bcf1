import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { RechargeForm } from '../../features/recharge-form/recharge-form.tsx';
import { usePage } from '../../lib/page.tsx';
import { paths } from '../../lib/paths.ts';
import { Card } from '../../ui/card.tsx';
import styles from './prepaid-recharge.module.css';

export function Screen() {
  const { t } = usePage();
  return (
    <div className={styles.page}>
      <h1>{t('recharge.title')}</h1>
      <p className={styles.lead}>{t('recharge.lead')}</p>
      <Card>
        <FlowTabs current={paths.prepaidRecharge} />
        <RechargeForm redirectPage={paths.prepaidRecharge} />
      </Card>
    </div>
  );
}
