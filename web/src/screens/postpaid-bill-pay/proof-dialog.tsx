import { isPostpaidAccount } from '@portal/domain/account-number.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import { type FormEvent, useState } from 'react';
import { OtpDialog } from '../../features/otp-dialog/otp-dialog.tsx';
import type { Answer } from '../../lib/api.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { useLatestSignal } from '../../lib/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { readEdit } from '../../ui/grouped-edit.ts';
import { readPostpaidAccount, sendBody } from './bill-order.ts';
import styles from './postpaid-bill-pay.module.css';

export interface ProofDialogProps {
  national: string;
  onProved: (uniqueCode: string) => void;
  onClose: () => void;
}

const picked = <T, V>(answer: Answer<T>, pick: (result: T) => V): Answer<V> =>
  answer.ok ? { ok: true, result: pick(answer.result) } : answer;

/** Proof that a line is one's own: a code sent to it, or the account number on its bills. */
export function ProofDialog({ national, onProved, onClose }: ProofDialogProps) {
  const { t, api } = usePage();
  const formats = useFormats();
  const [isByAccount, setByAccount] = useState(false);
  if (isByAccount)
    return (
      <Dialog open title={t('postpaid.proofTitle')} closeLabel={t('common.close')} onClose={onClose}>
        <div className={styles.form}>
          <AccountProof national={national} onProved={onProved} />
          <Button kind="quiet" block onClick={() => setByAccount(false)}>
            {t('common.back')}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <OtpDialog
      title={t('postpaid.proofTitle')}
      startLabel={t('otp.get')}
      submitLabel={t('postpaid.getOutstanding')}
      send={async (signal) =>
        picked(await api('sendInvoiceCode', { body: sendBody(national), signal }), ({ otpId }) => otpId)
      }
      resend={async (otpId, signal) =>
        picked(await api('resendInvoiceCode', { body: { data: { otpId } }, signal }), (sent) => sent.otpId)
      }
      verify={async (otpId, otp, signal) =>
        picked(await api('verifyInvoiceCode', { body: { data: { otpId, otp } }, signal }), (proof) => proof.uniqueCode)
      }
      onVerified={onProved}
      onClose={onClose}
      alternative={
        <Button kind="quiet" block onClick={() => setByAccount(true)}>
          {t('postpaid.useAccount')}
        </Button>
      }
    >
      <p>{t('otp.sentTo', { number: formats.number(national) })}</p>
    </OtpDialog>
  );
}

function AccountProof({ national, onProved }: Pick<ProofDialogProps, 'national' | 'onProved'>) {
  const { t, api } = usePage();
  const [accountNo, setAccountNo] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isAsking, setAsking] = useState(false);
  const latest = useLatestSignal();

  async function prove(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isAsking) return;
    if (!isPostpaidAccount(accountNo)) return setProblem(t('postpaid.accountInvalid'));
    const signal = latest.next();
    setAsking(true);
    const body = { data: { msisdn: toWire(national), accountNo } };
    const answer = await api('validateAccount', { body, signal });
    if (signal.aborted) return;
    setAsking(false);
    if (answer.ok) onProved(answer.result.uniqueCode);
    else setProblem(answer.message);
  }

  return (
    <form className={styles.form} onSubmit={prove} noValidate>
      <Field
        label={t('common.accountNumber')}
        hint={t('postpaid.accountHint')}
        error={problem}
        value={accountNo}
        onChange={(event) => {
          setAccountNo(readEdit(event, accountNo, readPostpaidAccount));
          setProblem(undefined);
        }}
        onBlur={() => {
          if (accountNo && !isPostpaidAccount(accountNo)) setProblem(t('postpaid.accountInvalid'));
        }}
        inputMode="numeric"
        autoComplete="off"
        autoFocus
      />
      <Button type="submit" kind="secondary" block busy={isAsking} disabled={!isPostpaidAccount(accountNo)}>
        {t('postpaid.getOutstandingByAccount')}
      </Button>
    </form>
  );
}
