import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import styles from './dialog.module.css';
import { CrossIcon } from './icon.tsx';
import { ToastRegion } from './toast.tsx';

export interface DialogProps {
  open: boolean;
  title: ReactNode;
  /** Without it only the caller can close the dialog: there is no close button, and Escape does nothing. */
  onClose?: () => void;
  closeLabel: string;
  /** Fills the page with the dark background instead of overlaying it. */
  isPage?: boolean;
  children?: ReactNode;
  actions?: ReactNode;
}

export function Dialog({ open, title, onClose, closeLabel, isPage, children, actions }: DialogProps) {
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const node = dialog.current;
    if (!open || !node) return;
    node.showModal();
    return () => node.close();
  }, [open]);

  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      data-page={isPage}
      aria-labelledby={titleId}
      closedby={onClose ? 'closerequest' : 'none'}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !onClose) event.preventDefault();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose?.();
      }}
      onClose={(event) => {
        // A browser may force a dialog to close on a second Escape or Back; the owner of `open` still decides.
        if (!open || event.currentTarget.open) return;
        if (onClose) onClose();
        else event.currentTarget.showModal();
      }}
    >
      {open && (
        <>
          <h2 id={titleId}>{title}</h2>
          {children}
          {actions && <div className={styles.actions}>{actions}</div>}
          {onClose && (
            <button type="button" className={styles.close} onClick={onClose} aria-label={closeLabel}>
              <CrossIcon />
            </button>
          )}
          <ToastRegion closeLabel={closeLabel} />
        </>
      )}
    </dialog>
  );
}
