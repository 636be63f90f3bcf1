import type { ReactNode } from 'react';
import styles from './summary-list.module.css';

export interface SummaryRow {
  label: ReactNode;
  value: ReactNode;
  /** The total at the end. */
  strong?: boolean;
}

export function SummaryList({ rows }: { rows: readonly SummaryRow[] }) {
  return (
    <dl className={styles.summary}>
      {rows.map(({ label, value, strong }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and no state
        <div key={index} data-strong={strong}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
