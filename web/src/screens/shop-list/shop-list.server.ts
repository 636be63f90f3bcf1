import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { fetchShopList, type ShopListLoaded, shopKindAt } from './shop-list-page.ts';

export async function load({ api, operator, path }: LoadContext): Promise<Loaded<ShopListLoaded>> {
  return { loaded: { shops: await fetchShopList(api, operator, shopKindAt(path)) } };
}
