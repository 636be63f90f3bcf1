import * as errorCodes from '@portal/contract/error-codes.ts';
import { type ReactNode, useEffect, useEffectEvent, useReducer, useRef, useState } from 'react';
import type { Answer } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Countdown } from '../../ui/countdown.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DigitBoxes } from '../../ui/digit-boxes.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ChallengeProgress } from '../challenge/challenge-progress.tsx';
import { useToast } from '../toast/use-toast.ts';
import styles from './otp-dialog.module.css';
import { closeAfterMs, firstOtpFlow, type OtpFlow, otpFlow, type Problem } from './otp-flow.ts';

/** Why the dialog closed without a verified code. */
export type OtpEnd = 'left' | 'locked' | 'maxLimit' | 'refused';

export interface OtpDialogProps<V> {
  title: ReactNode;
  /** The recipient, as text. */
  children?: ReactNode;
  /** Sends the first code and returns its id (refId, otpId). */
  send: (signal: AbortSignal) => Promise<Answer<string>>;
  /** Sends a new code that replaces it. */
  resend: (id: string, signal: AbortSignal) => Promise<Answer<string>>;
  verify: (id: string, code: string, signal: AbortSignal) => Promise<Answer<V>>;
  onVerified: (verified: V) => void;
  onClose: (why: OtpEnd) => void;
  /** If given, the code is sent when this button is pressed; otherwise at once. */
  startLabel?: ReactNode;
  submitLabel?: ReactNode;
  /** An alternative proof, below the boxes. */
  alternative?: ReactNode;
}

/** By their ids: whoever opens the dialog again soon gets the same code, and the rest of its wait. */
const sentAt: Record<string, number> = {};

/**
 * Six digits by SMS. Mounting it opens it; it ends with `onVerified` or `onClose`, and the caller unmounts it. Its
 * screen needs the texts of the namespaces `otp` and `challenge`.
 */
