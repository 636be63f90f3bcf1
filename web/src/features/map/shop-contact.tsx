import { useEffect, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { PhoneIcon } from '../../ui/icon.tsx';
import { MapPinIcon } from '../../ui/page-icons.tsx';
import { directionsHref, type NearShop, phoneHref } from './find-shops.ts';
import styles from './shop-contact.module.css';

/** Links that call the shop and open directions in the phone's own map. */
export function ShopContact({ shop }: { shop: Pick<NearShop, 'lat' | 'lng' | 'name' | 'phone'> }) {
  const { t } = usePage();
  // The server does not know the phone, and the first render must equal the server's.
  const [userAgent, setUserAgent] = useState('');
  useEffect(() => setUserAgent(navigator.userAgent), []);
  return (
    <p className={styles.contact}>
      <a href={phoneHref(shop.phone)} aria-label={t('stores.call', { phone: shop.phone })}>
        <PhoneIcon size={18} />
        {shop.phone}
      </a>
      <a href={directionsHref(shop, userAgent)} rel="noreferrer">
        <MapPinIcon size={18} />
        {t('stores.directions')}
        <span className="visually-hidden">{shop.name}</span>
      </a>
    </p>
  );
}
