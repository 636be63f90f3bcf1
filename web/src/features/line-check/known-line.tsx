import { CheckIcon } from '../../ui/icon.tsx';
import styles from './known-line.module.css';

/** Under a number whose line was found: its type. */
export function KnownLine({ kind }: { kind: string }) {
  return (
    <span className={styles.known}>
      <CheckIcon size={18} /> {kind}
    </span>
  );
}
