import type { Bundle } from '@portal/domain/bundle.ts';
import type { LineType } from '@portal/domain/line-types.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import { messageOr } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { useCall } from '../../lib/use-call.ts';
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

interface Retry {
  retry: () => void;
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

/** Null requests nothing. What the server put into the page is not requested again, unless the language changes. */
export function useBundles(wanted: WantedBundles | null, loaded?: LoadedBundles | null): BundlesState & Retry {
  const { api, language, t } = usePage();
  const toast = useToast();
  const call = useCall(
    wanted && keyOf(wanted, language.code),
    (signal) => api('bundles', { body: bundlesBody(wanted ?? {}), signal }),
    {
      initial: loaded && {
        key: keyOf(loaded.wanted, loaded.language),
        answer: { ok: true, result: loaded.bundles },
      },
      onFailed: toast.failed,
    },
  );
  const { retry } = call;
  if (call.state === 'loaded') return { state: 'loaded', bundles: call.result, retry };
  if (call.state === 'failed') return { state: 'failed', message: messageOr(call.failure, t('bundles.failed')), retry };
  return { state: 'loading', retry };
}
