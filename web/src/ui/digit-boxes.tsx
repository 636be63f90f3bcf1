import { type ReactNode, useId, useRef } from 'react';
import styles from './digit-boxes.module.css';
import { useEarlyInput } from './early-input.ts';
import { controlProps, FieldNote } from './field-frame.tsx';
import { readEdit } from './grouped-edit.ts';

export interface DigitBoxesProps {
  label: ReactNode;
  length: 4 | 6;
  value: string;
  onChange: (digits: string) => void;
  /** Called once when the last digit is entered, by key, paste or autofill. */
  onComplete?: (digits: string) => void;
  hint?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  /** For a PIN: hides the digits. */
  masked?: boolean;
  name?: string;
  autoComplete?: string;
  autoFocus?: boolean;
}

/** One real input; the boxes are drawn behind it, and letter spacing puts each digit into its box. */
export function DigitBoxes({
  label,
  length,
  value,
  onChange,
  onComplete,
  hint,
  error,
  masked,
  autoComplete = 'one-time-code',
  ...rest
}: DigitBoxesProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEarlyInput(input);
  return (
    <div className={styles.digits} data-length={length} data-masked={masked} data-invalid={!!error}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.row}>
        {Array.from({ length }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the boxes are positions, which never move
          <span key={index} aria-hidden="true" data-next={index === Math.min(value.length, length - 1)}>
            {masked && index < value.length && '•'}
          </span>
        ))}
        <input
          {...rest}
          {...controlProps(id, error)}
          ref={input}
          type={masked ? 'password' : 'text'}
          inputMode="numeric"
          autoComplete={autoComplete}
          value={value}
          onChange={(event) => {
            const digits = readEdit(event, value, (text) => text.replace(/\D/g, '').slice(0, length));
            onChange(digits);
            if (digits.length === length && digits !== value) onComplete?.(digits);
          }}
        />
      </div>
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}
