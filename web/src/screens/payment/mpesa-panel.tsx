import { isCompleteNational } from '@portal/domain/msisdn.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { PanelActions } from './panel-actions.tsx';
import { PanelForm, type PanelProps } from './panel-form.tsx';
import { EmailField, PhoneField, useEmail, usePhone } from './payer-fields.tsx';
import { initiationBody, processBody } from './payment-order.ts';
import { useCheckout } from './use-checkout.ts';

/** MPESA by push, like the brand's wallet, but with calls of its own. */
export function MpesaPanel({ order, options, route, token }: PanelProps) {
  const { t, operator } = usePage();
  const hydrated = useHydrated();
  const checkout = useCheckout(order);
  const phone = usePhone('MPESA', order);
  const email = useEmail('MPESA', order);
  const [option] = options;

  async function pay() {
    phone.touch();
    email.touch();
    if (phone.problem || email.problem || !checkout.begin()) return;
    const payer = { msisdn: phone.value, email: email.value.trim() };
    const registered = await checkout.register('mpesaInitiate', {
      body: initiationBody(order, option, payer, operator),
      again: pay,
    });
    if (!registered.ok) return checkout.refused(registered);
    const { transactionId } = registered.result;
    const processed = await checkout.process('mpesaProcess', processBody(transactionId, order, option, payer));
    checkout.follow(transactionId, processed, { number: phone.value, option });
  }

  return (
    <PanelForm order={order} route={route} token={token} checkout={checkout} onSubmit={pay}>
      <p>{t('payment.walletText', { wallet: option.name })}</p>
      <EmailField email={email} isOptional />
      <PhoneField phone={phone} />
      <PanelActions
        order={order}
        label={t('payment.continueToPay')}
        isBusy={checkout.state.at === 'busy'}
        disabled={hydrated && !isCompleteNational(phone.value, operator.numbering)}
        hasCancel
      />
    </PanelForm>
  );
}
