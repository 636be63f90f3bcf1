import * as errorCodes from '@portal/contract/error-codes.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import { useLimits } from '../../features/config/use-config.ts';
import { KnownLine } from '../../features/line-check/known-line.tsx';
import { LineField } from '../../features/line-check/line-field.tsx';
import { useLineCheck } from '../../features/line-check/use-line-check.ts';
import { readTyped } from '../../features/recharge-form/typed-amount.ts';
import { messageOr } from '../../lib/api.ts';
import { useFlowEntry } from '../../lib/flow-entry.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { usePrefetchedPayment } from '../../lib/prefetch-payment.ts';
import { session } from '../../lib/session.ts';
import { useLatestSignal } from '../../lib/use-call.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { Button } from '../../ui/button.tsx';
import { billOrder, hybridCheckBody, needsHybridCheck, paysByBill } from './bill-order.ts';
import { AccountFields } from './code-form.tsx';
import styles from './postpaid-bill-pay.module.css';

export interface PostpaidFormProps {
  national: string;
  onNational: (national: string) => void;
  amount: string;
  onAmount: (amount: string) => void;
  onFetch: () => void;
  isFetching: boolean;
  /** The proof of a page without script, so that a refused payment shows the bill again. */
  token: string | null;
}

export function PostpaidForm({
  national,
  onNational,
  amount,
  onAmount,
  onFetch,
  isFetching,
  token,
}: PostpaidFormProps) {
  const page = usePage();
  const { t, api, operator, form, language } = page;
  const formats = useFormats();
  const hydrated = useHydrated();
  useFlowEntry(paths.postpaidBillPay);
  const line = useLineCheck(national, 'POSTPAID BILL PAYMENT');
  const [refusal, setRefusal] = useState<{ national: string; text: string; isFinal: boolean } | null>(null);
  const [isChecking, setChecking] = useState(false);
  const latest = useLatestSignal();
  // Pressed during hydration: submitted once the line is known.
  const [isWanted, setWanted] = useState(false);

  const limits = useLimits();
  const read = readTyped(amount, limits.postpaid, operator.currency, language.formats);
  const hasUnits = operator.currency.digits > 0;
  const isBillLine = line.state === 'line' && paysByBill(line.lineType);
  const { canPost } = line;
  const isRefused = refusal?.national === national;
  const ready = isBillLine && read.amount !== null && !(isRefused && refusal.isFinal);
  usePrefetchedPayment(ready);
  const untouched = national === (form?.values.msisdn ?? '') && amount === (form?.values.amount ?? '');
  const posted = (field: string) => (untouched ? formError(form, field, t) : undefined);

  const ofRecharge = (
    <>
      {t('postpaid.prepaidLine')}{' '}
      <Link href={withQuery(paths.prepaidRecharge, { msisdn: national })}>{t('postpaid.toRecharge')}</Link>
    </>
  );

  function numberError() {
    const words = isRefused ? refusal.text : posted('msisdn');
    return words === t('postpaid.prepaidLine') ? ofRecharge : words;
  }

  function knownLine() {
    if (line.state !== 'line') return undefined;
    if (line.lineType === 'PREPAID') return ofRecharge;
    return <KnownLine kind={t(line.lineType === 'HYBRID' ? 'postpaid.hybridLine' : 'postpaid.postpaidLine')} />;
  }

  const fetchWanted = useEffectEvent(() => {
    setWanted(false);
    if (isBillLine) onFetch();
  });
  useEffect(() => {
    if (isWanted && !canPost) fetchWanted();
  }, [isWanted, canPost]);

  async function pay(event: FormEvent<HTMLFormElement>) {
    if (!hydrated || canPost) return;
    if (!ready || isChecking || line.state !== 'line' || read.amount === null) return event.preventDefault();
    const order = billOrder({ national, amount: read.amount, lineType: line.lineType }, operator);
    // Where storage is unavailable, the form is posted: the server makes the same checks and the order travels in the
    // URL.
    if (!session.order.write(order)) return;
    event.preventDefault();
    if (needsHybridCheck(line.lineType, operator) && !(await hasBill())) return session.order.clear();
    page.navigate(paths.paymentStart);
  }

  async function hasBill(): Promise<boolean> {
    const signal = latest.next();
    setChecking(true);
    const answer = await api('lineType', { body: hybridCheckBody(national), signal });
    if (signal.aborted) return false;
    setChecking(false);
    if (answer.ok) return true;
    const isTold = answer.code === errorCodes.lineNotEligible;
    // A failed check says nothing about the line: the next press retries it.
    setRefusal({ national, text: messageOr(answer, t('recharge.notChecked')), isFinal: isTold });
    return false;
  }

  return (
    <form method="post" action={page.href(paths.postpaidBillPay)} onSubmit={pay} className={styles.form} noValidate>
      {token && <input type="hidden" name="order" value={token} />}
      <LineField
        value={national}
        onChange={onNational}
        hint={t('postpaid.numberHint', { brand: operator.brand.name })}
        check={line}
        known={knownLine()}
        error={numberError()}
      />
      <Button
        type={hydrated ? 'button' : 'submit'}
        kind="secondary"
        name="step"
        value="fetch"
        block
        disabled={hydrated && !isBillLine && !canPost}
        busy={isFetching || isWanted}
        onClick={hydrated ? () => (canPost ? setWanted(true) : onFetch()) : undefined}
      >
        {t('postpaid.fetch')}
      </Button>
      <noscript>
        <div className={styles.form}>
          <AccountFields />
        </div>
      </noscript>
      <AmountField
        label={t('common.amount')}
        currency={hasUnits ? t('recharge.units') : operator.currency.code}
        chipsLabel={t('recharge.quickAmounts')}
        error={read.error ? t(read.error.key, read.error.params) : posted('amount')}
        mayGrow={read.error?.key === 'recharge.minimum'}
        hint={
          hasUnits && read.amount !== null
            ? t('recharge.unitsWorth', { count: formats.plain(read.amount), amount: formats.money(read.amount) })
            : t('postpaid.amountHint')
        }
        name="amount"
        value={amount}
        onChange={onAmount}
        required
      />
      <Button type="submit" name="step" value="pay" block disabled={hydrated && !ready && !canPost} busy={isChecking}>
        {t('postpaid.pay')}
      </Button>
    </form>
  );
}
