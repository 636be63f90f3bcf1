import type { Bundle } from '@portal/domain/bundle.ts';
import type { FormEvent } from 'react';
import type { BundleLine } from '../../features/bundle-list/bundle-order.ts';
import { KnownLine } from '../../features/line-check/known-line.tsx';
import type { LineCheck, LineChecking } from '../../features/line-check/use-line-check.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { paths, withQuery } from '../../lib/paths.ts';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import styles from './data-bundle.module.css';

export interface BundleFormProps {
  national: string;
  onNumber(national: string): void;
  check: LineCheck & LineChecking;
  line: BundleLine | null;
  /** Chosen before the number was known; the button then buys it. */
  chosen: Bundle | null;
  isReady: boolean;
  onSubmit(event: FormEvent<HTMLFormElement>): void;
}

/** Number first: a form that posts, and that script makes quicker. */
export function BundleForm({ national, onNumber, check, line, chosen, isReady, onSubmit }: BundleFormProps) {
  const page = usePage();
  const { t, operator, form, query } = page;
  const formats = useFormats();
  const hydrated = useHydrated();
  const posted = national === form?.values.msisdn ? formError(form, 'msisdn', t) : undefined;

  function checkError() {
    if (check.state === 'unknown') return t('recharge.invalidNumber');
    return check.state === 'failed' ? check.message : undefined;
  }

  function status() {
    if (check.state === 'checking') return t('recharge.checking');
    if (!line) return undefined;
    const words: Record<string, string> = { POSTPAID: t('bundles.postpaidLine'), HYBRID: t('bundles.hybridLine') };
    return <KnownLine kind={words[line.lineType] ?? t('recharge.prepaidLine')} />;
  }

  return (
    <form
      method="post"
      action={page.href(withQuery(paths.dataBundle, { product: query.product }))}
      onSubmit={onSubmit}
      className={styles.form}
      noValidate
    >
      <NumberField
        label={t('common.mobileNumber')}
        hint={t('bundles.numberHint', { brand: operator.brand.name })}
        status={status()}
        error={checkError() ?? posted}
        prefix={formats.prefix}
        name="msisdn"
        value={national}
        onChange={onNumber}
        group={formats.group}
        read={formats.read}
        required
      />
      {check.state === 'failed' && (
        <Button kind="quiet" onClick={check.retry}>
          {t('common.tryAgain')}
        </Button>
      )}
      <Button type="submit" block disabled={hydrated && !isReady && !check.canPost}>
        {chosen ? t('bundles.buyFor', { amount: formats.money(chosen.amount, chosen.currency) }) : t('bundles.show')}
      </Button>
    </form>
  );
}
