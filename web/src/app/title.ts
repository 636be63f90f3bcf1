import type { PublicPack } from '@portal/domain/operator.ts';

/** The title in the tab and in search results. */
export const titleOf = (page: string, operator: PublicPack): string => `${page} · ${operator.brand.name}`;
