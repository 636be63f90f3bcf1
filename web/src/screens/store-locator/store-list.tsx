import { writeNumber } from '@portal/domain/number-format.ts';
import type { NearShop } from '../../features/map/find-shops.ts';
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

/** In step with the pins: whatever is pointed at or focused here is large on the map. */
export function StoreList({ found, active, onActive }: StoreListProps) {
  const { t } = usePage();
  const { shops, place } = found;
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
  isActive: boolean;
  onActive: () => void;
}

function ShopCard({ shop, number, isActive, onActive }: ShopCardProps) {
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
              aria-label={t('stores.showOnMap', { name: shop.name })}
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
      </div>
      <strong className={styles.distance}>{t('map.km', { distance })}</strong>
      <div className={styles.contact}>
        <ShopContact shop={shop} />
      </div>
    </li>
  );
}
