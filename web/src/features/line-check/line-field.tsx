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
  /** What is told of a line that was found: its kind, or where else it is served. */
  known: ReactNode;
  /** What is wrong with the number beyond what the check says. */
  error?: ReactNode;
  /** Without a connection the number is not at fault, and trying again is no use. */
  isOffline?: boolean;
  isUnreachable?: boolean;
}

/** Whose line it is: the number, what its check says, and another try where that failed. */
export function LineField(props: LineFieldProps) {
  const { value, onChange, hint, check, known, error, isOffline = false, isUnreachable = false } = props;
  const { t } = usePage();
  const formats = useFormats();

  function status() {
    if (check.state === 'checking') return t('recharge.checking');
    return (check.state === 'failed' && isUnreachable ? check.message : known) || undefined;
  }

  function problem() {
    if (check.state === 'unknown') return t('recharge.invalidNumber');
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
      {check.state === 'failed' && !isOffline && (
        <Button kind="quiet" onClick={check.retry}>
          {t('common.tryAgain')}
        </Button>
      )}
    </>
  );
}
