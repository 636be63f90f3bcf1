import type { PublicPack } from '@portal/domain/operator.ts';
import { useEffect, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { whenIdle } from '../../loading/deferred.ts';
import type { ConfigData } from './fetch-config.ts';

/** In a script of its own: no form waits for it. */
const bring = () => import('./fetch-config.ts');

/** What amounts may be, by the config call; those that came with the page until it answers, and if it never does. */
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
