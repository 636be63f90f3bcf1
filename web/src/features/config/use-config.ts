import type { ResultOf } from '@portal/contract/contract.ts';
import { cacheSeconds } from '@portal/domain/constants.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { useEffect, useState } from 'react';
import type { Api } from '../../lib/api.ts';
import { sessionCache } from '../../lib/cache.ts';
import { whenIdle } from '../../lib/deferred.ts';
import { usePage } from '../../lib/page.tsx';

type ConfigData = ResultOf<'config'>['configData'];

/** Null when it could not be had. Kept for an hour. */
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

/** What amounts may be, by the config call; those that came with the page until it answers, and if it never does. */
export function useLimits(): PublicPack['limits'] {
  const { api, operator } = usePage();
  const [config, setConfig] = useState<ConfigData | null>(null);
  useEffect(() => {
    let isGone = false;
    whenIdle(() =>
      fetchConfig(api, operator).then((found) => {
        if (!isGone) setConfig(found);
      }),
    );
    return () => {
      isGone = true;
    };
  }, [api, operator]);
  if (!config) return operator.limits;
  return {
    prepaid: { min: config.preMinAmnt, max: config.preMaxAmnt },
    postpaid: { min: config.postMinAmnt, max: config.postMaxAmnt },
  };
}
