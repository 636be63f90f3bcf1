import { type ComponentProps, type ReactNode, useId, useRef } from 'react';
import { useEarlyInput } from './early-input.ts';
import { controlProps, FieldFrame, type FieldTexts } from './field-frame.tsx';
import { caretBehind, editGrouped } from './grouped-edit.ts';

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
  const shown = useRef(group(defaultValue ?? ''));
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
        onChange={(event) => {
          const node = event.currentTarget;
          const isForwards = (event.nativeEvent as InputEvent).inputType === 'deleteContentForward';
          const previous = value === undefined ? shown.current : group(value);
          const caret = node.selectionStart ?? node.value.length;
          const { digits, before } = editGrouped(previous, node.value, caret, read, isForwards);
          // Set here rather than by the next render, which would move the caret to the end.
          node.value = group(digits);
          if (node === document.activeElement) {
            const place = caretBehind(node.value, before);
            node.setSelectionRange(place, place);
          }
          shown.current = node.value;
          onChange?.(digits);
        }}
      />
    </FieldFrame>
  );
}
