import { useFormats, usePage } from '../../lib/page.tsx';
import { PanelActions } from './panel-actions.tsx';
import { PanelForm, type PanelProps } from './panel-form.tsx';
import { PhoneField, usePhone } from './payer-fields.tsx';
import { chargeOf, initiationBody, processBody } from './payment-order.ts';
import { useCheckout } from './use-checkout.ts';

/** The operator's own wallet by push: a number, a tap, and the payer approves on the phone. */
export function WalletPanel({ order, options, route, token }: PanelProps) {
  const { t, operator } = usePage();
  const formats = useFormats();
  const checkout = useCheckout(order);
  const phone = usePhone('AM', order);
  const [option] = options;
  const charge = chargeOf(order);

  async function pay() {
    phone.touch();
    if (phone.problem || !checkout.begin()) return;
    const payer = { msisdn: phone.value };
    const registered = await checkout.register('initiate', {
      body: initiationBody(order, option, payer, operator),
      again: pay,
    });
    if (!registered.ok) return checkout.refused(registered);
    const { transactionId } = registered.result;
    const processed = await checkout.process('process', processBody(transactionId, order, option, payer));
    checkout.follow(transactionId, processed, { number: phone.value, option });
  }

  return (
    <PanelForm order={order} route={route} token={token} checkout={checkout} onSubmit={pay}>
      <p>{t('payment.walletText', { wallet: option.name })}</p>
      <PhoneField phone={phone} />
      <PanelActions
        order={order}
        label={t('payment.pay', { amount: formats.money(charge.amount, charge.currency) })}
        isBusy={checkout.state.at === 'busy'}
      />
    </PanelForm>
  );
}
