import { type ComponentProps, type ReactNode, useRef } from 'react';
import { Field } from './field.tsx';
import type { FieldTexts } from './field-frame.tsx';
import { readEdit } from './grouped-edit.ts';

type Kept = 'name' | 'required' | 'disabled' | 'readOnly' | 'autoFocus' | 'onBlur' | 'placeholder' | 'aria-describedby';

export type NumberFieldProps = Pick<ComponentProps<'input'>, Kept> &
  FieldTexts & {
    /** The country code, fixed, as shown. */
    prefix: string;
    /** National digits. */
    value: string;
    onChange: (digits: string) => void;
    group: (digits: string) => string;
    read: (text: string) => string;
    /** What is known about the number; replaces the hint. */
    status?: ReactNode;
  };

export function NumberField({ hint, status, value, onChange, group, read, ...rest }: NumberFieldProps) {
  const shown = group(value);
  /** A number that nobody typed here is selected when the field is entered, so that typing replaces it. */
  const first = useRef(shown);
  const isEntered = useRef(false);
  return (
    <Field
      {...rest}
      hint={status ?? hint}
      large
      type="tel"
      inputMode="numeric"
      autoComplete="tel-national"
      value={shown}
      onFocus={({ currentTarget }) => {
        isEntered.current = shown === first.current;
        if (isEntered.current) currentTarget.select();
      }}
      // A tap sets the caret after the focus.
      onClick={({ currentTarget }) => {
        if (isEntered.current) currentTarget.select();
        isEntered.current = false;
      }}
      onChange={(event) => {
        isEntered.current = false;
        onChange(readEdit(event, shown, read, group));
      }}
    />
  );
}
