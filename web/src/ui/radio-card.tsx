import { type ReactNode, useId, useRef } from 'react';
import { useEarlyInput } from './early-input.ts';
import { FieldNote, noteId } from './field-frame.tsx';
import styles from './radio-card.module.css';

export interface RadioCardOption {
  value: string;
  title: ReactNode;
  detail?: ReactNode;
  icon?: ReactNode;
  disabled?: boolean;
  /** Text on the right: a price, or why it cannot be chosen. */
  note?: ReactNode;
}

export interface RadioCardGroupProps {
  legend: ReactNode;
  hideLegend?: boolean;
  name: string;
  options: readonly RadioCardOption[];
  value?: string;
  defaultValue?: string;
  onChange?: (value: string) => void;
  required?: boolean;
  error?: ReactNode;
}

type RadioCardProps = Pick<RadioCardGroupProps, 'name' | 'value' | 'defaultValue' | 'onChange' | 'required'> & {
  option: RadioCardOption;
};

function RadioCard({ option, name, value, defaultValue, onChange, required }: RadioCardProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  useEarlyInput(input);
  return (
    <label className={styles.card}>
      <input
        ref={input}
        type="radio"
        name={name}
        value={option.value}
        disabled={option.disabled}
        required={required}
        aria-labelledby={`${id}-title`}
        aria-describedby={`${id}-detail ${id}-note`}
        checked={value === undefined ? undefined : value === option.value}
        defaultChecked={value === undefined ? defaultValue === option.value : undefined}
        onChange={() => onChange?.(option.value)}
      />
      {option.icon}
      <span className={styles.words}>
        <strong id={`${id}-title`}>{option.title}</strong>
        <span id={`${id}-detail`}>{option.detail}</span>
      </span>
      <span className={styles.note} id={`${id}-note`}>
        {option.note}
      </span>
    </label>
  );
}

export function RadioCardGroup({ legend, hideLegend, options, error, ...rest }: RadioCardGroupProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={noteId(id)} className={styles.group} data-invalid={!!error}>
      <legend className={hideLegend ? 'visually-hidden' : undefined}>{legend}</legend>
      {options.map((option) => (
        <RadioCard key={option.value} option={option} {...rest} />
      ))}
      <FieldNote id={id} error={error} />
    </fieldset>
  );
}
