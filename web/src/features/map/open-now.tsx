import { openState } from '@portal/domain/opening-hours.ts';
import { useEffect, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import styles from './open-now.module.css';

const minuteMs = 60_000;

/** The time the page was rendered, as hydration needs it; then the current time. */
export function useMinute(first: string): Date {
  const [now, setNow] = useState(() => new Date(first));
  useEffect(() => {
    const tell = () => setNow(new Date());
    tell();
    const timer = setInterval(tell, minuteMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Whether the shop is open, and when that changes; nothing where its hours are unknown. */
export function OpenNow({ hours, now }: { hours: string | undefined; now: Date }) {
  const { t, operator } = usePage();
  const state = hours ? openState(hours, now, operator.timeZone) : null;
  if (!state) return null;
  return (
    <p className={styles.state} data-open={state.isOpen}>
      {state.isOpen ? t('stores.openUntil', { time: state.until }) : t(whenKey(state.inDays), wordsOf(state, t))}
    </p>
  );
}

function whenKey(inDays: number): string {
  if (inDays === 0) return 'stores.opensToday';
  return inDays === 1 ? 'stores.opensTomorrow' : 'stores.opensOn';
}

const wordsOf = ({ opens, day }: { opens: string; day: number }, t: (key: string) => string) => ({
  time: opens,
  day: t(`stores.day.${day}`),
});
