import { errorCodes } from '@portal/contract/error-codes.ts';
import { isOwnNetwork } from '@portal/domain/msisdn.ts';
import { type FormEvent, useRef, useState } from 'react';
import { AwaitApproval } from '../../features/await-approval/await-approval.tsx';
import { formError, useFormats, usePage } from '../../lib/page.tsx';
import { paymentMethodPath, statusPath } from '../../lib/paths.ts';
import { type QueryData, session } from '../../lib/session.ts';
import { ActionBar } from '../../ui/action-bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Notice } from '../../ui/notice.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { initiationBody, type PaymentOption, processBody } from './payment-order.ts';

type Stage = { at: 'form'; problem?: string } | { at: 'sending' } | { at: 'waiting'; transactionId: string };

export interface WalletPanelProps {
  order: QueryData;
  option: PaymentOption;
  /** Last part of this method's address. */
  route: string;
  token: string | null;
}

/** The operator's own wallet by push: a number, a tap, and the payer approves on the phone. */
export function WalletPanel({ order, option, route, token }: WalletPanelProps) {
  const page = usePage();
  const { t, api, operator, form } = page;
  const formats = useFormats();
  const [payer, setPayer] = useState(form?.values.paymentMobile ?? order.msisdn);
  const [asked, setAsked] = useState(form !== null);
  const [stage, setStage] = useState<Stage>({ at: 'form' });
  const sending = useRef(false);
  const amount = formats.money(order.amount, order.currency);

  const problem =
    payer === ''
      ? t('payment.phoneMissing')
      : isOwnNetwork(payer, operator.numbering)
        ? undefined
        : t('payment.phoneInvalid', { brand: operator.brand.name });

  async function pay(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setAsked(true);
    // A second click arrives before the first one has drawn anything.
    if (problem || sending.current) return;
    sending.current = true;
    setStage({ at: 'sending' });
    const body = initiationBody(order, option, { msisdn: payer }, operator);
    const initiated = await api('initiate', { body, headers: { 'idempotency-key': session.attempt.keyFor(body) } });
    if (!initiated.ok)
      return fail(initiated.code === errorCodes.keyReused ? t('payment.startAgain') : initiated.message);
    const { transactionId } = initiated.result;
    session.paid.remember(transactionId, order);
    const processed = await api('process', { body: processBody(transactionId, order, option, { msisdn: payer }) });
    // From here the truth is on the status page, also when this answer was lost on the way.
    if (processed.ok && processed.result.status === 'IN_PROCESS') setStage({ at: 'waiting', transactionId });
    else page.navigate(statusPath(transactionId), { replace: true });
  }

  function fail(message: string) {
    sending.current = false;
    setStage({ at: 'form', problem: `${message} ${t('payment.nothingTaken')}` });
  }

  const whole = stage.at === 'form' ? (stage.problem ?? formError(form, 'form', t)) : undefined;
  return (
    <Card>
      <form method="post" action={page.href(paymentMethodPath(route))} onSubmit={pay} noValidate>
        {token && <input type="hidden" name="order" value={token} />}
        <p>{t('payment.walletText', { wallet: option.name })}</p>
        {whole && <Notice kind="failure" role="alert" title={whole} />}
        <NumberField
          label={t('common.phoneNumber')}
          error={asked ? problem : undefined}
          prefix={formats.prefix}
          name="paymentMobile"
          value={payer}
          onChange={setPayer}
          group={formats.group}
          read={formats.read}
          required
        />
        <ActionBar>
          <Button type="submit" block busy={stage.at === 'sending'}>
            {t('payment.pay', { amount })}
          </Button>
        </ActionBar>
        <p>{t('payment.noFee')}</p>
      </form>
      {stage.at === 'waiting' && (
        <AwaitApproval
          transactionId={stage.transactionId}
          maxTries={operator.paymentMaxTry}
          onOver={() => page.navigate(statusPath(stage.transactionId), { replace: true })}
        />
      )}
    </Card>
  );
}
