import { digitsOf, toMajorString } from '@portal/domain/money.ts';
import { usualLag } from '@portal/domain/payment/schedule.ts';
import type { SettingsOf } from '../../config/provider-settings.ts';
import { isSameText, parseJson } from '../callback-parsing.ts';
import type { ConnectGateway } from '../gateway-context.ts';
import type { HttpClient } from '../http-client.ts';
import type { EnquiryOutcome, PaymentGateway, RefundLookup, Started } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { CardCheckoutClient, type CardCheckoutSettings } from './client.ts';
import { callbackBody, readAttempts, readRefund, readRefunds, readStart, readVerification } from './messages.ts';
import type { cardCheckoutSettings } from './settings.ts';

/** How long the checkout page stays open, and how often a customer may retry on it after a card was declined. */
const session = { minutes: 15, retries: 1 };
/** An attempt made in the last second may still be in progress when the page closes. */
const settleMs = 5 * 60 * 1000;

/** Cards on the gateway's hosted page: the customer is redirected there and back. */
export function cardCheckoutGateway(name: string, http: HttpClient, settings: CardCheckoutSettings): PaymentGateway {
  const client = new CardCheckoutClient(http, settings);
  const { digitsOf, checkoutOrigins } = settings;

  /** Responses do not tell whether the page is still open, so its end is stored with the payment until it is paid. */
  const closesAt = () => `until-${settings.now().getTime() + session.minutes * 60_000 + settleMs}`;
  function isClosed({ providerReference }: Started, forSeconds = 0): boolean {
    const until = /^until-(\d+)$/.exec(providerReference ?? '')?.[1];
    return until !== undefined && Number(until) + forSeconds * 1000 < settings.now().getTime();
  }

  async function afterFailedAttempt(payment: Started): Promise<EnquiryOutcome> {
    const { reference, currency } = payment;
    const answer = await client.get('/v3/transactions', { tx_ref: reference });
    const attempts = readAttempts(answer, { reference, digits: digitsOf(currency) });
    if (attempts.kind !== 'attemptsFailed') return attempts;
    // A second card that paid may show up late.
    const isShown = isClosed(payment, settings.lag ?? usualLag);
    const isOver = attempts.count > session.retries || (attempts.count > 0 && isShown);
    return isOver ? { kind: 'refused', reason: 'declined' } : { kind: 'pending' };
  }

  const askedBack = ({ providerReference, amount, currency }: Started) => ({
    transaction: providerReference ?? '',
    amount,
    digits: digitsOf(currency),
  });

  async function findRefund(payment: Started): Promise<RefundLookup> {
    const asked = askedBack(payment);
    if (!/^\d+$/.test(asked.transaction))
      return { kind: 'unclear', detail: 'the payment has no number of the gateway' };
    return readRefunds(await client.get('/v3/refunds', { tx_id: asked.transaction }), asked);
  }

  return {
    name,
    waitingFor: 'redirect',
    ...termsOf(settings),

    async start(charge) {
      if (!charge.email) return { kind: 'refused', reason: 'refusedByProvider' };
      const providerReference = closesAt();
      const body = {
        tx_ref: charge.reference,
        amount: toMajorString(charge.amount, digitsOf(charge.currency)),
        currency: charge.currency,
        redirect_url: charge.returnUrl,
        customer: { email: charge.email, phonenumber: charge.payerMsisdn },
        customizations: { title: settings.title },
        payment_options: 'card',
        configurations: { session_duration: session.minutes, max_retry_attempt: session.retries },
      };
      const outcome = readStart(await client.post('/v3/payments', body), { checkoutOrigins });
      return outcome.kind === 'link' ? { kind: 'redirect', url: outcome.url, providerReference } : outcome;
    },

    async enquire(payment) {
      const { reference, currency } = payment;
      const answer = await client.get('/v3/transactions/verify_by_reference', { tx_ref: reference });
      const verified = readVerification(answer, { reference, digits: digitsOf(currency) });
      if (verified.kind === 'attemptFailed') return afterFailedAttempt(payment);
      // Apparently nobody tried while the page was open, and now nobody can; but one "not found" is no proof.
      if (verified.kind === 'notFound' && isClosed(payment)) return { kind: 'notFound', isClosed: true };
      return verified.kind === 'notFound' && payment.providerReference ? { kind: 'pending' } : verified;
    },

    async refund(payment) {
      const before = await findRefund(payment);
      if (before.kind !== 'notFound') return before;
      const asked = askedBack(payment);
      const body = { amount: toMajorString(asked.amount, asked.digits) };
      return readRefund(await client.post(`/v3/transactions/${asked.transaction}/refund`, body), asked);
    },

    findRefund,

    isLeft: (word) => word === 'cancelled',
    isDeclined: (word) => word === 'failed',

    /** The header is the same for every webhook and does not cover the body, so it authenticates only the sender. */
    parseCallback(body, headers) {
      const parsed = callbackBody.safeParse(parseJson(body));
      if (!parsed.success) return { reference: null, signed: false };
      const signed = settings.webhookSecrets.some((secret) => isSameText(headers['verif-hash'], secret));
      return { reference: parsed.data.data.tx_ref, signed };
    },
  };
}

export const connectCardCheckout: ConnectGateway<SettingsOf<typeof cardCheckoutSettings>> = (
  name,
  { http, pack, now, terms },
  settings,
) =>
  cardCheckoutGateway(name, http, {
    ...settings,
    ...terms,
    digitsOf: (code) => digitsOf(pack, code),
    now,
    title: pack.brand.name,
  });
