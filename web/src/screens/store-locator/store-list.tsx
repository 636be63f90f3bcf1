import { writeNumber } from '@portal/domain/number-format.ts';
import type { NearShop } from '../../features/map/find-shops.ts';
import { OpenNow, useMinute } from '../../features/map/open-now.tsx';
import { ShopContact } from '../../features/map/shop-contact.tsx';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import styles from './store-locator.module.css';
import type { StoreSearch } from './store-search.ts';

interface StoreListProps {
  found: StoreSearch & { state: 'found' };
  active: number | null;
  onActive: (index: number) => void;
}

const mostShown = 50;

/** Synchronised with the pins: the shop under the pointer or focus is enlarged on the map. */
export function StoreList({ found, active, onActive }: StoreListProps) {
  const { t } = usePage();
  const { shops, place, at } = found;
  const now = useMinute(at);
  const name = place.label ?? t('stores.here');
  const count = { count: shops.length, place: name };
  const key = shops.length === 1 ? 'stores.foundOne' : shops.length < mostShown ? 'stores.found' : 'stores.most';
  return (
    <section aria-label={t('stores.listLabel')}>
      <div role="status">
        <h2>{t(key, count)}</h2>
      </div>
      <ol className={styles.shops}>
        {shops.map((shop, index) => (
          <ShopCard
            // biome-ignore lint/suspicious/noArrayIndexKey: two shops may share name and place; the order is the identity
            key={index}
            shop={shop}
            number={index + 1}
            now={now}
            isActive={index === active}
            onActive={() => onActive(index)}
          />
        ))}
      </ol>
    </section>
  );
}

interface ShopCardProps {
  shop: NearShop;
  number: number;
  now: Date;
  isActive: boolean;
  onActive: () => void;
}

function ShopCard({ shop, number, now, isActive, onActive }: ShopCardProps) {
  const { t, language } = usePage();
  const hydrated = useHydrated();
  const distance = writeNumber(shop.kilometres.toFixed(1), language.formats);
  return (
    <li className={styles.shop} data-active={isActive} onMouseEnter={onActive} onFocus={onActive}>
      <span className={styles.number} aria-hidden="true">
        {number}
      </span>
      <div className={styles.facts}>
        <h3>
          {hydrated ? (
            <button
              type="button"
              data-shop={number}
              title={t('stores.showOnMap', { name: shop.name })}
              onClick={onActive}
            >
              {shop.name}
            </button>
          ) : (
            // Without script there is no map to show it on.
            <span data-shop={number}>{shop.name}</span>
          )}
        </h3>
        <p>{shop.address}</p>
        <OpenNow hours={shop.hours} now={now} />
      </div>
      <strong className={styles.distance}>{t('map.km', { distance })}</strong>
      <div className={styles.contact}>
        <ShopContact shop={shop} />
      </div>
    </li>
  );
}
