import type { ReactNode } from 'react';
import styles from './action-bar.module.css';

/** The main action of a screen: fixed to the bottom on a phone, in the normal flow elsewhere. */
export function ActionBar({ children }: { children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}
