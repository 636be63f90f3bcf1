import { OrderLine } from '../../features/order-summary/order-line.tsx';
import { OtpDialog } from '../../features/otp-dialog/otp-dialog.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { idOf } from './code-dialog.tsx';
import type { PaymentOrder } from './payment-order.ts';

interface FreshCodeProps {
  order: PaymentOrder;
  transactionId: string;
  /** The payer's number in wire format. */
  number: string;
  /** The proof of the code; null when the person leaves the dialog. */
  answer: (uniqueCode: string | null) => void;
}

/** One more code, sent to the paying number, for this payment only. */
export function FreshCodeDialog({ order, transactionId, number, answer }: FreshCodeProps) {
  const { t, api } = usePage();
  return (
    <OtpDialog<{ uniqueCode: string }>
      title={t('payment.freshCode.title')}
      send={async (signal) =>
        idOf(await api('sendCode', { body: { data: { msisdn: number, transactionId } }, signal }))
      }
      resend={async (refId, signal) => idOf(await api('resendCode', { body: { data: { refId } }, signal }))}
      verify={(refId, otp, signal) => api('verifyCode', { body: { data: { refId, otp } }, signal })}
      onVerified={({ uniqueCode }) => answer(uniqueCode)}
      onClose={() => answer(null)}
    >
      <p>
        <OrderLine order={order} />
      </p>
      <p>{t('payment.freshCode.text')}</p>
    </OtpDialog>
  );
}

/**
 * The same without script, in the form that was posted; typed values are posted again. Where no payment is registered
 * yet, it is the first code of a method that requires one, and entering it pays.
 */
export function FreshCodeFields({ amount }: { amount: string }) {
  const { t, form } = usePage();
  const formats = useFormats();
  const { transactionId, refId, paymentMobile, emailId } = form?.values ?? {};
  const isFirst = !transactionId;
  const whole = formError(form, 'code', t);
  return (
    <>
      {Object.entries({ transactionId, refId, paymentMobile, emailId }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value ?? ''} />
      ))}
      <Notice kind="process" role="status" title={t(isFirst ? 'otp.title' : 'payment.freshCode.title')}>
        {isFirst
          ? t('payment.codePays', { number: formats.number(paymentMobile ?? ''), amount })
          : t('payment.freshCode.text')}
      </Notice>
      {whole && <Notice kind="failure" role="alert" title={whole} />}
      <Field
        label={t('otp.code')}
        error={formError(form, 'otp', t)}
        name="otp"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={12}
        large
        required
      />
      <Button type="submit" block>
        {isFirst ? t('payment.pay', { amount }) : t('payment.freshCode.submit')}
      </Button>
      <Button type="submit" kind="quiet" name="step" value="resend" formNoValidate block>
        {t('otp.resend')}
      </Button>
    </>
  );
}
