import type { ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import styles from './progress-overlay.module.css';
import { Spinner } from './spinner.tsx';

export interface ProgressOverlayProps {
  open: boolean;
  message: ReactNode;
  children?: ReactNode;
  closeLabel: string;
}

/** Blocks the page while something runs that must not be interrupted. */
export function ProgressOverlay({ open, message, children, closeLabel }: ProgressOverlayProps) {
  return (
    <Dialog open={open} title={message} closeLabel={closeLabel}>
      <div className={styles.progress} role="status">
        <Spinner />
        <div>{children}</div>
      </div>
    </Dialog>
  );
}
