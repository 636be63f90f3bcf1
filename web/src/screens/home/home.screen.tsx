import { cacheSeconds } from '@portal/domain/constants.ts';
import { useEffect, useState } from 'react';
import { FlowTabs } from '../../features/flow-tabs/flow-tabs.tsx';
import { RecentPurchases } from '../../features/recent-purchases/recent-purchases.tsx';
import { RechargeForm } from '../../features/recharge-form/recharge-form.tsx';
import { sessionCache } from '../../lib/cache.ts';
import { usePage } from '../../lib/page.tsx';
import { paths } from '../../lib/paths.ts';
import type { ScreenProps } from '../../lib/screen.ts';
import { Card } from '../../ui/card.tsx';
import styles from './home.module.css';
import type { HomeLoaded } from './home-content.ts';
import { PopularBundles, Promotions, QuickLinks } from './home-sections.tsx';
import { loadHome } from './load-home.ts';

export function Screen({ loaded }: ScreenProps<HomeLoaded>) {
  const { t, operator } = usePage();
  const home = useHome(loaded);
  return (
    <div className={styles.page}>
      <div className={styles.words}>
        <h1>{t('home.title')}</h1>
        <p>{t('home.lead', { brand: operator.brand.name })}</p>
      </div>
      <Card>
        <FlowTabs current={paths.prepaidRecharge} />
        <RechargeForm redirectPage={paths.home} />
      </Card>
      <QuickLinks links={home?.content?.links ?? null} />
      <RecentPurchases />
      <PopularBundles bundles={home?.popular ?? null} />
      <Promotions promotions={home ? (home.content?.promotions ?? []) : null} />
    </div>
  );
}

/** Null while it is asked for, after a navigation in the browser; what the server put into the page is not asked again. */
function useHome(loaded: HomeLoaded | undefined): HomeLoaded | null {
  const { api, operator, language } = usePage();
  const [home, setHome] = useState(loaded ?? null);
  const isHere = home?.language === language.code;
  useEffect(() => {
    if (isHere) return;
    const abort = new AbortController();
    sessionCache
      .fetch(`home:${language.code}`, () => loadHome(api, { operator, language }, abort.signal), {
        seconds: cacheSeconds.config,
        keep: ({ popular, content }) => popular.length > 0 && content !== null,
      })
      .then((found) => {
        if (!abort.signal.aborted) setHome(found);
      });
    return () => abort.abort();
  }, [api, operator, language, isHere]);
  return isHere ? home : null;
}
