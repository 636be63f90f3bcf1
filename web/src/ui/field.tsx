import { type ComponentProps, type ReactNode, useId, useImperativeHandle, useRef } from 'react';
import { useEarlyInput } from './early-input.ts';
import { controlProps, FieldFrame, type FieldTexts } from './field-frame.tsx';

export type FieldProps = Omit<ComponentProps<'input'>, 'prefix' | 'id'> &
  FieldTexts & { prefix?: ReactNode; suffix?: ReactNode; large?: boolean };

export function Field({
  label,
  hint,
  error,
  prefix,
  suffix,
  large,
  ref,
  'aria-describedby': describedBy,
  ...rest
}: FieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);
  useEarlyInput(input);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} prefix={prefix} suffix={suffix} large={large}>
      <input {...rest} {...controlProps(id, error, describedBy)} ref={input} />
    </FieldFrame>
  );
}
