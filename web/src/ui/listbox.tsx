import type { ReactNode, Ref } from 'react';
import styles from './listbox.module.css';

interface ListboxProps {
  /** Id of the field; its list and options derive theirs from it. */
  id: string;
  ref?: Ref<HTMLDivElement>;
  options: readonly { key: string; label: string; isSelected: boolean }[];
  active: number;
  onChoose: (index: number) => void;
  /** Shown instead of options when there are none. */
  children?: ReactNode;
}

/** ARIA attributes of a combobox's input, which keeps the focus while its list is open. */
export const comboboxControl = (id: string, { isOpen, active }: { isOpen: boolean; active: number | null }) => ({
  role: 'combobox',
  'aria-expanded': isOpen,
  'aria-controls': `${id}-list`,
  'aria-autocomplete': 'list' as const,
  'aria-activedescendant': isOpen && active !== null && active >= 0 ? optionId(id, active) : undefined,
  autoComplete: 'off',
});

const optionId = (id: string, index: number) => `${id}-option-${index}`;

/** The list under a combobox. */
export function Listbox({ id, ref, options, active, onChoose, children }: ListboxProps) {
  return (
    <div
      ref={ref}
      className={styles.list}
      id={`${id}-list`}
      role="listbox"
      aria-labelledby={`${id}-label`}
      tabIndex={-1}
    >
      {options.map(({ key, label, isSelected }, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's, which keeps the focus
        <div
          key={key}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={isSelected}
          data-active={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(index)}
        >
          {label}
        </div>
      ))}
      {options.length === 0 && (
        <div role="option" aria-selected="false" aria-disabled="true" tabIndex={-1}>
          {children}
        </div>
      )}
    </div>
  );
}
