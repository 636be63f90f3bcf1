import { createHmac } from 'node:crypto';
import type { SettingsOf } from '../../config/provider-settings.ts';
import { isSameText, referencePattern } from '../callback-parsing.ts';
import type { ConnectGateway } from '../gateway-context.ts';
import type { HttpClient } from '../http-client.ts';
import { wholeMajor } from '../major-amount.ts';
import type { PaymentGateway, Started } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { OrangeMoneyClient, type OrangeMoneySettings } from './client.ts';
import { readRefund, readStart, readStatus } from './messages.ts';
import type { orangeMoneySettings } from './settings.ts';

/** The currency of the provider's test environment, which takes no real one. */
const testCurrency = 'OUV';
const languages = ['fr', 'en'];
/** The provider has separate return URLs for cancelling and confirming. This value marks the one for cancelling. */
const leftWord = 'left';

/** Orange Money WebPay: the customer confirms on the provider's page within ten minutes. */
export function orangeMoneyGateway(name: string, http: HttpClient, settings: OrangeMoneySettings): PaymentGateway {
  const client = new OrangeMoneyClient(http, settings);
  const { environment, checkoutOrigins } = settings;
  const wholeUnits = (amount: number) => wholeMajor(amount, settings.digits);
  const base = `/orange-money-webpay/${environment}/v1`;
  const refundPath = settings.refundPath ?? `${base}/refund`;

  // Callbacks are not signed. The URL itself, known only to the provider, authenticates them.
  const proofOf = (reference: string) =>
    createHmac('sha256', settings.callbackKey).update(reference).digest('hex').slice(0, 32);

  return {
    name,
    waitingFor: 'redirect',
    ...termsOf(settings),
    isRefundUndocumented: true,
    isLeft: (word) => word === leftWord,

    async start(charge) {
      const { reference } = charge;
      const amount = wholeUnits(charge.amount);
      if (amount === null) return { kind: 'refused', reason: 'refusedByProvider' };
      const language = charge.language.slice(0, 2);
      const body = {
        merchant_key: settings.merchantKey,
        currency: environment === 'dev' ? testCurrency : charge.currency,
        order_id: reference,
        amount,
        return_url: charge.returnUrl,
        cancel_url: `${charge.returnUrl}&status=${leftWord}`,
        notif_url: `${settings.callbackUrl}/${reference}/${proofOf(reference)}`,
        lang: languages.includes(language) ? language : languages[0],
        reference: charge.shortReference,
      };
      const outcome = readStart(await client.post(`${base}/webpayment`, body), { checkoutOrigins });
      if (outcome.kind !== 'page') return outcome;
      return { kind: 'redirect', url: outcome.url, providerReference: outcome.payToken };
    },

    async enquire(payment) {
      const { payToken } = partsOf(payment);
      // The token comes with the page's URL, and without it no enquiry is possible. Most likely nobody could pay
      // either, but a restored database may have lost a page that is still open in a browser.
      if (!payToken) return { kind: 'unclear', detail: 'no token to ask with' };
      const body = { order_id: payment.reference, amount: wholeUnits(payment.amount), pay_token: payToken };
      const answer = await client.post(`${base}/transactionstatus`, body);
      return readStatus(answer, { reference: payment.reference, payToken });
    },

    async refund(payment) {
      const { payToken, txnid } = partsOf(payment);
      if (!payToken || !txnid) return { kind: 'unclear', detail: 'the payment has no number of the gateway' };
      const { reference } = payment;
      const body = { order_id: reference, pay_token: payToken, txnid, amount: wholeUnits(payment.amount) };
      return readRefund(await client.post(refundPath, body), { reference });
    },

    // Whoever has the token can enquire about the payment, so the payer is shown only the transaction id.
    receiptOf: (providerReference) => partsOf({ providerReference }).txnid,

    parseCallback(_body, _headers, path) {
      const [reference = '', proof, ...more] = path.split('/');
      if (!referencePattern.test(reference) || more.length > 0) return { reference: null, signed: false };
      return { reference, signed: isSameText(proof, proofOf(reference)) };
    },
  };
}

/** `pay_token` until the payment is paid, then `pay_token txnid`. */
function partsOf({ providerReference }: Pick<Started, 'providerReference'>): { payToken: string; txnid: string } {
  const [payToken = '', txnid = ''] = (providerReference ?? '').split(' ');
  return { payToken, txnid };
}

export const connectOrangeMoney: ConnectGateway<SettingsOf<typeof orangeMoneySettings>> = (
  name,
  { http, pack, terms, callbacks },
  settings,
) => orangeMoneyGateway(name, http, { ...settings, ...terms, ...callbacks, digits: pack.currency.digits });
