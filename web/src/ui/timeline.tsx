import type { ReactNode } from 'react';
import { CheckIcon, ClockIcon, CrossIcon } from './icon.tsx';
import styles from './timeline.module.css';

export interface TimelineItem {
  label: ReactNode;
  time?: ReactNode;
  state: 'done' | 'current' | 'todo' | 'failed';
  /** The state as a word, for screen readers. */
  stateText?: string;
}

export function Timeline({ items }: { items: readonly TimelineItem[] }) {
  return (
    <ol className={styles.timeline}>
      {items.map(({ label, time, state, stateText }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: places in an order that does not change
        <li key={index} data-state={state} aria-current={state === 'current' ? 'step' : undefined}>
          <span className={styles.mark}>
            {state === 'done' && <CheckIcon size={18} />}
            {state === 'current' && <ClockIcon size={18} />}
            {state === 'failed' && <CrossIcon size={18} />}
          </span>
          <span>
            {label}
            {stateText && <span className="visually-hidden">, {stateText}</span>}
          </span>
          <span className={styles.time}>{time}</span>
        </li>
      ))}
    </ol>
  );
}
