import { toWire } from '@portal/domain/msisdn.ts';
import { useReducer } from 'react';
import type { Failure } from '../../lib/api.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage, WithoutScript } from '../../lib/page.tsx';
import { canEncrypt, encryptPin } from '../../lib/pin-encryption.ts';
import { PanelActions } from './panel-actions.tsx';
import { CannotHere, PanelForm, type PanelProps } from './panel-form.tsx';
import { PhoneField, usePhone } from './payer-fields.tsx';
import { isUnclear } from './payment-failure.ts';
import { initiationBody, processBody } from './payment-order.ts';
import { isRepeat, useCheckout } from './use-checkout.ts';
import { stepAt, WalletDialogs } from './wallet-dialogs.tsx';
import { firstWalletFlow, walletFlow } from './wallet-flow.ts';

/** The operator's own wallet with a PIN: code, PIN, then one registration and one payment per attempt. */
export function WalletPinPanel({ order, options, route, token }: PanelProps) {
  const { t, operator } = usePage();
  const hydrated = useHydrated();
  const checkout = useCheckout(order);
  const phone = usePhone('AM', order);
  const [flow, tell] = useReducer(walletFlow, firstWalletFlow);
  const [option] = options;
  const wallet = t('payment.group.AM', { brand: operator.brand.name });

  function start() {
    phone.touch();
    if (phone.problem) return;
    checkout.fail(null);
    tell({ type: 'proceed' });
  }

  function refuse(failure: Failure) {
    tell({ type: 'close' });
    checkout.fail(failure);
  }

  async function submitPin(pin: string) {
    if (flow.at !== 'pin' || flow.entry.attemptsLeft <= 0) return;
    const { uniqueCode, authorization } = flow.proof;
    const payer = { msisdn: phone.value, uniqueCode };
    tell({ type: 'submit' });
    const registered = await checkout.register('authInitiate', {
      body: initiationBody(order, option, payer, operator),
      headers: { authorization },
      // The PIN was not stored: the open dialog asks for it again.
      again: () => checkout.fail(null),
    });
    if (!registered.ok)
      return tell(isRepeat(registered) ? { type: 'interrupted' } : { type: 'refused', failure: registered });
    const { transactionId, encryptionKeyDetails } = registered.result;
    const { nonce } = encryptionKeyDetails;
    if (!nonce) return checkout.toStatus(transactionId);
    const challenge = { ...encryptionKeyDetails, transactionId, nonce };
    const amPin = await encryptPin(challenge, pin);
    const body = { ...processBody(transactionId, order, option, payer), amPin, amPinKeyId: challenge.keyId };
    const processed = await checkout.process('authProcess', body, { authorization });
    if (processed.ok || isUnclear(processed))
      checkout.follow(transactionId, processed, { number: phone.value, option, isProved: true });
    else tell({ type: 'refused', failure: processed });
  }

  if (hydrated && !canEncrypt()) return <CannotHere reason="needsSafety" />;
  const isAsking = flow.at === 'pin' || flow.at === 'sending';
  const dialogs = (
    <WalletDialogs
      order={order}
      option={option}
      national={phone.value}
      number={toWire(phone.value)}
      step={isAsking ? { entry: flow.entry, isBusy: flow.at !== 'pin' } : stepAt(flow)}
      words={{ title: t('payment.pin.title', { wallet }), locked: t('payment.pin.locked', { wallet }) }}
      care={operator.care}
      onProved={(proof) => tell({ type: 'verified', proof })}
      onPin={submitPin}
      onClose={() => tell({ type: 'close' })}
      onRefused={refuse}
    />
  );
  return (
    <PanelForm
      order={order}
      route={route}
      token={token}
      checkout={checkout}
      failure={flow.at === 'form' ? flow.failure : null}
      onSubmit={start}
      dialogs={dialogs}
    >
      <WithoutScript>
        <CannotHere reason="needsScript" />
      </WithoutScript>
      <p>{t('payment.walletPinText', { wallet })}</p>
      <PhoneField phone={phone} />
      <PanelActions order={order} label={t('payment.continue')} isBusy={flow.at !== 'form'} disabled={!hydrated} />
    </PanelForm>
  );
}
