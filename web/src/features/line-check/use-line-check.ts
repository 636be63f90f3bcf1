import * as errorCodes from '@portal/contract/error-codes.ts';
import { inputDebounceMilliseconds } from '@portal/domain/constants.ts';
import type { LineRequest, LineType } from '@portal/domain/line-types.ts';
import { isCompleteNational } from '@portal/domain/msisdn.ts';
import { useRef, useState } from 'react';
import { messageOr } from '../../lib/api.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { useCall } from '../../lib/use-call.ts';
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
  const hydrated = useHydrated();
  const [wasUsable] = useState(!hydrated);
  const early = useRef<string | null>(null);
  if (hydrated && early.current === null) early.current = wasUsable ? national : '';
  const isComplete = isCompleteNational(national, operator.numbering);
  const call = useCall<LineType | null>(
    isComplete ? `${requestType} ${national}` : null,
    async (signal) => {
      const answer = await api('lineType', { body: lineTypeBody(national, requestType), signal });
      // That there is no such line is known then, and stays so when the connection goes.
      return !answer.ok && answer.code === errorCodes.lineUnknown ? { ok: true, result: null } : answer;
    },
    { debounceMs: inputDebounceMilliseconds },
  );

  const { retry } = call;
  const settled = { retry, canPost: false };
  // Where no script runs nothing is being checked, and the page must not say so for ever.
  if (call.state === 'idle' || !hydrated) return { state: 'none', ...settled };
  if (call.state === 'loading') return { state: 'checking', retry, canPost: early.current === national };
  if (call.state === 'loaded')
    return call.result ? { state: 'line', lineType: call.result, ...settled } : { state: 'unknown', ...settled };
  const { failure } = call;
  const isUnreachable = failure.code === 'OFFLINE' || failure.code === 'TIMEOUT';
  return { state: 'failed', message: messageOr(failure, t('recharge.notChecked')), isUnreachable, ...settled };
}
