import { type ComponentProps, type ReactNode, useId, useRef } from 'react';
import styles from './checkbox.module.css';
import { useEarlyInput } from './early-input.ts';
import { controlProps, FieldNote } from './field-frame.tsx';

export type CheckboxProps = Omit<ComponentProps<'input'>, 'id' | 'ref' | 'type'> & {
  label: ReactNode;
  error?: ReactNode;
};

export function Checkbox({ label, error, 'aria-describedby': describedBy, ...rest }: CheckboxProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEarlyInput(input);
  return (
    <div className={styles.checkbox}>
      <input {...rest} {...controlProps(id, error, describedBy)} ref={input} type="checkbox" />
      <label htmlFor={id}>{label}</label>
      <FieldNote id={id} error={error} />
    </div>
  );
}
