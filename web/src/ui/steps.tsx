import { CheckIcon } from './icon.tsx';
import styles from './steps.module.css';

export interface StepsProps {
  /** Names the list to a screen reader. */
  label: string;
  items: readonly string[];
  /** Index of the current step; past the end when all are done. */
  current: number;
}

export function Steps({ label, items, current }: StepsProps) {
  return (
    <ol className={styles.steps} aria-label={label}>
      {items.map((item, index) => (
        <li key={item} data-done={index < current} aria-current={index === current ? 'step' : undefined}>
          <span className={styles.mark}>{index < current ? <CheckIcon size={18} /> : index + 1}</span>
          {item}
        </li>
      ))}
    </ol>
  );
}
