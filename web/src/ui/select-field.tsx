import { type ComponentProps, useId, useRef } from 'react';
import { useEarlyInput } from './early-input.ts';
import { controlProps, FieldFrame, type FieldTexts } from './field-frame.tsx';
import { ChevronDownIcon } from './icon.tsx';

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export type SelectFieldProps = Omit<ComponentProps<'select'>, 'id' | 'ref' | 'children'> &
  FieldTexts & {
    options: readonly SelectOption[];
    /** Shown as an empty first choice. */
    placeholder?: string;
  };

export function SelectField({
  label,
  hint,
  error,
  options,
  placeholder,
  'aria-describedby': describedBy,
  ...rest
}: SelectFieldProps) {
  const id = useId();
  const select = useRef<HTMLSelectElement>(null);
  useEarlyInput(select);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} suffix={<ChevronDownIcon size={20} />}>
      <select {...rest} {...controlProps(id, error, describedBy)} ref={select}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  );
}