export function OtpDialog<V>(props: OtpDialogProps<V>) {
  const { t, track } = usePage();
  const [flow, tell] = useReducer(otpFlow, firstOtpFlow);
  const [code, setCode] = useState('');
  const abort = useRef<AbortController | null>(null);
  const toast = useToast();

  function liveSignal(): AbortSignal {
    abort.current ??= new AbortController();
    return abort.current.signal;
  }

  async function take(ask: (signal: AbortSignal) => Promise<Answer<string>>, isAgain = false) {
    const signal = liveSignal();
    const answer = await ask(signal);
    if (signal.aborted) return;
    if (answer.ok && isAgain) toast.done(t('otp.resent'));
    if (answer.ok) {
      const id = answer.result;
      sentAt[id] = (!isAgain && sentAt[id]) || Date.now();
      tell({ type: 'sent', id, now: sentAt[id] });
    } else {
      track('failure', 'otp', String(answer.code));
      tell({ type: 'failed', failure: answer, now: Date.now() });
    }
  }

  function start() {
    tell({ type: 'send' });
    take(props.send);
  }

  function again(id: string) {
    setCode('');
    tell({ type: 'resend' });
    take((signal) => props.resend(id, signal), true);
  }

  async function submit(digits: string) {
    if (flow.at !== 'entry' || flow.isResending || digits.length < 6) return;
    const signal = liveSignal();
    tell({ type: 'submit' });
    const answer = await props.verify(flow.id, digits, signal);
    if (signal.aborted) return;
    // A code that was not looked at is tried again, not typed again.
    if (answer.ok || answer.code === errorCodes.wrongCode) setCode('');
    track(answer.ok ? 'success' : 'failure', 'otp', answer.ok ? undefined : String(answer.code));
    if (answer.ok) props.onVerified(answer.result);
    else tell({ type: 'failed', failure: answer, now: Date.now() });
  }

  const startAtOnce = useEffectEvent(() => {
    if (!props.startLabel) start();
  });
  useEffect(() => {
    const control = new AbortController();
    abort.current = control;
    startAtOnce();
    return () => control.abort();
  }, []);

  const close = useEffectEvent(() => props.onClose('refused'));
  useEffect(() => {
    if (flow.at !== 'closing') return;
    const timer = setTimeout(close, closeAfterMs);
    return () => clearTimeout(timer);
  }, [flow.at]);

  const isOpen = flow.at === 'entry' || flow.at === 'checking';
  return (
    <Dialog open title={props.title} closeLabel={t('common.close')} onClose={() => props.onClose(endOf(flow))}>
      <div className={styles.otp}>
        {props.children && !isOver(flow) && <div>{props.children}</div>}
        {flow.at === 'start' && props.startLabel && (
          <Button block onClick={start}>
            {props.startLabel}
          </Button>
        )}
        {(flow.at === 'sending' || (flow.at === 'entry' && flow.isResending)) && (
          <ChallengeProgress>{flow.at === 'sending' && <p role="status">{t('otp.sending')}</p>}</ChallengeProgress>
        )}
        {flow.at === 'notSent' && (
          <Notice
            kind="failure"
            role="alert"
            title={flow.message ?? t('otp.notSent')}
            action={<Button onClick={start}>{t('common.tryAgain')}</Button>}
          />
        )}
        {isOpen && (
          <form
            className={styles.otp}
            onSubmit={(event) => {
              event.preventDefault();
              submit(code);
            }}
          >
            <DigitBoxes
              label={t('otp.code')}
              length={6}
              value={code}
              onChange={setCode}
              onComplete={submit}
              error={problemText(flow.problem)}
              hint={flow.at === 'checking' ? t('otp.checking') : t('otp.hint')}
              autoFocus
            />
            <p role="status">{flow.attemptsLeft !== null && t('otp.attemptsLeft', { count: flow.attemptsLeft })}</p>
            <Button type="submit" block busy={flow.at === 'checking'} disabled={code.length < 6 && flow.at === 'entry'}>
              {props.submitLabel ?? t('otp.submit')}
            </Button>
            <Resend key={flow.sends} flow={flow} onResend={() => again(flow.id)} />
          </form>
        )}
        {(flow.at === 'locked' || flow.at === 'maxLimit') && (
          <Notice
            kind="failure"
            role="alert"
            title={flow.said ?? t(flow.at === 'locked' ? 'otp.exhausted' : 'otp.maxLimit')}
          >
            {flow.at === 'locked' && t('otp.exhaustedText')}
          </Notice>
        )}
        {flow.at === 'closing' && (
          <Notice kind="failure" role="alert" title={flow.message}>
            {t('otp.closes')}
          </Notice>
        )}
        {props.alternative && !isOver(flow) && <div>{props.alternative}</div>}
      </div>
    </Dialog>
  );

  function problemText(problem: Problem | null): string | undefined {
    if (problem === null) return undefined;
    return 'text' in problem ? problem.text : (problem.said ?? t('otp.wrongCode'));
  }
}

function Resend({ flow, onResend }: { flow: OtpFlow & { at: 'entry' | 'checking' }; onResend: () => void }) {
  const { t } = usePage();
  const [seconds] = useState(() => Math.max(0, Math.ceil((flow.resendAt - Date.now()) / 1000)));
  const [isWaiting, setWaiting] = useState(seconds > 0);
  if (isWaiting)
    return (
      <p className={styles.wait}>
        <Countdown
          seconds={seconds}
          onEnd={() => setWaiting(false)}
          format={(left) => t('otp.resendIn', { seconds: left })}
        />
      </p>
    );
  return (
    <Button kind="quiet" block busy={flow.isResending} onClick={onResend}>
      {t('otp.resend')}
    </Button>
  );
}

const isOver = ({ at }: OtpFlow) => at === 'locked' || at === 'maxLimit' || at === 'closing';

function endOf({ at }: OtpFlow): OtpEnd {
  if (at === 'locked' || at === 'maxLimit') return at;
  return at === 'closing' ? 'refused' : 'left';
}
