import type { ReactNode } from 'react';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { LineCheck, LineChecking } from './use-line-check.ts';

interface LineFieldProps {
  value: string;
  onChange: (national: string) => void;
  hint: string;
  check: LineCheck & LineChecking;
  /** What to show about a line that was found: its type, or which page serves it. */
  known: ReactNode;
  /** An error about the number beyond the result of the check. */
  error?: ReactNode;
  /** The page that serves a line which is not served here. */
  elsewhere?: ReactNode;
  /** Offline, the number is not at fault, and a retry would be useless. */
  isOffline?: boolean;
  isUnreachable?: boolean;
}

/** The number field with the result of its check, and a retry when that failed. */
export function LineField(props: LineFieldProps) {
  const { value, onChange, hint, check, known, error, elsewhere, isOffline = false, isUnreachable = false } = props;
  const { t } = usePage();
  const formats = useFormats();

  const isElsewhere = check.state === 'failed' && check.isElsewhere;

  function status() {
    if (check.state === 'checking') return t('recharge.checking');
    return (check.state === 'failed' && isUnreachable ? check.message : known) || undefined;
  }

  function problem() {
    if (check.state === 'unknown') return t('recharge.invalidNumber');
    if (isElsewhere) return elsewhere ?? check.message;
    return check.state === 'failed' && !isUnreachable ? check.message : error;
  }

  return (
    <>
      <NumberField
        label={t('common.mobileNumber')}
        hint={hint}
        status={status()}
        error={problem()}
        prefix={formats.prefix}
        name="msisdn"
        value={value}
        onChange={onChange}
        group={formats.group}
        read={formats.read}
        required
      />
      {check.state === 'failed' && !isOffline && !isElsewhere && (
        <Button kind="quiet" onClick={check.retry}>
          {t('common.tryAgain')}
        </Button>
      )}
    </>
  );
}
