import type { ResultOf } from '@portal/contract/contract.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import type { ReactNode } from 'react';
import { OtpDialog, type OtpEnd } from '../../features/otp-dialog/otp-dialog.tsx';
import type { Answer, Failure } from '../../lib/api.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { type PaymentOrder, purchaseOf } from './payment-order.ts';

interface CodeDialogProps<N extends 'verifyCode' | 'verifyUser'> {
  call: N;
  /** The number as shown to the person. */
  national: string;
  /** The number in wire format: with a leading 0, or encrypted. */
  number: string;
  paymentMode: string;
  order: PaymentOrder;
  onVerified: (verified: ResultOf<N>) => void;
  onClose: (why: OtpEnd) => void;
  /** The order cannot be paid as it is; no code was sent. */
  onRefused: (failure: Failure) => void;
  children?: ReactNode;
}

export const idOf = (answer: Answer<{ refId: string }>): Answer<string> =>
  answer.ok ? { ok: true, result: answer.result.refId } : answer;

/** Codes about the order rather than the one-time code. */
const orderRefusals: readonly (string | number)[] = [
  errorCodes.notOffered,
  errorCodes.priceChanged,
  errorCodes.lineUnknown,
  errorCodes.lineNotEligible,
  errorCodes.amountOutOfRange,
];

/** Proves a paying number by a code that is valid for this method and this order only. */
export function CodeDialog<N extends 'verifyCode' | 'verifyUser'>(props: CodeDialogProps<N>) {
  const { t, api, operator } = usePage();
  const formats = useFormats();
  const { call, number, paymentMode } = props;

  async function send(signal: AbortSignal): Promise<Answer<string>> {
    const payment = purchaseOf(props.order, operator);
    const answer = await api('sendCode', { body: { data: { msisdn: number, paymentMode, payment } }, signal });
    if (!answer.ok && orderRefusals.includes(answer.code)) props.onRefused(answer);
    return idOf(answer);
  }

  return (
    <OtpDialog<ResultOf<N>>
      title={t('otp.title')}
      send={send}
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
