import { paths } from '@portal/domain/paths.ts';
import { Link } from '../../lib/link.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './postpaid-bill-pay.module.css';

/** The steps of the proof dialog as plain forms, for a page without script. */
export function CodeForm({ national, token }: { national: string; token: string }) {
  const page = usePage();
  const { t, form } = page;
  const formats = useFormats();
  const whole = formError(form, 'form', t);
  const hidden = <input type="hidden" name="order" value={token} />;
  const action = page.href(paths.postpaidBillPay);
  return (
    <Card>
      <h2>{t('postpaid.proofTitle')}</h2>
      <p>{t('postpaid.codeSent', { number: formats.number(national) })}</p>
      {whole && <Notice kind="failure" role="alert" title={whole} />}
      <form method="post" action={action} className={styles.form} noValidate>
        {hidden}
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
        <Button type="submit" name="step" value="verify" block>
          {t('postpaid.getOutstanding')}
        </Button>
      </form>
      <form method="post" action={action} className={styles.form}>
        {hidden}
        <Button type="submit" kind="quiet" name="step" value="resend" block>
          {t('otp.resend')}
        </Button>
      </form>
      <form method="post" action={action} className={styles.form} noValidate>
        {hidden}
        <AccountFields />
      </form>
      <Link href={paths.postpaidBillPay}>{t('postpaid.otherNumber')}</Link>
    </Card>
  );
}

/** Part of the form of a page without script; the pressed button tells the server which step is meant. */
export function AccountFields() {
  const { t, form } = usePage();
  return (
    <>
      <Field
        label={t('common.accountNumber')}
        hint={t('postpaid.accountInstead')}
        error={formError(form, 'accountNo', t)}
        name="accountNo"
        defaultValue={form?.values.accountNo}
        inputMode="numeric"
        autoComplete="off"
      />
      <Button type="submit" kind="secondary" name="step" value="account" block>
        {t('postpaid.getOutstandingByAccount')}
      </Button>
    </>
  );
}
