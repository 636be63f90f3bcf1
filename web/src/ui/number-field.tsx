import { type ComponentProps, type ReactNode, useId, useRef } from 'react';
import { useEarlyInput } from './early-input.ts';
import { controlProps, FieldFrame, type FieldTexts } from './field-frame.tsx';
import { readEdit } from './grouped-edit.ts';

type Kept = 'name' | 'required' | 'disabled' | 'readOnly' | 'autoFocus' | 'onBlur' | 'placeholder' | 'aria-describedby';

export type NumberFieldProps = Pick<ComponentProps<'input'>, Kept> &
  FieldTexts & {
    /** The country code, fixed, as shown. */
    prefix: string;
    /** National digits; omit it for an uncontrolled field. */
    value?: string;
    defaultValue?: string;
    onChange?: (digits: string) => void;
    group: (digits: string) => string;
    read: (text: string) => string;
    /** What is known about the number; replaces the hint. */
    status?: ReactNode;
  };

export function NumberField({
  label,
  hint,
  error,
  status,
  prefix,
  value,
  defaultValue,
  onChange,
  group,
  read,
  'aria-describedby': describedBy,
  ...rest
}: NumberFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(group(value ?? defaultValue ?? ''));
  /** A number that nobody typed here is selected when the field is entered, so that typing replaces it. */
  const first = useRef(shown.current);
  const isEntered = useRef(false);
  useEarlyInput(input);
  return (
    <FieldFrame id={id} label={label} hint={status ?? hint} error={error} prefix={prefix} large>
      <input
        {...rest}
        {...controlProps(id, error, describedBy)}
        ref={input}
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        value={value === undefined ? undefined : group(value)}
        defaultValue={value === undefined ? group(defaultValue ?? '') : undefined}
        onFocus={({ currentTarget }) => {
          isEntered.current = currentTarget.value === first.current;
          if (isEntered.current) currentTarget.select();
        }}
        // A tap sets the caret after the focus.
        onClick={({ currentTarget }) => {
          if (isEntered.current) currentTarget.select();
          isEntered.current = false;
        }}
        onChange={(event) => {
          isEntered.current = false;
          const digits = readEdit(event, value === undefined ? shown.current : group(value), read, group);
          shown.current = group(digits);
          onChange?.(digits);
        }}
      />
    </FieldFrame>
  );
}
