import type { ResultOf } from '@portal/contract/contract.ts';
import type { ReactNode } from 'react';
import { OtpDialog, type OtpEnd } from '../../features/otp-dialog/otp-dialog.tsx';
import type { Answer } from '../../lib/api.ts';
import { useFormats, usePage } from '../../lib/page.tsx';

interface CodeDialogProps<N extends 'verifyCode' | 'verifyUser'> {
  call: N;
  /** As shown to the person. */
  national: string;
  /** As it travels: with a leading 0, or encrypted. */
  number: string;
  paymentMode: string;
  onVerified: (verified: ResultOf<N>) => void;
  onClose: (why: OtpEnd) => void;
  children?: ReactNode;
}

const idOf = (answer: Answer<{ refId: string }>): Answer<string> =>
  answer.ok ? { ok: true, result: answer.result.refId } : answer;

/** The code that proves a paying number; it serves this way to pay and no other. */
export function CodeDialog<N extends 'verifyCode' | 'verifyUser'>(props: CodeDialogProps<N>) {
  const { t, api } = usePage();
  const formats = useFormats();
  const { call, number, paymentMode } = props;
  return (
    <OtpDialog<ResultOf<N>>
      title={t('otp.title')}
      send={async (signal) => idOf(await api('sendCode', { body: { data: { msisdn: number, paymentMode } }, signal }))}
      resend={async (refId, signal) => idOf(await api('resendCode', { body: { data: { refId } }, signal }))}
      verify={(refId, otp, signal) =>
        api(call as 'verifyUser', { body: { data: { refId, otp, username: number, paymentMode } }, signal }) as Promise<
          Answer<ResultOf<N>>
        >
      }
      onVerified={props.onVerified}
      onClose={props.onClose}
    >
      <p>{t('otp.sentTo', { number: formats.number(props.national) })}</p>
    </OtpDialog>
  );
}
