import { type ComponentProps, type ElementType, type ReactNode, useRef } from 'react';
import styles from './chip.module.css';
import { useEarlyInput } from './early-input.ts';

/** A short fact; not a control. */
export function Chip({ children }: { children: ReactNode }) {
  return <span className={styles.chip}>{children}</span>;
}

export type ChoiceChipProps = Omit<ComponentProps<'input'>, 'ref'> & { type?: 'radio' | 'checkbox' };

/** A real radio or checkbox styled as a chip, so that it also works in a plain form. */
export function ChoiceChip({ type = 'radio', children, ...rest }: ChoiceChipProps) {
  const input = useRef<HTMLInputElement>(null);
  useEarlyInput(input);
  return (
    <label className={styles.choice}>
      <input {...rest} ref={input} type={type} className="visually-hidden" />
      <span className={styles.pill}>{children}</span>
    </label>
  );
}

export type ChipLinkProps = ComponentProps<'a'> & { as?: ElementType };

export function ChipLink({ as: Link = 'a', ...rest }: ChipLinkProps) {
  return <Link {...rest} className={styles.pill} />;
}

export function ChipRow({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
