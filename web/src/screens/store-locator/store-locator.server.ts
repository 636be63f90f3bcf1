import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type StoresLoaded, searchStores } from './store-search.ts';

export async function load({ api, operator, query }: LoadContext): Promise<Loaded<StoresLoaded>> {
  const text = query.q?.trim() ?? '';
  return {
    loaded: { query: text, search: text === '' ? { state: 'none' } : await searchStores(api, operator, text) },
  };
}
