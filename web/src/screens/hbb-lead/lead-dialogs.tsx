import * as errorCodes from '@portal/contract/error-codes.ts';
import type { Bundle } from '@portal/domain/bundle.ts';
import { leadRedirectSeconds, leadTags } from '@portal/domain/constants.ts';
import { foreignLineType } from '@portal/domain/line-types.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react';
import { OtpDialog } from '../../features/otp-dialog/otp-dialog.tsx';
import { useToast } from '../../features/toast/use-toast.ts';
import { type Answer, messageOr } from '../../lib/api.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { retrying } from '../../loading/deferred.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressOverlay } from '../../ui/progress-overlay.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';
import type { LeadEvent, LeadFlow, LeadProblem } from './lead-flow.ts';
import { answersOf } from './lead-order.ts';

/** Lazy: the map is large. */
const LocationDialog = lazy(() =>
  retrying(() => import('../../features/map/location-dialog.tsx')).then((module) => ({
    default: module.LocationDialog,
  })),
);

interface DialogsProps {
  flow: LeadFlow;
  plan: Bundle;
  tell: (event: LeadEvent) => void;
  onPay: () => void;
  onExplore: () => void;
}

/** The dialogs over the form, one at a time. */
export function LeadDialogs({ flow, plan, tell, onPay, onExplore }: DialogsProps) {
  const { t } = usePage();
  const { step } = flow;
  switch (step.at) {
    case 'locating':
      return <Busy message={t('lead.locating')} />;
    case 'picking':
      return (
        <Suspense fallback={<Busy message={t('lead.locating')} />}>
          <LocationDialog
            open
            start={step.start}
            onClose={() => tell({ type: 'edit' })}
            onConfirm={({ lat, lng }) => tell({ type: 'picked', point: { lat, lng } })}
          />
        </Suspense>
      );
    case 'confirming':
      return <Confirm flow={flow} plan={plan} tell={tell} problem={step.problem} />;
    case 'checkingNumber':
      return <Busy message={t('lead.checkingNumber')} />;
    case 'code':
      return <LeadCode flow={flow} lineType={step.lineType} tell={tell} />;
    case 'submitting':
      return <Busy message={t('lead.submitting')} />;
    case 'available':
      return (
        <Outcome
          title={t('lead.availableTitle')}
          seconds={leadRedirectSeconds.success}
          label={t('lead.payNow')}
          onEnd={onPay}
        >
          <p>{t('lead.availableText', { id: step.leadId })}</p>
        </Outcome>
      );
    case 'unavailable':
      return (
        <Outcome
          title={t('lead.thanksTitle')}
          seconds={leadRedirectSeconds.unavailable}
          label={t('lead.explore')}
          onEnd={onExplore}
        >
          <p>{t('lead.thanksText', { town: answersOf(flow.values).town })}</p>
          {step.leadId && <p>{t('lead.thanksKept', { id: step.leadId })}</p>}
        </Outcome>
      );
    default:
      return null;
  }
}

function Busy({ message }: { message: string }) {
  const { t } = usePage();
  return <ProgressOverlay open message={message} closeLabel={t('common.close')} />;
}

function Confirm({
  flow,
  plan,
  tell,
  problem,
}: Pick<DialogsProps, 'flow' | 'plan' | 'tell'> & { problem: LeadProblem | undefined }) {
  const { t } = usePage();
  const formats = useFormats();
  const { fullName, number, email, town, address, landmark } = answersOf(flow.values);
  const edit = () => tell({ type: 'edit' });
  return (
    <Dialog
      open
      title={t('lead.confirmTitle')}
      closeLabel={t('common.close')}
      onClose={edit}
      actions={
        <>
          <Button kind="secondary" onClick={edit}>
            {t('lead.edit')}
          </Button>
          <Button onClick={() => tell({ type: 'confirm' })}>{t('lead.confirm')}</Button>
        </>
      }
    >
      {problem && (
        <Notice kind="failure" role="alert" title={problem.message}>
          {problem.reason && <p>{problem.reason}</p>}
          {t('lead.nothingTaken')}
        </Notice>
      )}
      <SummaryList
        rows={[
          { label: t('lead.name'), value: fullName },
          {
            label: t('lead.number'),
            value: <span className="figures">{formats.number(number)}</span>,
          },
          { label: t('lead.email'), value: email },
          { label: t('lead.town'), value: town },
          { label: t('lead.address'), value: address },
          ...(landmark ? [{ label: t('lead.landmark'), value: landmark }] : []),
          { label: t('lead.plan'), value: plan.description },
          { label: t('lead.price'), value: formats.money(plan.amount, plan.currency), strong: true },
        ]}
      />
    </Dialog>
  );
}

function LeadCode({ flow, lineType, tell }: Pick<DialogsProps, 'flow' | 'tell'> & { lineType: string }) {
  const { t, api } = usePage();
  const toast = useToast();
  const formats = useFormats();
  const { fullName, number, email } = answersOf(flow.values);
  const isOwn = lineType !== foreignLineType;

  /** When no more codes are sent, the dialog closes and the form is reset. */
  function watched<T>(answer: Answer<T>): Answer<T> {
    if (answer.ok || answer.code !== errorCodes.maxLimit) return answer;
    toast.error(messageOr(answer, t('lead.maxLimit')), 'long');
    tell({ type: 'maxLimit' });
    return answer;
  }

  return (
    <OtpDialog
      title={t('lead.codeTitle')}
      send={async (signal) => {
        const body = {
          email,
          customerDetails: { fullName },
          requestType: leadTags.type,
          ...(isOwn ? { msisdn: toWire(number) } : {}),
        };
        const answer = watched(await api('sendLeadCode', { body, signal }));
        return answer.ok ? { ok: true, result: answer.result.refId } : answer;
      }}
      resend={async (refId, signal) => {
        const answer = watched(await api('resendCode', { body: { data: { refId } }, signal }));
        return answer.ok ? { ok: true, result: answer.result.refId } : answer;
      }}
      verify={async (refId, otp, signal) => {
        const answer = await api('verifyCode', { body: { data: { refId, otp } }, signal });
        return answer.ok ? { ok: true, result: answer.result.uniqueCode } : answer;
      }}
      onVerified={(uniqueCode) => tell({ type: 'verified', uniqueCode })}
      onClose={() => tell({ type: 'codeLeft' })}
    >
      {isOwn ? t('lead.codeToNumber', { number: formats.number(number) }) : t('lead.codeToEmail', { email })}
    </OtpDialog>
  );
}

/** Continues by itself after a while, or at once by its button. */
function Outcome({
  title,
  seconds,
  label,
  onEnd,
  children,
}: {
  title: string;
  seconds: number;
  label: string;
  onEnd: () => void;
  children: ReactNode;
}) {
  const { t } = usePage();
  const end = useEffectEvent(onEnd);
  useEffect(() => {
    const timer = setTimeout(end, seconds * 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  return (
    <Dialog open title={title} closeLabel={t('common.close')} actions={<Button onClick={onEnd}>{label}</Button>}>
      <div role="status">{children}</div>
    </Dialog>
  );
}
