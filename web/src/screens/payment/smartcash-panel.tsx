import type { ResultOf } from '@portal/contract/contract.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import { isCompleteNational, toWire } from '@portal/domain/msisdn.ts';
import { useReducer, useRef } from 'react';
import type { Answer } from '../../lib/api.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage, WithoutScript } from '../../lib/page.tsx';
import { canEncrypt, encryptNumber, encryptPin, type PinChallenge } from '../../lib/pin-encryption.ts';
import { PanelActions } from './panel-actions.tsx';
import { CannotHere, PanelForm, type PanelProps } from './panel-form.tsx';
import { PhoneField, usePhone } from './payer-fields.tsx';
import { isUnclear, ownFailure } from './payment-failure.ts';
import { initiationBody, processBody } from './payment-order.ts';
import { isStale, type WalletProof } from './pin-entry.ts';
import { firstSmartCashFlow, smartCashFlow } from './smartcash-flow.ts';
import { isRepeat, useCheckout } from './use-checkout.ts';
import { stepAt, WalletDialogs } from './wallet-dialogs.tsx';

interface SignedPayer {
  sealed: string;
  proof: WalletProof;
}

/** SmartCash: the number is always encrypted, and the payment is registered before the PIN is asked for. */
export function SmartCashPanel({ order, options, route, token }: PanelProps) {
  const { t, api, operator } = usePage();
  const hydrated = useHydrated();
  const checkout = useCheckout(order);
  const phone = usePhone('SMARTCASH_SECURE', order);
  const [flow, tell] = useReducer(smartCashFlow, firstSmartCashFlow);
  const care = useRef(operator.care);
  const [option] = options;

  async function start() {
    phone.touch();
    if (phone.problem || flow.at !== 'form') return;
    checkout.fail(null);
    tell({ type: 'proceed' });
    const answer = await api('config', { query: { code: operator.productCode } });
    const key = answer.ok && answer.result.configData.encryptionKeyDetails?.key;
    if (!answer.ok || !key)
      return tell({ type: 'refused', failure: answer.ok ? ownFailure(errorCodes.unavailable) : answer });
    const { customerCareNumber, pinResetDial } = answer.result.configData;
    care.current = { ...care.current, number: customerCareNumber, pinResetDial };
    tell({ type: 'sealed', sealed: await encryptNumber(key, toWire(phone.value)) });
  }

  const payerOf = ({ sealed, proof }: SignedPayer) => ({
    msisdn: phone.value,
    sealed,
    uniqueCode: proof.uniqueCode,
  });

  /** Null when it was refused; the flow then shows why. */
  async function register(signed: SignedPayer): Promise<PinChallenge | null> {
    const registered = await checkout.register('authInitiate', {
      body: initiationBody(order, option, payerOf(signed), operator),
      headers: { authorization: signed.proof.authorization },
      sameness: phone.value,
      again: () => {
        checkout.fail(null);
        register(signed);
      },
      left: () => tell({ type: 'close' }),
    });
    const challenge = challengeOf(registered);
    if (challenge) tell({ type: 'registered', challenge });
    else if (!registered.ok && !isRepeat(registered)) tell({ type: 'refused', failure: registered });
    return challenge;
  }

  async function submitPin(pin: string) {
    if (flow.at !== 'pin' || flow.entry.attemptsLeft <= 0) return;
    const signed: SignedPayer = { sealed: flow.sealed, proof: flow.proof };
    let challenge: PinChallenge | null = flow.challenge;
    tell({ type: 'submit', now: Date.now() });
    if (isStale(challenge, Date.now())) {
      challenge = await register(signed);
      if (!challenge) return;
      tell({ type: 'submit', now: Date.now() });
    }
    const { transactionId, keyId } = challenge;
    const amPin = await encryptPin(challenge, pin);
    const body = { ...processBody(transactionId, order, option, payerOf(signed)), amPin, amPinKeyId: keyId };
    const { authorization } = signed.proof;
    const processed = await checkout.process('authProcess', body, { authorization });
    if (processed.ok || isUnclear(processed))
      return checkout.follow(transactionId, processed, { number: phone.value, option, isProved: true });
    tell({ type: 'refused', failure: processed });
    const next = smartCashFlow({ ...flow, at: 'sending' }, { type: 'refused', failure: processed });
    if (next.at === 'registering') register(signed);
  }

  if (hydrated && !canEncrypt()) return <CannotHere reason="needsSafety" />;
  const isAsking = (flow.at === 'registering' && flow.isAsking) || flow.at === 'pin' || flow.at === 'sending';
  const dialogs = (
    <WalletDialogs
      order={order}
      option={option}
      national={phone.value}
      number={flow.at === 'code' ? flow.sealed : ''}
      step={isAsking ? { entry: flow.entry, isBusy: flow.at !== 'pin' } : stepAt(flow)}
      words={{ title: t('payment.pin.smartCash'), locked: t('payment.pin.lockedSmartCash') }}
      care={care.current}
      onProved={(proof) => {
        if (flow.at !== 'code') return;
        tell({ type: 'verified', proof });
        register({ sealed: flow.sealed, proof });
      }}
      onPin={submitPin}
      onClose={() => tell({ type: 'close' })}
      onRefused={(failure) => {
        tell({ type: 'close' });
        checkout.fail(failure);
      }}
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
      <p>{t('payment.smartCashText')}</p>
      <PhoneField phone={phone} label={t('payment.registeredNumber')} />
      <PanelActions
        order={order}
        label={t('payment.proceed')}
        isBusy={flow.at !== 'form'}
        disabled={!hydrated || !isCompleteNational(phone.value, operator.numbering)}
        hasCancel
      />
    </PanelForm>
  );
}

function challengeOf(registered: Answer<ResultOf<'authInitiate'>>): PinChallenge | null {
  if (!registered.ok) return null;
  const { transactionId, encryptionKeyDetails } = registered.result;
  const { nonce } = encryptionKeyDetails;
  return nonce ? { ...encryptionKeyDetails, transactionId, nonce } : null;
}
