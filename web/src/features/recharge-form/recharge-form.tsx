import { amountProblem, readAmount } from '@portal/domain/amount.ts';
import type { TransactionType } from '@portal/domain/transaction-types.ts';
import { type FormEvent, useEffect, useState } from 'react';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { paths } from '../../lib/paths.ts';
import { type QueryData, session } from '../../lib/session.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { Button } from '../../ui/button.tsx';
import { CheckIcon } from '../../ui/icon.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { useLineCheck } from '../line-check/use-line-check.ts';
import styles from './recharge-form.module.css';

const transactionType: TransactionType = 'PREPAID_RECHARGE';

export interface RechargeFormProps {
  redirectPage: string;
  /** A page that shows the bundles of a valid prepaid number hears of it here; without script a button leads to them. */
  onLine?: (national: string | null) => void;
  onShowBundles?: () => void;
}

/** Number, amount, BUY AIRTIME: a form that posts, and that script makes quicker. */
export function RechargeForm({ redirectPage, onLine, onShowBundles }: RechargeFormProps) {
  const page = usePage();
  const { t, operator, form, query } = page;
  const formats = useFormats();
  const hydrated = useHydrated();
  const [national, setNational] = useState(form?.values.msisdn ?? formats.read(query.msisdn ?? ''));
  const [amount, setAmount] = useState(form?.values.amount ?? query.amount ?? '');
  const line = useLineCheck(national);

  const prepaid = line.state === 'line' && line.lineType === 'PREPAID' ? national : null;
  useEffect(() => onLine?.(prepaid), [onLine, prepaid]);

  const value = readAmount(amount);
  const problem = value === null ? null : amountProblem(value, operator.limits.prepaid);
  const untouched = national === (form?.values.msisdn ?? '') && amount === (form?.values.amount ?? '');
  const numberError = lineError() ?? (untouched ? formError(form, 'msisdn', t) : undefined);
  const amountError = limitError() ?? (untouched ? formError(form, 'amount', t) : undefined);
  const ready = value !== null && problem === null && prepaid !== null;

  function lineError() {
    if (line.state === 'unknown') return t('recharge.invalidNumber');
    if (line.state === 'failed') return t('recharge.notChecked');
    return undefined;
  }

  function limitError() {
    if (!problem) return undefined;
    return problem.kind === 'below'
      ? t('recharge.minimum', { amount: formats.money(problem.min) })
      : t('recharge.maximum', { amount: formats.money(problem.max) });
  }

  function lineStatus() {
    if (line.state === 'checking') return t('recharge.checking');
    if (line.state !== 'line') return undefined;
    if (line.lineType === 'PREPAID')
      return (
        <span className={styles.known}>
          <CheckIcon size={18} /> {t('recharge.prepaidLine')}
        </span>
      );
    return (
      <>
        {t('recharge.postpaidLine')} <Link href={paths.postpaidBillPay}>{t('recharge.toBill')}</Link>
      </>
    );
  }

  function buy(event: FormEvent<HTMLFormElement>) {
    if (!ready || value === null) return event.preventDefault();
    const order: QueryData = {
      msisdn: national,
      amount: value,
      currency: operator.currency.code,
      lineType: 'PREPAID',
      transactionType,
      redirectPage,
    };
    // Where nothing can be kept, the form is posted and the order travels in the address.
    if (!session.order.write(order)) return;
    event.preventDefault();
    page.navigate(paths.paymentStart);
  }

  return (
    <form method="post" action={page.href(paths.prepaidRecharge)} onSubmit={buy} className={styles.form} noValidate>
      <input type="hidden" name="redirectPage" value={redirectPage} />
      <NumberField
        label={t('common.mobileNumber')}
        hint={t('recharge.numberHint', { brand: operator.brand.name })}
        status={lineStatus()}
        error={numberError}
        prefix={formats.prefix}
        name="msisdn"
        value={national}
        onChange={setNational}
        group={formats.group}
        read={formats.read}
        required
      />
      {line.state === 'failed' && (
        <Button kind="quiet" onClick={line.retry}>
          {t('common.tryAgain')}
        </Button>
      )}
      <AmountField
        label={t('common.amount')}
        currency={operator.currency.code}
        chipsLabel={t('recharge.quickAmounts')}
        chips={operator.amountChips}
        formatChip={formats.plain}
        error={amountError}
        name="amount"
        value={amount}
        onChange={setAmount}
        required
      />
      <Button type="submit" block disabled={hydrated && !ready}>
        {t('recharge.buy')}
      </Button>
      {onShowBundles && (
        <Button
          type="submit"
          kind="secondary"
          block
          formAction={page.href(paths.dataBundle)}
          disabled={hydrated && prepaid === null}
          onClick={(event) => {
            if (!hydrated) return;
            event.preventDefault();
            onShowBundles();
          }}
        >
          {t('bundles.forThisLine')}
        </Button>
      )}
    </form>
  );
}
