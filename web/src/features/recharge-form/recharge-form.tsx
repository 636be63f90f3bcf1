import { isCompleteNational } from '@portal/domain/msisdn.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import type { TransactionType } from '@portal/domain/transaction-types.ts';
import { type FormEvent, useEffect, useState } from 'react';
import { useFlowEntry } from '../../lib/flow-entry.ts';
import { useHydrated, useOnline } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { usePrefetchedPayment } from '../../lib/prefetch-payment.ts';
import type { QueryData } from '../../lib/session.ts';
import { isPhoneShared } from '../../lib/shared-phone.ts';
import { useUnpaidOrder } from '../../lib/unpaid-order.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { Button } from '../../ui/button.tsx';
import { useLimits } from '../config/use-config.ts';
import { keptOrder } from '../kept-order/kept-order.ts';
import { KeptOrderCard } from '../kept-order/kept-order-card.tsx';
import { useOrder } from '../kept-order/use-order.ts';
import { KnownLine } from '../line-check/known-line.tsx';
import { LineField } from '../line-check/line-field.tsx';
import { useLineCheck } from '../line-check/use-line-check.ts';
import { useToast } from '../toast/use-toast.ts';
import { billedLineKey, isBilledLine } from './billed-line.ts';
import styles from './recharge-form.module.css';
import { readTyped } from './typed-amount.ts';

const transactionType: TransactionType = 'PREPAID_RECHARGE';

export interface RechargeFormProps {
  redirectPage: string;
  /** Called with a valid prepaid number, for a page that shows its bundles; without script a button leads to them. */
  onLine?: (national: string | null) => void;
  onShowBundles?: () => void;
}

/** Number, amount, BUY AIRTIME: a form that also posts without script. */
export function RechargeForm({ redirectPage, onLine, onShowBundles }: RechargeFormProps) {
  const page = usePage();
  const { t, operator, form, query, language } = page;
  const formats = useFormats();
  const hydrated = useHydrated();
  const left = useUnpaidOrder(redirectPage, [transactionType]);
  const [national, setNational] = useState(form?.values.msisdn ?? formats.read(query.msisdn ?? left?.msisdn ?? ''));
  const [amount, setAmount] = useState(form?.values.amount ?? query.amount ?? left?.amount.toString() ?? '');
  const line = useLineCheck(national, 'PREPAID RECHARGE');
  const placeOrder = useOrder();
  useFlowEntry(redirectPage);
  const toast = useToast();
  const online = useOnline();
  const isUnreachable = hydrated && (!online || (line.state === 'failed' && line.isUnreachable));
  const isShared = isUnreachable && isPhoneShared();

  const prepaid = line.state === 'line' && line.lineType === 'PREPAID' ? national : null;
  useEffect(() => onLine?.(prepaid), [onLine, prepaid]);

  const limits = useLimits();
  const { amount: value, error } = readTyped(amount, limits.prepaid, operator.currency, language.formats);
  // In a currency with cents, airtime amounts are whole units of it.
  const hasUnits = operator.currency.digits > 0;
  const shown = value ?? 10 ** operator.currency.digits;
  const untouched = national === (form?.values.msisdn ?? '') && amount === (form?.values.amount ?? '');
  const ofBill = (words: string) => (
    <>
      {words} <Link href={withQuery(paths.postpaidBillPay, { msisdn: national })}>{t('recharge.toBill')}</Link>
    </>
  );
  const postedAmountError = untouched ? formError(form, 'amount', t) : undefined;
  const ready = value !== null && prepaid !== null;
  const { canPost } = line;
  usePrefetchedPayment(ready);
  const canKeep = isUnreachable && !isShared && value !== null && isCompleteNational(national, operator.numbering);

  function postedError() {
    const words = formError(form, 'msisdn', t);
    return words && isBilledLine(form?.errors.msisdn) ? ofBill(words) : words;
  }

  function buy(event: FormEvent<HTMLFormElement>) {
    if (canPost) return;
    if (value === null || !(ready || canKeep)) return event.preventDefault();
    const order: QueryData = {
      msisdn: national,
      amount: value,
      currency: operator.currency.code,
      lineType: 'PREPAID',
      transactionType,
      redirectPage,
    };
    if (isUnreachable) {
      if (keptOrder.keep(order)) toast.done(t('recharge.keptToast'));
    } else if (placeOrder(order) === 'post') return;
    event.preventDefault();
  }

  return (
    <form method="post" action={page.href(paths.prepaidRecharge)} onSubmit={buy} className={styles.form} noValidate>
      <input type="hidden" name="redirectPage" value={redirectPage} />
      <KeptOrderCard
        onRecharge={(order) => {
          setNational(order.msisdn);
          setAmount(String(order.amount));
        }}
      />
      <LineField
        value={national}
        onChange={setNational}
        hint={t('recharge.numberHint', { brand: operator.brand.name })}
        check={line}
        known={
          line.state === 'line' &&
          (prepaid ? <KnownLine kind={t('recharge.prepaidLine')} /> : ofBill(t(billedLineKey(line.lineType))))
        }
        error={untouched ? postedError() : undefined}
        isOffline={!online}
        isUnreachable={isUnreachable}
      />
      <AmountField
        label={t('common.amount')}
        currency={hasUnits ? t('recharge.units') : operator.currency.code}
        hint={
          hasUnits ? t('recharge.unitsWorth', { count: formats.plain(shown), amount: formats.money(shown) }) : undefined
        }
        chipsLabel={t('recharge.quickAmounts')}
        chips={operator.amountChips}
        formatChip={formats.plain}
        error={error ? t(error.key, error.params) : postedAmountError}
        mayGrow={error?.key === 'recharge.minimum'}
        name="amount"
        value={amount}
        onChange={setAmount}
        required
      />
      <p role="status" className={isUnreachable ? styles.needs : 'visually-hidden'}>
        {isUnreachable && t(isShared ? 'recharge.needsNetworkShared' : 'recharge.needsNetwork')}
      </p>
      <Button type="submit" block disabled={hydrated && !(isUnreachable ? canKeep : ready || canPost)}>
        {t(isUnreachable ? 'recharge.keep' : 'recharge.buy')}
      </Button>
      {onShowBundles && (
        <Button
          type="submit"
          kind="secondary"
          block
          formAction={page.href(paths.dataBundle)}
          disabled={hydrated && prepaid === null && !canPost}
          onClick={(event) => {
            if (!hydrated || canPost) return;
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
