import type { ReactNode } from 'react';
import { amountDigits } from './amount-digits.ts';
import styles from './amount-field.module.css';
import { ChipRow, ChoiceChip } from './chip.tsx';
import { Field } from './field.tsx';
import type { FieldTexts } from './field-frame.tsx';

export type AmountFieldProps = FieldTexts & {
  currency: ReactNode;
  value?: string;
  defaultValue?: string;
  onChange?: (digits: string) => void;
  chips?: readonly number[];
  formatChip?: (amount: number) => ReactNode;
  /** Names the group of chips to a screen reader. */
  chipsLabel: string;
  name?: string;
  /** Without script the form sends the chip under this name; it counts where the amount is empty. */
  chipName?: string;
  required?: boolean;
  disabled?: boolean;
};

export function AmountField({
  currency,
  value,
  onChange,
  chips = [],
  formatChip = String,
  chipsLabel,
  chipName = 'chip',
  disabled,
  ...rest
}: AmountFieldProps) {
  return (
    <div className={styles.amount}>
      <Field
        {...rest}
        large
        prefix={currency}
        value={value}
        disabled={disabled}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        onChange={(event) => {
          const input = event.currentTarget;
          const { inputType, data } = event.nativeEvent as InputEvent;
          // A phone's keyboard puts in what was copied as if it were typed, but all at once.
          const isWhole =
            !inputType ||
            inputType.startsWith('insertFrom') ||
            (inputType === 'insertText' && data !== null && data.length > 1);
          const digits = amountDigits(input.value, isWhole);
          // A refused character must not send the caret to the end, as it would when the render corrects the text.
          if (digits !== input.value) {
            const caret = amountDigits(input.value.slice(0, input.selectionStart ?? undefined), false).length;
            input.value = digits;
            input.setSelectionRange(caret, caret);
          }
          onChange?.(digits);
        }}
      />
      {chips.length > 0 && (
        <fieldset disabled={disabled}>
          <legend className="visually-hidden">{chipsLabel}</legend>
          <ChipRow>
            {chips.map((chip) => (
              <ChoiceChip
                key={chip}
                name={chipName}
                value={chip}
                checked={value === undefined ? undefined : value === String(chip)}
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
