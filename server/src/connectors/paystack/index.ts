import { createHmac } from 'node:crypto';
import { paystack } from '@portal/domain/constants.ts';
import type { SettingsOf } from '../../config/provider-settings.ts';
import { isSameText, parseJson } from '../callback-parsing.ts';
import type { ConnectGateway } from '../gateway-context.ts';
import type { HttpClient } from '../http-client.ts';
import type { PaymentGateway, RefundLookup, Started } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { PaystackClient, type PaystackSettings } from './client.ts';
import { callbackBody, readEnquiry, readRefund, readRefunds, readStart } from './messages.ts';
import type { paystackSettings } from './settings.ts';

/** The currencies it settles; it is offered only for orders in one of these. */
export const paystackCurrencies: readonly string[] = ['GHS', 'KES', 'NGN', 'USD', 'ZAR'];

/** Cards and more through Paystack's popup. The server registers the payment, so the browser cannot set the amount. */
export function paystackGateway(name: string, http: HttpClient, settings: PaystackSettings): PaymentGateway {
  const client = new PaystackClient(http, settings);
  const factor = paystack.amountFactor / 10 ** settings.digits;
  if (!Number.isInteger(factor))
    throw new RangeError('Paystack counts in hundredths: more digits cannot be told to it');
  const fromHundredths = (amount: number) => (amount % factor === 0 ? amount / factor : null);
  const channels = [...paystack.channels];

  const askedBack = ({ providerReference, amount }: Started) => ({
    transaction: providerReference ?? '',
    hundredths: amount * factor,
  });

  async function findRefund(payment: Started): Promise<RefundLookup> {
    const asked = askedBack(payment);
    if (!asked.transaction) return { kind: 'unclear', detail: 'the payment has no number of the gateway' };
    const query = new URLSearchParams({ transaction: asked.transaction, perPage: '100' });
    return readRefunds(await client.get(`/refund?${query}`), asked);
  }

  return {
    name,
    waitingFor: 'redirect',
    refusesRepeats: true,
    ...termsOf(settings),

    async start(charge) {
      if (!charge.email || !paystackCurrencies.includes(charge.currency))
        return { kind: 'refused', reason: 'refusedByProvider' };
      const { reference, currency } = charge;
      const amount = charge.amount * factor;
      const body = { email: charge.email, amount, currency, reference, channels, callback_url: charge.returnUrl };
      const outcome = readStart(await client.post('/transaction/initialize', body), { reference });
      if (outcome.kind !== 'registered') return outcome;
      const { scriptUrl, publicKey: key } = settings;
      const { accessCode } = outcome;
      return { kind: 'popup', popup: { scriptUrl, key, accessCode, reference, amount, currency, channels } };
    },

    async enquire({ reference }) {
      const answer = await client.get(`/transaction/verify/${encodeURIComponent(reference)}`);
      return readEnquiry(answer, { reference, mode: settings.mode, fromHundredths, now: settings.now().getTime() });
    },

    async refund(payment) {
      const before = await findRefund(payment);
      if (before.kind !== 'notFound') return before;
      const asked = askedBack(payment);
      const body = { transaction: asked.transaction, amount: asked.hundredths };
      return readRefund(await client.post('/refund', body), asked);
    },

    findRefund,

    /** Set by our page that opened the popup. */
    isLeft: (word) => word === 'cancelled',

    parseCallback(body, headers) {
      const parsed = callbackBody.safeParse(parseJson(body));
      if (!parsed.success) return { reference: null, signed: false };
      const signed = settings.secretKeys.some((key) =>
        isSameText(headers['x-paystack-signature'], createHmac('sha512', key).update(body).digest('hex')),
      );
      return { reference: parsed.data.data, signed };
    },
  };
}

export const connectPaystack: ConnectGateway<SettingsOf<typeof paystackSettings>> = (
  name,
  { http, pack: { currency }, now, terms },
  settings,
) =>
  // It settles few currencies, and relabelling an amount would charge a different sum.
  paystackCurrencies.includes(currency.code)
    ? paystackGateway(name, http, { ...settings, ...terms, now, digits: currency.digits })
    : null;
