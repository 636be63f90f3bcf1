import { paths } from '@portal/domain/paths.ts';
import { Suspense } from 'react';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { RechargeForm } from '../../features/recharge-form/recharge-form.tsx';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { deferred } from '../../loading/deferred.ts';
import { Card } from '../../ui/card.tsx';
import styles from './home.module.css';
import type { HomeLoaded } from './home-content.ts';

const load = () => import('./home-sections.tsx').then((module) => module.HomeSections);
// The server renders them with the page; in the browser their script loads after the form's.
const HomeSections = import.meta.env.SSR ? await load() : deferred(load);

export function Screen({ loaded }: ScreenProps<HomeLoaded>) {
  const { t, operator } = usePage();
  return (
    <div className={`lit ${styles.page}`}>
      <div className={styles.words}>
        <h1>{t('home.title')}</h1>
        <p>{t('home.lead', { brand: operator.brand.name })}</p>
      </div>
      <Card>
        <FlowTabs current={paths.prepaidRecharge} />
        <RechargeForm redirectPage={paths.home} />
      </Card>
      <Suspense>
        <HomeSections loaded={loaded} />
      </Suspense>
    </div>
  );
}
