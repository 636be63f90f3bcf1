import { countryName } from '../../features/map/find-place.ts';
import { messageOr } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './store-locator.module.css';
import { type StoreSearch, vagueFromKilometres } from './store-search.ts';

/** Every state other than a list of shops. */
export function StoreNotice({ search, query }: { search: StoreSearch; query: string }) {
  const page = usePage();
  const { t } = page;
  switch (search.state) {
    case 'none':
      return null;
    case 'asking':
      return <Skeleton height={96} lines={3} />;
    case 'locating':
      return <Notice kind="process" role="status" title={t('stores.locating')} />;
    case 'found': {
      const { shops, place, accuracyKilometres = 0 } = search;
      if (shops.length === 0)
        return <NoResults text={t('stores.noMatchingResult', { place: place.label ?? t('stores.here') })} />;
      if (accuracyKilometres < vagueFromKilometres) return null;
      return (
        <Notice kind="info" role="status" title={t('stores.vague', { distance: Math.round(accuracyKilometres) })} />
      );
    }
    case 'unknownPlace':
      return <NoResults text={t('map.notFound', { place: query, country: countryName(page) })} />;
    case 'failed':
      return <NoResults text={messageOr(search.failure, t('stores.failed'))} />;
    case 'denied':
    case 'slow':
    case 'outside': {
      const text = t(`stores.${search.state}`, { country: search.state === 'outside' ? countryName(page) : '' });
      return search.before ? <Notice kind="info" role="status" title={text} /> : <NoResults text={text} />;
    }
  }
}

function NoResults({ text }: { text: string }) {
  const { t } = usePage();
  return (
    <section className={styles.noResults} role="status">
      <svg aria-hidden="true" width="160" height="110" viewBox="0 0 160 110" fill="none" strokeWidth="3">
        <path className={styles.ground} d="M8 92c28-22 44 8 72-6s46-14 72 2" strokeLinecap="round" />
        <path className={styles.ground} d="M24 104h112" strokeLinecap="round" strokeDasharray="10 12" />
        <path
          className={styles.lostPin}
          d="M80 88C62 68 54 56 54 44a26 26 0 0 1 52 0c0 12-8 24-26 44Z"
          strokeLinejoin="round"
        />
        <path className={styles.lostPin} d="m71 35 18 18M89 35 71 53" strokeLinecap="round" />
      </svg>
      <h2>{t('stores.noResults')}</h2>
      <p>{text}</p>
      <p>{t('stores.tryAgain')}</p>
    </section>
  );
}
