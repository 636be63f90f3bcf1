import { walletPin } from '@portal/domain/constants.ts';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { usePage } from '../../lib/page.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DigitBoxes } from '../../ui/digit-boxes.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './pin-dialog.module.css';

export interface PinDialogProps {
  title: ReactNode;
  /** What is paid. */
  children?: ReactNode;
  attemptsLeft: number;
  problem?: ReactNode;
  isBusy: boolean;
  onSubmit: (pin: string) => void;
  onClose: () => void;
}

/** The digits are in this component's state while they are typed, and are dropped once submitted. */
export function PinDialog({ title, children, attemptsLeft, problem, isBusy, onSubmit, onClose }: PinDialogProps) {
  const { t } = usePage();
  const [pin, setPin] = useState('');
  const isComplete = pin.length === walletPin.digits;
  const form = useRef<HTMLFormElement>(null);
  // The button that was tapped is disabled now, so focus moves to the field, whose error is read out too.
  useEffect(() => {
    if (problem && !isBusy) form.current?.querySelector('input')?.focus();
  }, [problem, isBusy]);
  return (
    <Dialog open title={title} closeLabel={t('common.close')} onClose={onClose}>
      <form
        ref={form}
        className={styles.pin}
        autoComplete="off"
        onSubmit={(event) => {
          event.preventDefault();
          if (isBusy || !isComplete || attemptsLeft <= 0) return;
          setPin('');
          onSubmit(pin);
        }}
      >
        {children && <p>{children}</p>}
        <DigitBoxes
          label={t('payment.pin.label')}
          length={4}
          value={pin}
          onChange={setPin}
          masked
          autoComplete="off"
          error={isBusy ? undefined : problem}
          hint={isBusy ? t('payment.pin.sending') : t('payment.pin.hint')}
          autoFocus
        />
        <p role="status">{t('payment.pin.attemptsLeft', { count: attemptsLeft })}</p>
        <Button type="submit" block busy={isBusy} disabled={!isBusy && !isComplete}>
          {t('payment.pin.confirm')}
        </Button>
      </form>
    </Dialog>
  );
}

export interface LockedDialogProps {
  message: ReactNode;
  care: { number: string; pinResetDial: string };
  onClose: () => void;
}

/** No PIN leaves the page any more; shown are the care number and the dial code that resets the PIN. */
export function LockedDialog({ message, care, onClose }: LockedDialogProps) {
  const { t } = usePage();
  return (
    <Dialog
      open
      title={t('payment.pin.lockedTitle')}
      closeLabel={t('common.close')}
      onClose={onClose}
      actions={
        <>
          <ButtonLink href={`tel:${care.number}`} kind="secondary">
            {t('payment.pin.care', { number: care.number })}
          </ButtonLink>
          <ButtonLink href={`tel:${encodeURIComponent(care.pinResetDial)}`} kind="secondary">
            {t('payment.pin.reset', { dial: care.pinResetDial })}
          </ButtonLink>
        </>
      }
    >
      <Notice kind="failure" role="alert" title={message}>
        {t('payment.pin.attemptsLeft', { count: 0 })}
      </Notice>
      <p>{t('payment.then.otherWay')}</p>
    </Dialog>
  );
}
