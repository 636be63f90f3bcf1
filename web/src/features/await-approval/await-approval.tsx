import { useEffect, useRef } from 'react';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { statusPath } from '../../lib/paths.ts';
import { ProgressOverlay } from '../../ui/progress-overlay.tsx';
import { type Approval, afterPoll, firstApproval, pollEveryMs } from './approval-flow.ts';

export interface AwaitApprovalProps {
  transactionId: string;
  maxTries: number;
  onOver: () => void;
}

/** Holds the page with 'Processing' while the payer decides; leaving is safe, and it says so. */
export function AwaitApproval({ transactionId, maxTries, onOver }: AwaitApprovalProps) {
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
    </ProgressOverlay>
  );
}
