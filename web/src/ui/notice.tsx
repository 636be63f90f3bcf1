import type { ReactNode } from 'react';
import { CheckIcon, ClockIcon, InfoIcon, WarningIcon } from './icon.tsx';
import styles from './notice.module.css';

export interface NoticeProps {
  kind: 'info' | 'success' | 'failure' | 'process';
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Centred under a large icon: the only message of a page. */
  large?: boolean;
  /** For a notice that appears later: `alert` interrupts the screen reader, `status` waits. */
  role?: 'alert' | 'status';
}

const icons = { info: InfoIcon, success: CheckIcon, failure: WarningIcon, process: ClockIcon };

export function Notice({ kind, title, children, action, large, role }: NoticeProps) {
  const Icon = icons[kind];
  return (
    <div className={styles.notice} data-kind={kind} data-large={large} role={role}>
      <Icon />
      <div className={styles.words}>
        <strong>{title}</strong>
        {children && <div>{children}</div>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
    </div>
  );
}
