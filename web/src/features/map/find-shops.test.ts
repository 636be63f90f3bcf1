import { expect, test } from 'vitest';
import { directionsHref, nearShop, phoneHref, shopName } from './find-shops.ts';

const shop = {
  shop: 'Boutique Antsirabe 1 - Antsirabe - centre',
  title: 'Boutique Antsirabe 1',
  location: { latitue: -19.866, longitude: 47.033 },
  phyLocation: 'Lot FIC 215, Antsirabe 110',
  phNumber: '+261 30 00 000 61',
  kind: 'shop' as const,
  city: 'Antsirabe',
  region: 'Vakinankaratra',
};

test('STO-1 a shop is named by the part before the first dash, with its distance', () => {
  expect(nearShop(shop, { lat: -19.866, lng: 47.033 })).toMatchObject({ name: 'Boutique Antsirabe 1', kilometres: 0 });
  expect(nearShop(shop, { lat: -18.91368, lng: 47.53613 }).kilometres).toBeCloseTo(118.4, 0);
  expect(shopName({ shop: 'Kiosk' })).toBe('Kiosk');
});

test('STO-2 directions open in the phone’s own map where it has one, and a tap calls', () => {
  const near = nearShop(shop, { lat: 0, lng: 0 });
  expect(directionsHref(near, 'Mozilla/5.0 (Linux; Android 11)')).toBe(
    'geo:-19.866,47.033?q=-19.866,47.033(Boutique%20Antsirabe%201)',
  );
  expect(directionsHref(near, 'Mozilla/5.0 (X11; Linux)')).toBe(
    'https://www.google.com/maps/dir/?api=1&destination=-19.866%2C47.033',
  );
  expect(phoneHref(shop.phNumber)).toBe('tel:+261300000061');
});
