import { type ReactNode, useSyncExternalStore } from 'react';
import { challengeShare, onChallenge } from '../../lib/challenge.ts';
import { usePage } from '../../lib/page.tsx';
import styles from './challenge.module.css';

/**
 * Progress of the proof of work, shown instead of the usual busy text. The screen needs the texts of the namespace
 * `challenge`.
 */
export function ChallengeProgress({ children }: { children?: ReactNode }) {
  const { t } = usePage();
  const share = useSyncExternalStore(onChallenge, challengeShare, () => null);
  if (share === null) return children;
  return (
    <div className={styles.challenge}>
      <p role="status">{t('challenge.checking')}</p>
      <progress className={styles.progress} value={share} max={1} aria-label={t('challenge.progress')} />
      <p className={styles.why}>{t('challenge.why')}</p>
    </div>
  );
}
