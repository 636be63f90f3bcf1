import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { CheckIcon, CrossIcon, WarningIcon } from './icon.tsx';
import styles from './toast.module.css';
import { currentToasts, dismissToast, enterRegion, noToasts, onToasts, type ShownToast } from './toast-store.ts';

const useToastState = () => useSyncExternalStore(onToasts, currentToasts, () => noToasts);

function ToastCard({ toast, closeLabel }: { toast: ShownToast; closeLabel: string }) {
  const { id, kind, heading, message, seconds } = toast;
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(dismissToast, seconds * 1000, id);
    return () => clearTimeout(timer);
  }, [isHeld, seconds, id]);
  const hold = () => setIsHeld(true);
  const release = () => setIsHeld(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only pauses the timer
    <div
      className={styles.toast}
      data-kind={kind}
      onMouseEnter={hold}
      onMouseLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      {kind === 'error' ? <WarningIcon /> : <CheckIcon />}
      <div>
        <strong>{heading}</strong>
        <p>{message}</p>
      </div>
      <button type="button" onClick={() => dismissToast(id)} aria-label={closeLabel}>
        <CrossIcon size={20} />
      </button>
    </div>
  );
}

/** Mounted once near the root of the page; each dialog mounts its own. */
export function ToastRegion({ closeLabel, isPage }: { closeLabel: string; isPage?: boolean }) {
  const region = useId();
  useEffect(() => enterRegion(region, isPage), [region, isPage]);
  const { toasts, regions } = useToastState();
  const shown = regions.at(-1) === region ? toasts : [];
  const cards = (kind: ShownToast['kind']) =>
    shown
      .filter((toast) => toast.kind === kind)
      .map((toast) => <ToastCard key={toast.id} toast={toast} closeLabel={closeLabel} />);
  return (
    <div className={styles.region}>
      <div aria-live="assertive">{cards('error')}</div>
      <div aria-live="polite">{cards('success')}</div>
    </div>
  );
}
