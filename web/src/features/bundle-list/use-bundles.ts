import type { Bundle } from '@portal/domain/bundle.ts';
import type { LineType } from '@portal/domain/line-types.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { messageOr } from '../../lib/api.ts';
import { useOnline } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { useToast } from '../toast/use-toast.ts';

export interface WantedBundles {
  /** National digits; without them everything on sale is asked for. */
  msisdn?: string;
  lineType?: string;
  serviceType?: 'ALL' | 'BROADBAND';
  popular?: boolean;
}

/** Bundles as a server part loaded them: good for these wishes, in this language. */
export interface LoadedBundles {
  language: string;
  wanted: WantedBundles;
  bundles: readonly Bundle[];
}

export type BundlesState =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'loaded'; bundles: readonly Bundle[] };

export const bundlesBody = ({ msisdn, lineType, serviceType = 'ALL', popular }: WantedBundles) => ({
  data: {
    ...(msisdn ? { msisdn: toWire(msisdn), lineType: lineType as LineType } : {}),
    serviceType,
    ...(popular ? { popular } : {}),
  },
});

const keyOf = (wanted: WantedBundles, language: string) => JSON.stringify([bundlesBody(wanted), language]);

/** Null asks for nothing. What the server put into the page is not asked for again, unless the language changes. */
export function useBundles(wanted: WantedBundles | null, loaded?: LoadedBundles | null) {
  const { api, language, t } = usePage();
  const online = useOnline();
  const tell = useEffectEvent(useToast().failed);
  const [round, setRound] = useState(0);
  const [found, setFound] = useState(() => ({
    key: loaded ? keyOf(loaded.wanted, loaded.language) : '',
    bundles: (loaded?.bundles ?? null) as readonly Bundle[] | null,
    message: '',
  }));
  const key = wanted ? keyOf(wanted, language.code) : '';
  const isFound = found.key === key && found.bundles !== null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the wishes; a retry and a line that is back ask again
  useEffect(() => {
    if (!wanted || isFound) return;
    const abort = new AbortController();
    setFound((before) => (before.key === key ? { key: '', bundles: null, message: '' } : before));
    api('bundles', { body: bundlesBody(wanted), signal: abort.signal }).then((answer) => {
      if (abort.signal.aborted) return;
      if (answer.ok) return setFound({ key, bundles: answer.result, message: '' });
      tell(answer);
      setFound({ key, bundles: null, message: messageOr(answer, t('bundles.failed')) });
    });
    return () => abort.abort();
  }, [api, key, round, online]);

  let state: BundlesState = { state: 'loading' };
  if (isFound && found.bundles) state = { state: 'loaded', bundles: found.bundles };
  else if (found.key === key && key !== '') state = { state: 'failed', message: found.message };
  return { ...state, retry: () => setRound((count) => count + 1) };
}
