import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { fetchShopList, type ShopListLoaded, shopKindAt } from './shop-list-page.ts';

export async function load({ api, operator, path }: LoadContext): Promise<Loaded<ShopListLoaded>> {
  const kind = shopKindAt(path);
  return { loaded: { kind, shops: await fetchShopList(api, operator, kind) } };
}
