import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { statusPath } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { ProgressOverlay } from '../../ui/progress-overlay.tsx';
import { type Approval, afterPoll, firstApproval, pollEveryMs } from './approval-flow.ts';

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
  const { api, t } = usePage();
  const over = useRef(onOver);
  over.current = onOver;

  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let approval: Approval = firstApproval;
    async function poll() {
      const answer = await api('transactionStatus', { query: { tid: transactionId }, signal: abort.signal });
      if (abort.signal.aborted) return;
      approval = afterPoll(
        approval,
        answer.ok ? { kind: 'status', status: answer.result.status } : { kind: 'noAnswer' },
        maxTries,
      );
      if (approval.state === 'over') over.current();
      else timer = setTimeout(poll, pollEveryMs);
    }
    timer = setTimeout(poll, pollEveryMs);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, transactionId, maxTries]);

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
