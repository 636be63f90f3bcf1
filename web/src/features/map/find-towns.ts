import type { Api } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';

const mostTowns = 12;

/** Towns with shops, most shops first. Empty when the list cannot be loaded: the search works without it. */
export async function townsWithShops(api: Api, { opco }: Pick<Page['operator'], 'opco'>): Promise<string[]> {
  const answer = await api('shopList', { query: { opco, kind: 'shop' } });
  if (!answer.ok) return [];
  const counts = new Map<string, number>();
  for (const { city } of answer.result) counts.set(city, (counts.get(city) ?? 0) + 1);
  return [...counts.keys()]
    .sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || one.localeCompare(other))
    .slice(0, mostTowns);
}
