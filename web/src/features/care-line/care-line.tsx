import { usePage } from '../../lib/page.tsx';
import styles from './care-line.module.css';

/** The person to call, on pages about money and on those for whom nothing else helped. */
export function CareLine() {
  const { t, operator } = usePage();
  const { number } = operator.care;
  return (
    <a className={styles.care} href={`tel:${number}`}>
      {t('common.callUs', { care: number })}
    </a>
  );
}
