import { paymentMethodPath, withQuery } from '@portal/domain/paths.ts';
import { useState } from 'react';
import { useHydrated } from '../../lib/hydrated.ts';
import { usePage } from '../../lib/page.tsx';
import { CardIcon } from '../../ui/icon.tsx';
import { ProgressOverlay } from '../../ui/progress-overlay.tsx';
import { RadioCardGroup } from '../../ui/radio-card.tsx';
import { processToGateway } from './gateway-address.ts';
import { PanelActions } from './panel-actions.tsx';
import { PanelForm, type PanelProps } from './panel-form.tsx';
import { EmailField, useEmail } from './payer-fields.tsx';
import { initiationBody, processBody } from './payment-order.ts';
import { useCheckout } from './use-checkout.ts';

/** A gateway and an email; the card number is typed on the gateway's own page. */
export function CardPanel({ order, options, route, token }: PanelProps) {
  const page = usePage();
  const { t, operator, form } = page;
  const hydrated = useHydrated();
  const checkout = useCheckout(order);
  const email = useEmail('PG', order);
  const [gateway, setGateway] = useState(form?.values.gateway ?? options[0].paymentGateway ?? '');
  const option = options.find(({ paymentGateway }) => paymentGateway === gateway) ?? options[0];

  async function pay() {
    email.touch();
    if (email.problem || !checkout.begin()) return;
    const payer = { msisdn: '', email: email.value.trim() };
    const registered = await checkout.register('initiate', {
      body: initiationBody(order, option, payer, operator),
      again: pay,
    });
    if (!registered.ok) return checkout.refused(registered);
    const { transactionId } = registered.result;
    const body = processBody(transactionId, order, option, payer);
    const processed = await processToGateway(() => checkout.process('process', body));
    if (processed.ok && processed.result.redirectUrl) return window.location.assign(processed.result.redirectUrl);
    // Only the card page's own content security policy allows the popup's script, so the page is loaded from the
    // server.
    if (processed.ok && processed.result.popup)
      return window.location.assign(page.href(withQuery(paymentMethodPath(route), { resume: transactionId })));
    checkout.follow(transactionId, processed);
  }

  const isBusy = checkout.state.at === 'busy';
  const dialogs = (
    <ProgressOverlay open={isBusy} message={t('payment.toGateway')} closeLabel={t('common.close')}>
      <p>{t('payment.toGatewayText', { gateway: option.name })}</p>
    </ProgressOverlay>
  );
  return (
    <PanelForm order={order} route={route} token={token} checkout={checkout} onSubmit={pay} dialogs={dialogs}>
      <p>{route === 'card' ? t('payment.cardText') : t('payment.gatewayText', { gateway: option.name })}</p>
      {route === 'card' && (
        <RadioCardGroup
          legend={t('payment.gateway')}
          name="gateway"
          value={gateway}
          onChange={setGateway}
          options={options.map(({ name, paymentGateway }) => ({
            value: paymentGateway ?? '',
            title: name,
            icon: <CardIcon />,
          }))}
        />
      )}
      <EmailField email={email} />
      <PanelActions
        order={order}
        label={t('payment.continue')}
        isBusy={isBusy}
        disabled={hydrated && email.problem !== undefined}
      />
    </PanelForm>
  );
}
