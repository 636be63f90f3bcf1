import type { PublicPack } from '@portal/domain/operator.ts';
import { useEffect, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { whenIdle } from '../../loading/deferred.ts';
import type { ConfigData } from './fetch-config.ts';

/** Lazy: no form waits for it. */
const bring = () => import('./fetch-config.ts');

/** The amount limits of the config call; until it answers, or if it fails, those that came with the page. */
export function useLimits(): PublicPack['limits'] {
  const { api, operator } = usePage();
  const [config, setConfig] = useState<ConfigData | null>(null);
  useEffect(() => {
    let isGone = false;
    whenIdle(() =>
      bring()
        .then(({ fetchConfig }) => fetchConfig(api, operator))
        .then(
          (found) => {
            if (!isGone) setConfig(found);
          },
          () => {},
        ),
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
