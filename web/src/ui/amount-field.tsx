import { readAmount } from '@portal/domain/amount-input.ts';
import { type ReactNode, useEffect, useState } from 'react';
import styles from './amount-field.module.css';
import { ChipRow, ChoiceChip } from './chip.tsx';
import { Field } from './field.tsx';
import type { FieldTexts } from './field-frame.tsx';
import { caretBehind, editGrouped } from './grouped-edit.ts';

export type AmountFieldProps = FieldTexts & {
  currency: ReactNode;
  value?: string;
  defaultValue?: string;
  /** The text as typed; `readAmount` parses it. */
  onChange?: (text: string) => void;
  chips?: readonly number[];
  formatChip?: (amount: number) => ReactNode;
  /** Names the group of chips to a screen reader. */
  chipsLabel: string;
  name?: string;
  /** Without script the form posts the chip under this name; it is used when the amount is empty. */
  chipName?: string;
  required?: boolean;
  disabled?: boolean;
  /** The error is that the amount is too small. */
  mayGrow?: boolean;
};

/**
 * Keys that are no part of any number are ignored. Any other text stays as typed, so that a message can refer to it:
 * dropping some of its digits, or a fraction, would make it another amount.
 */
const strangeKey = /^[^\p{N}.,\s]$/u;

/** With the next digit it may be enough: it is not judged while somebody types. */
const typingMs = 1_000;

const digitsOf = (text: string) => text.replace(/\s/g, '');
/** Groups plain digits while they are typed; any other text is shown unchanged. */
const grouped = (text: string) => (/^\d+$/.test(text) ? text.replace(/\B(?=(?:\d{3})+$)/g, '\u202f') : text);

export function AmountField({
  currency,
  value,
  onChange,
  chips = [],
  formatChip = String,
  chipsLabel,
  chipName = 'chip',
  disabled,
  error,
  mayGrow,
  ...rest
}: AmountFieldProps) {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(setSettled, typingMs, value);
    return () => clearTimeout(timer);
  }, [value]);
  return (
    <div className={styles.amount}>
      <Field
        {...rest}
        error={(settled === value || !mayGrow) && error}
        onBlur={() => setSettled(value)}
        large
        prefix={currency}
        value={value === undefined ? undefined : grouped(value)}
        disabled={disabled}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => {
          const input = event.currentTarget;
          const { inputType, data } = event.nativeEvent as InputEvent;
          let text = input.value;
          let caret = input.selectionStart ?? text.length;
          if (inputType === 'insertText' && data && strangeKey.test(data)) {
            caret--;
            text = text.slice(0, caret) + text.slice(caret + 1);
          }
          const isPlain = /^[\d\s]*$/.test(text);
          if (isPlain) {
            const isForwards = inputType === 'deleteContentForward';
            const { digits, before } = editGrouped(grouped(value ?? ''), text, caret, digitsOf, isForwards);
            text = grouped(digits);
            caret = caretBehind(text, before);
          }
          // Set here rather than by the next render, which would move the caret to the end.
          if (text !== input.value) {
            input.value = text;
            if (input === document.activeElement) input.setSelectionRange(caret, caret);
          }
          onChange?.(isPlain ? digitsOf(text) : text);
        }}
      />
      {chips.length > 0 && (
        <fieldset className={styles.chips} disabled={disabled}>
          <legend className="visually-hidden">{chipsLabel}</legend>
          <ChipRow>
            {chips.map((chip) => (
              <ChoiceChip
                key={chip}
                name={chipName}
                value={chip}
                checked={value === undefined ? undefined : readAmount(value) === chip}
                onChange={() => onChange?.(String(chip))}
              >
                {formatChip(chip)}
              </ChoiceChip>
            ))}
          </ChipRow>
        </fieldset>
      )}
    </div>
  );
}
