import { paths, shopsPath } from '@portal/domain/paths.ts';
import { useEffect } from 'react';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './offline.module.css';

/** Replaces a page that could neither be loaded nor rendered from the cache. */
export function Screen() {
  // The page that was requested replaces this one as soon as it can be loaded.
  useEffect(() => {
    const again = () => window.location.reload();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
  const { t, operator } = usePage();
  return (
    <div className={`lit-box ${styles.page}`}>
      <Notice
        kind="process"
        large
        title={<h1>{t('offline.heading')}</h1>}
        action={
          <>
            {/* A link to the same URL, so that it works without script, which may not be cached. */}
            <ButtonLink href="">{t('common.tryAgain')}</ButtonLink>
            <ButtonLink as={Link} href={paths.home} kind="secondary">
              {t('common.toHome')}
            </ButtonLink>
          </>
        }
      >
        {t('offline.text')}
      </Notice>
      <nav aria-labelledby="kept">
        <h2 id="kept">{t('offline.kept')}</h2>
        <ul className={styles.list}>
          <li>
            <Link href={paths.prepaidRecharge}>{t('common.recharge')}</Link>
          </li>
          <li>
            <Link href={paths.help}>{t('common.helpCentre')}</Link>
          </li>
          {operator.features.storeFinder && (
            <li>
              <Link href={shopsPath(operator.brand.slug)}>{t('common.stores')}</Link>
            </li>
          )}
        </ul>
      </nav>
      <p className={styles.call}>{t('common.callUs', { care: operator.care.number })}</p>
    </div>
  );
}
