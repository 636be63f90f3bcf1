import type { ResultOf } from '@portal/contract/contract.ts';
import { cacheSeconds } from '@portal/domain/constants.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import type { Api } from '../../lib/api.ts';
import { sessionCache } from '../../lib/cache.ts';

export type ConfigData = ResultOf<'config'>['configData'];

/** Null when it failed. Cached for an hour. */
export function fetchConfig(api: Api, { productCode }: Pick<PublicPack, 'productCode'>): Promise<ConfigData | null> {
  return sessionCache.fetch(
    `config:${productCode}`,
    async () => {
      const answer = await api('config', { query: { code: productCode } });
      return answer.ok ? answer.result.configData : null;
    },
    { seconds: cacheSeconds.config, keep: (data) => data !== null },
  );
}
