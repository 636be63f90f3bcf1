import type { Bundle } from '@portal/domain/bundle.ts';
import type { LineType } from '@portal/domain/line-types.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import { messageOr } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import type { LoadContext } from '../../lib/screen.ts';
import { type Keyed, type Loadable, useCall } from '../../lib/use-call.ts';
import { useToast } from '../toast/use-toast.ts';

export interface WantedBundles {
  /** National digits; without them every bundle on sale is requested. */
  msisdn?: string;
  lineType?: string;
  serviceType?: 'ALL' | 'BROADBAND';
  popular?: boolean;
}

export type LoadedBundles = Keyed<readonly Bundle[]>;

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

/** For a screen's `load`; undefined when they could not be loaded, so that the browser retries. */
export async function loadBundles({ api, language }: LoadContext, wanted: WantedBundles) {
  const answer = await api('bundles', { body: bundlesBody(wanted) });
  return answer.ok ? { key: keyOf(wanted, language.code), answer } : undefined;
}

/** Null makes no request. What `load` returned is not requested again, unless the language changes. */
export function useBundles(
  wanted: WantedBundles | null,
  loaded?: Loadable<readonly Bundle[]> | null,
  { isQuiet = false } = {},
): BundlesState & Retry {
  const { api, language, t } = usePage();
  const toast = useToast();
  const call = useCall(
    wanted && keyOf(wanted, language.code),
    (signal) => api('bundles', { body: bundlesBody(wanted ?? {}), signal }),
    { initial: loaded, ...(isQuiet ? {} : { onFailed: toast.failed }) },
  );
  const { retry } = call;
  if (call.state === 'loaded') return { state: 'loaded', bundles: call.result, retry };
  if (call.state === 'failed') return { state: 'failed', message: messageOr(call.failure, t('bundles.failed')), retry };
  return { state: 'loading', retry };
}
