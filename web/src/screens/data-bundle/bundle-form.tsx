import type { Bundle } from '@portal/domain/bundle.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import type { FormEvent } from 'react';
import type { BundleLine } from '../../features/bundle-list/bundle-order.ts';
import { KnownLine } from '../../features/line-check/known-line.tsx';
import { LineField } from '../../features/line-check/line-field.tsx';
import type { LineCheck, LineChecking } from '../../features/line-check/use-line-check.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
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

/** The number first: a form that also posts without script. */
export function BundleForm({ national, onNumber, check, line, chosen, isReady, onSubmit }: BundleFormProps) {
  const page = usePage();
  const { t, operator, form, query } = page;
  const formats = useFormats();
  const hydrated = useHydrated();
  const posted = national === form?.values.msisdn ? formError(form, 'msisdn', t) : undefined;

  const kinds: Record<string, string> = { POSTPAID: t('bundles.postpaidLine'), HYBRID: t('bundles.hybridLine') };
  return (
    <form
      method="post"
      action={page.href(withQuery(paths.dataBundle, { product: query.product }))}
      onSubmit={onSubmit}
      className={styles.form}
      noValidate
    >
      <LineField
        value={national}
        onChange={onNumber}
        hint={t('bundles.numberHint', { brand: operator.brand.name })}
        check={check}
        known={line && <KnownLine kind={kinds[line.lineType] ?? t('recharge.prepaidLine')} />}
        error={posted}
      />
      <Button type="submit" block disabled={hydrated && !isReady && !check.canPost}>
        {chosen ? t('bundles.buyFor', { amount: formats.money(chosen.amount, chosen.currency) }) : t('bundles.show')}
      </Button>
    </form>
  );
}
