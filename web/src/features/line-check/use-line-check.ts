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
  /** No message about the number, unless another page serves the line. */
  | { state: 'failed'; message: string; isUnreachable: boolean; isElsewhere: boolean };

export interface LineChecking {
  retry: () => void;
  /**
   * The number was typed before hydration, when the form could be posted already: no click is lost, so until the line
   * is known the form is still posted as it is.
   */
  canPost: boolean;
}

/**
 * A complete number is checked once, a moment after the last key. Typing aborts the previous request, so a late
 * response about an older number is never used.
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
      // A line that does not exist stays so when the connection is lost.
      return !answer.ok && answer.code === errorCodes.lineUnknown ? { ok: true, result: null } : answer;
    },
    { debounceMs: inputDebounceMilliseconds },
  );

  const { retry } = call;
  const settled = { retry, canPost: false };
  // Without script nothing is checked, so the page must not say that it is checking.
  if (call.state === 'idle' || !hydrated) return { state: 'none', ...settled };
  if (call.state === 'loading') return { state: 'checking', retry, canPost: early.current === national };
  if (call.state === 'loaded')
    return call.result ? { state: 'line', lineType: call.result, ...settled } : { state: 'unknown', ...settled };
  const { failure } = call;
  const isUnreachable = failure.code === 'OFFLINE' || failure.code === 'TIMEOUT';
  const isElsewhere = failure.code === errorCodes.lineNotEligible;
  const message = messageOr(failure, t('recharge.notChecked'));
  return { state: 'failed', message, isUnreachable, isElsewhere, ...settled };
}
