import { cacheSeconds } from '@portal/domain/constants.ts';
import { paths } from '@portal/domain/paths.ts';
import { isOffered } from '@portal/domain/screens.ts';
import type { ReactNode } from 'react';
import { OpenPayment } from '../../features/open-payment/open-payment.tsx';
import { PopularBundles, places } from '../../features/popular-bundles/popular-bundles.tsx';
import { RecentPurchases } from '../../features/recent-purchases/recent-purchases.tsx';
import { sessionCache } from '../../lib/cache.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { useCall } from '../../lib/use-call.ts';
import { HelpIcon, InfoIcon } from '../../ui/icon.tsx';
import { GlobeIcon, MapPinIcon, StoreIcon } from '../../ui/page-icons.tsx';
import styles from './home.module.css';
import type { HomeContent, HomeLoaded } from './home-content.ts';
import { loadHome } from './load-home.ts';

const linkIcons: Record<string, ReactNode> = {
  [paths.help]: <HelpIcon />,
  [paths.storeLocatorAlias]: <StoreIcon />,
  [paths.openNetworks]: <MapPinIcon />,
  [paths.homeBroadband]: <GlobeIcon />,
};

/** The sections below the form. */
export function HomeSections({ loaded }: ScreenProps<HomeLoaded>) {
  const home = useHome(loaded);
  return (
    <>
      <OpenPayment />
      <RecentPurchases />
      <PopularBundles bundles={home?.popular ?? null} />
      <QuickLinks links={home?.content?.links ?? null} />
      <Promotions promotions={home ? (home.content?.promotions ?? []) : null} />
    </>
  );
}

/** Null while requested after a navigation; content rendered by the server is not requested again. */
function useHome(loaded: HomeLoaded | undefined): HomeLoaded | null {
  const { api, operator, language } = usePage();
  const home = useCall(
    language.code,
    async (signal) => ({
      ok: true,
      result: await sessionCache.fetch(`home:${language.code}`, () => loadHome(api, { operator, language }, signal), {
        seconds: cacheSeconds.config,
        keep: ({ popular, content }) => popular.length > 0 && content !== null,
      }),
    }),
    { initial: loaded && { key: loaded.language, answer: { ok: true, result: loaded } } },
  );
  return home.state === 'loaded' ? home.result : null;
}

/** Null while content is loading, or when it failed: the built-in links are shown. */
function QuickLinks({ links }: { links: HomeContent['links'] | null }) {
  const { t, operator } = usePage();
  const shown = links ?? [
    { href: paths.help, title: t('common.help'), text: t('home.helpText') },
    { href: paths.storeLocatorAlias, title: t('common.stores'), text: t('home.storesText') },
    { href: paths.openNetworks, title: t('common.coverage'), text: t('home.coverageText') },
    { href: paths.homeBroadband, title: t('common.homeBroadband'), text: t('home.broadbandText') },
  ];
  return (
    <section className={styles.more} aria-labelledby="more">
      <h2 id="more">{t('home.more')}</h2>
      <ul>
        {shown
          .filter(({ href }) => isOffered(href, operator))
          .map(({ href, title, text }) => (
            <li key={href}>
              <Link href={href}>
                {linkIcons[href] ?? <InfoIcon />}
                <span>
                  <strong>{title}</strong>
                  {text}
                </span>
              </Link>
            </li>
          ))}
      </ul>
    </section>
  );
}

const promotionPlaces = 3;

function Promotions({ promotions }: { promotions: HomeContent['promotions'] | null }) {
  const { t } = usePage();
  if (promotions?.length === 0) return null;
  return (
    <section className={styles.wide} aria-labelledby="promotions" aria-busy={promotions === null}>
      <h2 id="promotions">{t('home.promotions')}</h2>
      <ul className={styles.promotions}>
        {promotions === null && places(promotionPlaces)}
        {promotions?.slice(0, promotionPlaces).map(({ title, text, label, href }) => (
          <li key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
            <Link href={href}>{label}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
