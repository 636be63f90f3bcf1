import { statusPath } from '@portal/domain/paths.ts';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { usePolling } from '../../lib/use-call.ts';
import { useLive } from '../../lib/use-live.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressOverlay } from '../../ui/progress-overlay.tsx';
import { type Approval, afterPoll, firstApproval, pollEveryMs } from './approval-flow.ts';

const liveTurns = 3;

export interface AwaitApprovalProps {
  transactionId: string;
  /** How much, by which way and from which number. */
  asked: ReactNode;
  maxTries: number;
  onOver: () => void;
  /** The number was mistyped: the form is shown again. */
  onCorrect?: (() => void) | undefined;
}

/** Holds the page with 'Processing' while the payer decides; leaving is safe, and it says so. */
export function AwaitApproval({ transactionId, asked, maxTries, onOver, onCorrect }: AwaitApprovalProps) {
  const { api, t, prepare } = usePage();
  const approval = useRef<Approval>(firstApproval);
  // Where the payment is told of next: it should not have to load when it is approved.
  const ahead = useEffectEvent(() => prepare(statusPath(transactionId)));
  useEffect(() => ahead(), []);
  const look = usePolling(
    transactionId,
    async (signal, count, isExtra) => {
      // Whoever is told of changes asks only now and then, and waits no longer than others.
      const isTurn = isExtra || !isLive.current || (count + 1) % liveTurns === 0;
      const answer = isTurn ? await api('transactionStatus', { query: { tid: transactionId }, signal }) : null;
      if (signal.aborted) return null;
      // Looking out of turn uses up no try.
      if (isExtra && (!answer?.ok || answer.result.status === 'IN_PROCESS')) return pollEveryMs;
      approval.current = afterPoll(
        approval.current,
        answer?.ok ? { kind: 'status', status: answer.result.status } : { kind: 'noAnswer' },
        maxTries,
      );
      if (approval.current.state === 'waiting') return pollEveryMs;
      onOver();
      return null;
    },
    pollEveryMs,
  );
  const isLive = useLive(transactionId, look);

  return (
    <ProgressOverlay open message={t('payment.processing')} closeLabel={t('common.close')}>
      <p>
        <strong>{asked}</strong>
      </p>
      <p>{t('payment.approveOnPhone')}</p>
      <p>
        <Link
          href={statusPath(transactionId)}
          onClick={(event) => {
            event.preventDefault();
            onOver();
          }}
        >
          {t('payment.leaveSafely')}
        </Link>
      </p>
      {onCorrect && (
        <Button kind="quiet" onClick={onCorrect}>
          {t('payment.wrongNumber')}
        </Button>
      )}
    </ProgressOverlay>
  );
}
