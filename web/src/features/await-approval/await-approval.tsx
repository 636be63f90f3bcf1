import { statusPath } from '@portal/domain/paths.ts';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useOnline } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import { useLive } from '../../lib/use-live.ts';
import { usePolling } from '../../lib/use-polling.ts';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type Approval, afterPoll, firstApproval, pollEveryMs } from './approval-flow.ts';
import styles from './await-approval.module.css';

const liveTurns = 3;

export interface AwaitApprovalProps {
  transactionId: string;
  amount: string;
  /** Amount, method and number. */
  asked: ReactNode;
  maxTries: number;
  onOver: () => void;
  /** The number was mistyped: shows the form again. */
  onCorrect?: (() => void) | undefined;
}

/** A page of its own, 'Processing', while the payer decides; it says that leaving is safe. */
export function AwaitApproval({ transactionId, amount, asked, maxTries, onOver, onCorrect }: AwaitApprovalProps) {
  const { api, t, prepare } = usePage();
  const online = useOnline();
  const approval = useRef<Approval>(firstApproval);
  // Prefetches the status page, so that it does not have to load after the approval.
  const ahead = useEffectEvent(() => prepare(statusPath(transactionId)));
  useEffect(() => ahead(), []);
  const look = usePolling(
    transactionId,
    async (signal, count, isExtra) => {
      // With an open event stream it polls rarely.
      const isTurn = isExtra || !isLive.current || (count + 1) % liveTurns === 0;
      const answer = isTurn ? await api('transactionStatus', { query: { tid: transactionId }, signal }) : null;
      if (signal.aborted) return null;
      // An extra poll does not count as an attempt.
      const told = answer?.ok ? answer.result : null;
      if (isExtra && (!told || (told.status === 'IN_PROCESS' && !told.unclear))) return pollEveryMs;
      approval.current = afterPoll(
        approval.current,
        told ? { kind: 'status', status: told.status, isUnclear: told.unclear } : { kind: 'noAnswer' },
        maxTries,
      );
      if (approval.current.state === 'waiting') return pollEveryMs;
      onOver();
      return null;
    },
    pollEveryMs,
  );
  const isLive = useLive(transactionId, look);
  const waitMs = maxTries * pollEveryMs;

  return (
    <Dialog open isPage title={t('payment.processing')} closeLabel={t('common.close')}>
      <div className={styles.waiting} role="status">
        <AskingPhone />
        {/* Said once: what is asked begins with it. */}
        <p className={styles.amount} aria-hidden="true">
          {amount}
        </p>
        <p>
          <strong>{asked}</strong>
        </p>
        <p>{t('payment.approveOnPhone')}</p>
        {/* The notice of the page is behind this dialog. */}
        {!online && <p>{t('payment.offline')}</p>}
        <p className={styles.clock} aria-hidden="true">
          <Countdown seconds={waitMs / 1_000} format={clock} />
        </p>
        <div className={styles.left} style={{ animationDuration: `${waitMs}ms` }} />
        <p className="visually-hidden">{t('payment.waitsFor', { minutes: Math.ceil(waitMs / 60_000) })}</p>
        <p className={styles.quiet}>
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
      </div>
    </Dialog>
  );
}

const clock = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Drawing of what the payer sees now: a request on the phone. */
function AskingPhone() {
  return (
    <svg
      className={styles.phone}
      aria-hidden="true"
      viewBox="0 0 112 144"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
    >
      <rect x="20" y="6" width="72" height="132" rx="10" />
      <path d="M48 16h16M36 104h16M60 104h16" />
      <path d="M30 92h52v24H30zM56 92v24" opacity=".5" />
      <path
        className={styles.flame}
        fill="currentColor"
        stroke="none"
        d="M58 28c3 15 19 21 19 37a20 20 0 0 1-41 0c0-12 9-15 9-27 6 4 9 10 8 17 4-8 6-17 5-27z"
      />
    </svg>
  );
}
