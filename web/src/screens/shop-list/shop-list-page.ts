import { paths } from '@portal/domain/paths.ts';
import { foldName } from '@portal/domain/place-name-match.ts';
import { type Shop, shopName } from '../../features/map/find-shops.ts';
import type { Answer, Api } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';
import type { LoadContext, Loaded } from '../../lib/screen.ts';
import type { Keyed } from '../../lib/use-call.ts';

export interface ListedShop {
  name: string;
  city: string;
  region: string;
  address: string;
  phone: string;
  lat: number;
  lng: number;
}

export const shopKindAt = (path: string): Shop['kind'] => (path === paths.dealers ? 'dealer' : 'shop');

export async function fetchShopList(
  api: Api,
  { opco }: Pick<Page['operator'], 'opco'>,
  kind: Shop['kind'],
  signal?: AbortSignal,
): Promise<Answer<ListedShop[]>> {
  const answer = await api('shopList', { query: { opco, kind }, ...(signal ? { signal } : {}) });
  if (!answer.ok) return answer;
  const result = answer.result.map((shop) => ({
    name: shopName(shop),
    city: shop.city,
    region: shop.region,
    address: shop.phyLocation,
    phone: shop.phNumber,
    lat: shop.location.latitue,
    lng: shop.location.longitude,
  }));
  return { ok: true, result };
}

export async function load({ api, operator, path }: LoadContext): Promise<Loaded<Keyed<ListedShop[]>>> {
  const kind = shopKindAt(path);
  return { loaded: { key: kind, answer: await fetchShopList(api, operator, kind) } };
}

/** Shops in whose name, town, region or address every typed word begins a word; grouped by region. */
export function shopsByRegion(shops: readonly ListedShop[], query: string): [region: string, shops: ListedShop[]][] {
  const wanted = foldName(query).split(' ').filter(Boolean);
  const fits = ({ name, city, region, address }: ListedShop) => {
    const words = foldName(`${name} ${city} ${region} ${address}`).split(' ');
    return wanted.every((each) => words.some((word) => word.startsWith(each)));
  };
  const regions = new Map<string, ListedShop[]>();
  for (const shop of shops.filter(fits)) {
    const region = regions.get(shop.region);
    if (region) region.push(shop);
    else regions.set(shop.region, [shop]);
  }
  return [...regions];
}
