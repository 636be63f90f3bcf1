import { toWire } from '@portal/domain/msisdn.ts';
import { useState } from 'react';
import { OtpDialog } from '../../features/otp-dialog/otp-dialog.tsx';
import { messageOr } from '../../lib/api.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage, WithoutScript } from '../../lib/page.tsx';
import { useLatestSignal } from '../../lib/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ActiveBundles } from './active-bundles.tsx';
import type { Balance } from './balances.ts';
import { broadbandFlow } from './broadband-page.ts';

type Step =
  | { at: 'closed' }
  /** `recipient` is known once the code was sent: a router's codes go to its owner's phone. */
  | { at: 'proving'; recipient: string | null }
  | { at: 'asking'; uniqueCode: string }
  | { at: 'failed'; uniqueCode: string; message: string }
  | { at: 'shown'; balances: readonly Balance[] };

/** 'Fetch your Data Balance': a code to the owner, then the line's balances. */
export function BalanceCheck({ national }: { national: string }) {
  const { t, api, operator } = usePage();
  const hydrated = useHydrated();
  const [step, setStep] = useState<Step>({ at: 'closed' });
  const latest = useLatestSignal();
  const msisdn = toWire(national);

  async function show(uniqueCode: string) {
    const signal = latest.next();
    setStep({ at: 'asking', uniqueCode });
    const answer = await api('queryBalance', {
      body: { data: { msisdn, uniqueCode, serviceType: 'ALL' } },
      signal,
    });
    if (signal.aborted) return;
    if (answer.ok) return setStep({ at: 'shown', balances: answer.result.queryBalanceResult });
    setStep({ at: 'failed', uniqueCode, message: messageOr(answer, t('broadband.balanceFailed')) });
  }

  const close = () => setStep({ at: 'closed' });
  return (
    <>
      <Button
        kind="secondary"
        block
        disabled={!hydrated}
        busy={step.at === 'asking'}
        onClick={() => setStep({ at: 'proving', recipient: null })}
      >
        {t('broadband.balance')}
      </Button>
      <WithoutScript>{t('broadband.needsScript', { care: operator.care.number })}</WithoutScript>
      {step.at === 'failed' && (
        <Notice
          kind="failure"
          role="alert"
          title={step.message}
          action={<Button onClick={() => show(step.uniqueCode)}>{t('common.tryAgain')}</Button>}
        />
      )}
      {step.at === 'proving' && (
        <OtpDialog
          title={t('broadband.balanceTitle')}
          send={async (signal) => {
            const answer = await api('fetchBalance', {
              body: { msisdn, requestType: broadbandFlow.requestType },
              signal,
            });
            if (!answer.ok) return answer;
            setStep({ at: 'proving', recipient: answer.result.otpRecipient });
            return { ok: true, result: answer.result.txnRefId };
          }}
          resend={async (refId, signal) => {
            const answer = await api('resendCode', { body: { data: { refId } }, signal });
            return answer.ok ? { ok: true, result: answer.result.refId } : answer;
          }}
          verify={(refId, otp, signal) => api('verifyCode', { body: { data: { refId, otp } }, signal })}
          onVerified={({ uniqueCode }) => show(uniqueCode)}
          onClose={close}
        >
          {step.recipient && <p>{t('broadband.sentTo', { number: step.recipient })}</p>}
        </OtpDialog>
      )}
      {step.at === 'shown' && <ActiveBundles national={national} balances={step.balances} onClose={close} />}
    </>
  );
}
