import { useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './active-bundles.module.css';
import { type Balance, balanceGroups, isUnlimited } from './balances.ts';

export interface ActiveBundlesProps {
  national: string;
  balances: readonly Balance[];
  onClose: () => void;
}

export function ActiveBundles({ national, balances, onClose }: ActiveBundlesProps) {
  const { t } = usePage();
  const formats = useFormats();
  const groups = balanceGroups(balances);
  return (
    <Dialog
      open
      title={t('broadband.active')}
      closeLabel={t('common.close')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('common.close')}</Button>}
    >
      <p className="figures">{formats.number(national)}</p>
      {groups.length === 0 && <Notice kind="info" title={t('broadband.nothing')} />}
      {groups.map(({ kind, balances: entries }) => (
        <section key={kind} className={styles.group} aria-label={t(`broadband.kind.${kind}`)}>
          <h3>{t(`broadband.kind.${kind}`)}</h3>
          <ul>
            {entries.map((entry, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: balances have no other identity, and no state
              <li key={index}>
                <span>{entry.balanceDescription}</span>
                <strong>{leftOf(entry)}</strong>
                <small>
                  {entry.expireTime
                    ? t('broadband.until', { time: formats.dateTime(entry.expireTime) })
                    : t('broadband.noEnd')}
                </small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Dialog>
  );

  function leftOf(entry: Balance): string {
    if (isUnlimited(entry)) return t('broadband.unlimited');
    if (entry.serviceType === 'AIRTIME') return formats.money(entry.balance);
    return t('broadband.left', { amount: `${formats.plain(entry.balance)} ${entry.unitType}` });
  }
}
