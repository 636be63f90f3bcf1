import * as errorCodes from '@portal/contract/error-codes.ts';
import { inputDebounceMilliseconds } from '@portal/domain/constants.ts';
import type { LineRequest, LineType } from '@portal/domain/line-types.ts';
import { isCompleteNational } from '@portal/domain/msisdn.ts';
import { useEffect, useRef, useState } from 'react';
import { messageOr } from '../../lib/api.ts';
import { useHydrated, useOnline } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { lineTypeBody } from './line-type-body.ts';

export type LineCheck =
  | { state: 'none' }
  | { state: 'checking' }
  | { state: 'line'; lineType: LineType }
  | { state: 'unknown' }
  /** Says nothing about the number. */
  | { state: 'failed'; message: string; isUnreachable: boolean };

export interface LineChecking {
  retry: () => void;
  /**
   * The number was there before the script was, when the form could be sent already: nothing clicked is lost, so until
   * the line is known the form is still sent as it was.
   */
  canPost: boolean;
}

/**
 * At a complete number, a moment after the last key, the line is asked for once. A number typed over aborts the question
 * before, so a late answer about an older number is never heard.
 */
export function useLineCheck(national: string, requestType: LineRequest): LineCheck & LineChecking {
  const { api, operator, t } = usePage();
  const online = useOnline();
  const hydrated = useHydrated();
  const [answer, setAnswer] = useState<{ national: string; check: LineCheck } | null>(null);
  const [round, setRound] = useState(0);
  const [wasUsable] = useState(!hydrated);
  const early = useRef<string | null>(null);
  if (hydrated && early.current === null) early.current = wasUsable ? national : '';
  const complete = isCompleteNational(national, operator.numbering);
  // A line that was known stays known when the network goes.
  const isKnown = answer?.national === national && answer.check.state !== 'failed';

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry and a line that is back ask again by these
  useEffect(() => {
    if (!complete || isKnown) return;
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      const result = await api('lineType', {
        body: lineTypeBody(national, requestType),
        signal: abort.signal,
      });
      if (abort.signal.aborted) return;
      if (result.ok) setAnswer({ national, check: { state: 'line', lineType: result.result } });
      else if (result.code === errorCodes.lineUnknown) setAnswer({ national, check: { state: 'unknown' } });
      else {
        const isUnreachable = result.code === 'OFFLINE' || result.code === 'TIMEOUT';
        const message = messageOr(result, t('recharge.notChecked'));
        setAnswer({ national, check: { state: 'failed', message, isUnreachable } });
      }
    }, inputDebounceMilliseconds);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [national, complete, api, round, online, requestType]);

  const retry = () => {
    setAnswer(null);
    setRound((count) => count + 1);
  };
  // Where no script runs nothing is being checked, and the page must not say so for ever.
  if (!complete || !hydrated) return { state: 'none', retry, canPost: false };
  if (answer?.national === national) return { ...answer.check, retry, canPost: false };
  return { state: 'checking', retry, canPost: early.current === national };
}
