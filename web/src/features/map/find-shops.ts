import type { ResultOf } from '@portal/contract/contract.ts';
import { mapDefaults } from '@portal/domain/constants.ts';
import { distanceKilometres, type Point } from '@portal/domain/geo.ts';
import type { Api, Failure } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';
import type { KeptAt } from './find-place.ts';

export type Shop = ResultOf<'shops'>[number];

export interface NearShop extends Point {
  /** The part before the first dash. */
  name: string;
  address: string;
  phone: string;
  kilometres: number;
  hours?: string | undefined;
}

export const shopName = ({ shop }: Pick<Shop, 'shop'>): string => (shop.split('-')[0] ?? shop).trim();

export function nearShop(shop: Shop, from: Point): NearShop {
  const at = { lat: shop.location.latitue, lng: shop.location.longitude };
  return {
    ...at,
    name: shopName(shop),
    address: shop.phyLocation,
    phone: shop.phNumber,
    kilometres: distanceKilometres(from, at),
    hours: shop.hours,
  };
}

export const shopsQuery = ({ opco }: Pick<Page['operator'], 'opco'>, { lat, lng }: Point) => ({
  opco,
  latitude: lat.toFixed(6),
  longitude: lng.toFixed(6),
  distanceInKilometers: String(mapDefaults.shopRadiusKilometres),
});

/** Nearest first, or the failed response. Not cached, because it contains the visitor's position. */
export async function findShops(
  api: Api,
  operator: Pick<Page['operator'], 'opco'>,
  from: Point,
  { signal, isOwnPosition }: { signal?: AbortSignal | undefined; isOwnPosition: boolean },
): Promise<({ shops: NearShop[] } & KeptAt) | Failure> {
  const answer = await api('shops', {
    query: shopsQuery(operator, from),
    ...(isOwnPosition ? { headers: { 'cache-control': 'no-store' } } : {}),
    ...(signal ? { signal } : {}),
  });
  if (!answer.ok) return answer;
  const shops = answer.result.map((shop) => nearShop(shop, from));
  return { shops: shops.sort((one, other) => one.kilometres - other.kilometres), keptAt: answer.keptAt };
}

/**
 * A phone that supports geo: URLs opens its own map; every other device gets a web page that most phones hand to
 * their map.
 */
export function directionsHref({ lat, lng, name }: Pick<NearShop, 'lat' | 'lng' | 'name'>, userAgent: string): string {
  const at = `${lat},${lng}`;
  if (/Android/i.test(userAgent)) return `geo:${at}?q=${at}(${encodeURIComponent(name)})`;
  return `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(at)}`;
}

export const phoneHref = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;
