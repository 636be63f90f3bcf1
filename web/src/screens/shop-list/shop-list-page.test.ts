import { expect, test } from 'vitest';
import { type ListedShop, shopKindAt, shopsByRegion } from './shop-list-page.ts';

const shop = (name: string, city: string, region: string): ListedShop => ({
  name,
  city,
  region,
  address: `Lot 1, ${city}`,
  phone: '+261 30 00 000 01',
  lat: -19,
  lng: 47,
});
const shops = [
  shop('Boutique 1', 'Antsirabe', 'Vakinankaratra'),
  shop('Boutique 2', 'Tôlanaro', 'Anosy'),
  shop('Boutique 3', 'Betafo', 'Vakinankaratra'),
];
const found = (query: string) => shopsByRegion(shops, query).map(([region, inside]) => [region, inside.length]);

test('APP-2 shops are grouped by region and filtered by town, region or name, with or without accents', () => {
  expect(found('')).toEqual([
    ['Vakinankaratra', 2],
    ['Anosy', 1],
  ]);
  expect(found('tolan')).toEqual([['Anosy', 1]]);
  expect(found('vakin')).toEqual([['Vakinankaratra', 2]]);
  expect(found('boutique BETAFO')).toEqual([['Vakinankaratra', 1]]);
  expect(found('nowhere')).toEqual([]);
});

test('the URL says which list it is', () => {
  expect(shopKindAt('/store_finder/dealers')).toBe('dealer');
  expect(shopKindAt('/store_finder/fanilo_shop')).toBe('shop');
});
