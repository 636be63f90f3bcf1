import { paths, withQuery } from '@portal/domain/paths.ts';
import { type FormEvent, Suspense, useState } from 'react';
import { ShopContact } from '../../features/map/shop-contact.tsx';
import { useToast } from '../../features/toast/use-toast.ts';
import { messageOr } from '../../lib/api.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { type Loadable, useCall } from '../../lib/use-call.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './shop-list.module.css';
import { fetchShopList, type ListedShop, shopKindAt, shopsByRegion } from './shop-list-page.ts';

export { load } from './shop-list-page.ts';

/** Every shop, or every dealer, by region; the search text is in the URL. */
export function Screen({ loaded }: ScreenProps<Loadable<ListedShop[]>>) {
  const page = usePage();
  const { t, api, operator, path, query } = page;
  const kind = shopKindAt(path);
  const [typed, setTyped] = useState(query.q ?? '');
  const shops = useCall(kind, (signal) => fetchShopList(api, operator, kind, signal), {
    initial: loaded,
    onFailed: useToast().failed,
  });

  function change(text: string) {
    setTyped(text);
    page.navigate(withQuery(path, { q: text }), { replace: true, stay: true });
  }

  const regions = shops.state === 'loaded' ? shopsByRegion(shops.result, typed) : [];
  const count = regions.reduce((sum, [, inside]) => sum + inside.length, 0);
  const isFiltered = typed.trim() !== '';
  return (
    <div className={styles.page}>
      <h1>{t(`stores.${kind}sTitle`, { brand: operator.brand.name })}</h1>
      <p className={styles.lead}>{t(`stores.${kind}sLead`)}</p>
      <form
        method="get"
        action={page.href(path)}
        className={styles.form}
        onSubmit={(event: FormEvent) => event.preventDefault()}
      >
        <Field
          label={t('stores.filter')}
          hint={t('stores.filterHint')}
          name="q"
          type="search"
          value={typed}
          onChange={(event) => change(event.currentTarget.value)}
        />
        <Button type="submit">{t('stores.show')}</Button>
      </form>
      <ButtonLink as={Link} href={paths.storeLocatorAlias} kind="secondary">
        {t('stores.onMap')}
      </ButtonLink>
      {shops.state === 'loading' && <Skeleton height={56} lines={8} />}
      {shops.state === 'failed' && (
        <Notice
          kind="failure"
          role="alert"
          title={messageOr(shops.failure, t('stores.failed'))}
          action={<Button onClick={shops.retry}>{t('common.tryAgain')}</Button>}
        />
      )}
      {shops.state === 'loaded' && (
        <p role="status" className={styles.lead}>
          {count === 0 ? t('stores.noData') : count === 1 ? t('stores.countOne') : t('stores.count', { count })}
        </p>
      )}
      {/* Regions are hydrated one after the other, or at once when one is touched. */}
      {regions.map(([region, inside]) => (
        <Suspense key={`${region}:${isFiltered}`}>
          <details className={styles.region} open={isFiltered}>
            <summary>
              <h2>{region}</h2> <span>{inside.length}</span>
            </summary>
            <ul>
              {inside.map((shop) => (
                <li key={shop.name + shop.address}>
                  <h3>{shop.name}</h3>
                  <p className={styles.lead}>{shop.address}</p>
                  <ShopContact shop={shop} />
                </li>
              ))}
            </ul>
          </details>
        </Suspense>
      ))}
    </div>
  );
}
