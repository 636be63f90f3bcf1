import type { PublicPack } from '@portal/domain/operator.ts';

/** What the tab and a search result show. */
export const titleOf = (page: string, operator: PublicPack): string => `${page} · ${operator.brand.name}`;
