import { townsWithShops } from '../../features/map/find-towns.ts';
import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type StoresLoaded, searchStores } from './store-search.ts';

export async function load({ api, operator, query }: LoadContext): Promise<Loaded<StoresLoaded>> {
  const text = query.q?.trim() ?? '';
  return {
    loaded:
      text === ''
        ? { query: text, search: { state: 'none' }, towns: await townsWithShops(api, operator) }
        : { query: text, search: await searchStores(api, operator, text), towns: [] },
  };
}
