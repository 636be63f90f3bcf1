import type { ReactNode } from 'react';
import styles from './action-bar.module.css';

/** The one action of a screen: on a phone it stays in reach at the bottom, elsewhere it stands where it is written. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
