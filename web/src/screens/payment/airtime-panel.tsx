import * as errorCodes from '@portal/contract/error-codes.ts';
import { toWire } from '@portal/domain/msisdn.ts';
import { useRef, useState } from 'react';
import { useHydrated } from '../../lib/hydrated.ts';
import { useFormats, usePage } from '../../lib/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SummaryList } from '../../ui/summary-list.tsx';
import { airtimeOf } from './airtime-balance.ts';
import { CodeDialog } from './code-dialog.tsx';
import { PanelActions } from './panel-actions.tsx';
import { PanelForm, type PanelProps } from './panel-form.tsx';
import { EmailField, PhoneField, useEmail, usePhone } from './payer-fields.tsx';
import { ownCodes, ownFailure } from './payment-failure.ts';
import { initiationBody, processBody, purchaseOf } from './payment-order.ts';
import { useCheckout } from './use-checkout.ts';

type Asking = { what: 'code' } | { what: 'consent'; balance: number } | null;

/** Paid from a line's airtime: a code proves the line, its balance is fetched, and the person confirms. */
export function AirtimePanel({ order, options, route, token }: PanelProps) {
  const { t, api, operator } = usePage();
  const formats = useFormats();
  const hydrated = useHydrated();
  const checkout = useCheckout(order);
  const phone = usePhone('AIRTIME', order);
  const email = useEmail('AIRTIME', order);
  const [asking, setAsking] = useState<Asking>(null);
  const proof = useRef<{ of: string; uniqueCode: string } | null>(null);
  const [option] = options;
  const amount = formats.money(order.amount, order.currency);
  /** A code is for this number and this order. */
  const proven = JSON.stringify([phone.value, purchaseOf(order, operator)]);

  function start() {
    phone.touch();
    email.touch();
    if (phone.problem || email.problem || !checkout.begin()) return;
    // A number proved a moment ago needs no second code.
    if (proof.current?.of === proven) lookUp(proof.current.uniqueCode);
    else setAsking({ what: 'code' });
  }

  async function lookUp(uniqueCode: string) {
    proof.current = { of: proven, uniqueCode };
    setAsking(null);
    const answer = await api('queryBalance', {
      body: { data: { msisdn: toWire(phone.value), uniqueCode, serviceType: 'AIRTIME' } },
    });
    if (!answer.ok) return fail(answer);
    const balance = airtimeOf(answer.result.queryBalanceResult);
    if (balance < order.amount) return fail(ownFailure(ownCodes.insufficient));
    setAsking({ what: 'consent', balance });
  }

  async function pay() {
    setAsking(null);
    checkout.begin();
    const payer = { msisdn: phone.value, email: email.value.trim(), uniqueCode: proof.current?.uniqueCode ?? '' };
    const registered = await checkout.register('initiate', {
      body: initiationBody(order, option, payer, operator),
      again: pay,
    });
    if (!registered.ok) return registered.code === errorCodes.paidRecently ? undefined : fail(registered);
    const { transactionId } = registered.result;
    const processed = await checkout.process('process', processBody(transactionId, order, option, payer));
    checkout.follow(transactionId, processed, { number: phone.value, option, isProved: true });
  }

  function fail(failure: Parameters<typeof checkout.refused>[0]) {
    if (failure.code === errorCodes.notVerified) proof.current = null;
    setAsking(null);
    checkout.fail(failure);
  }

  function stop() {
    setAsking(null);
    checkout.fail(null);
  }

  const dialogs = (
    <>
      {asking?.what === 'code' && (
        <CodeDialog
          call="verifyCode"
          national={phone.value}
          number={toWire(phone.value)}
          paymentMode={option.paymentMode}
          order={order}
          onVerified={({ uniqueCode }) => lookUp(uniqueCode)}
          onClose={stop}
          onRefused={fail}
        />
      )}
      {asking?.what === 'consent' && (
        <Dialog
          open
          title={t('payment.sure')}
          closeLabel={t('common.close')}
          onClose={stop}
          actions={
            <>
              <Button kind="secondary" onClick={stop}>
                {t('payment.no')}
              </Button>
              <Button onClick={pay}>{t('payment.yes')}</Button>
            </>
          }
        >
          <SummaryList
            rows={[
              {
                label: t('common.mobileNumber'),
                value: <span className="figures">{formats.number(order.msisdn)}</span>,
              },
              {
                label: t('payment.paidFrom'),
                value: <span className="figures">{formats.number(phone.value)}</span>,
              },
              ...(Number.isFinite(asking.balance)
                ? [{ label: t('payment.balance'), value: formats.money(asking.balance, order.currency) }]
                : []),
              { label: t('common.amount'), value: amount, strong: true },
            ]}
          />
        </Dialog>
      )}
    </>
  );
  return (
    <PanelForm order={order} route={route} token={token} checkout={checkout} onSubmit={start} dialogs={dialogs}>
      <p>{t('payment.airtimeText')}</p>
      <EmailField email={email} />
      <PhoneField phone={phone} />
      <PanelActions
        order={order}
        label={t('payment.continue')}
        isBusy={checkout.state.at === 'busy'}
        disabled={hydrated && (email.problem !== undefined || phone.problem !== undefined)}
      />
    </PanelForm>
  );
}
