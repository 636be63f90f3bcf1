import type { ReactNode } from 'react';
import { CareLine } from '../../features/care-line/care-line.tsx';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import type { QueryData } from '../../lib/session.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import styles from './payment.module.css';

interface PanelActionsProps {
  order: QueryData;
  label: ReactNode;
  isBusy: boolean;
  disabled?: boolean;
  hasCancel?: boolean;
}

export function PanelActions({ order, label, isBusy, disabled, hasCancel }: PanelActionsProps) {
  const { t } = usePage();
  return (
    <>
      <ActionBar>
        <div className={styles.actions}>
          {hasCancel && (
            <ButtonLink as={Link} href={order.redirectPage} kind="secondary">
              {t('payment.cancel')}
            </ButtonLink>
          )}
          <Button type="submit" block busy={isBusy} disabled={disabled}>
            {label}
          </Button>
        </div>
      </ActionBar>
      <p>{t('payment.noFee')}</p>
      <CareLine />
    </>
  );
}
