import { fromWire } from '@portal/domain/msisdn.ts';
import type { SettingsOf } from '../../config/provider-settings.ts';
import type { ConnectGateway } from '../gateway-context.ts';
import type { HttpClient } from '../http-client.ts';
import type { PaymentGateway, RefundLookup, Started, WalletUsers } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { notReached } from '../unsent.ts';
import { SmartcashClient, type SmartcashSettings } from './client.ts';
import { callbackBody, readEnquiry, readRefund, readStart, readUser } from './messages.ts';
import type { smartcashSettings } from './settings.ts';

/** SmartCash, always with the payer's PIN. */
export function smartcashGateway(
  name: string,
  http: HttpClient,
  settings: SmartcashSettings,
): PaymentGateway & WalletUsers {
  const client = new SmartcashClient(http, settings);
  const { codes } = settings;

  const askFor = async (reference: string) =>
    readEnquiry(await client.call('status', { reference }), { reference, codes });

  async function findRefund({ reference, amount, currency }: Started): Promise<RefundLookup> {
    const outcome = await askFor(reference);
    if (outcome.kind === 'refunded') return outcome;
    if (outcome.kind !== 'paid') return { kind: 'unclear', detail: `the payment is ${outcome.kind}` };
    if (outcome.amount !== amount || outcome.currency !== currency)
      return { kind: 'unclear', detail: 'another amount was taken than is to go back', isLasting: true };
    return { kind: 'notFound' };
  }

  return {
    name,
    waitingFor: 'payer',
    ...termsOf(settings),

    async start(charge) {
      const { reference, amount, currency } = charge;
      // Not a refusal: an earlier call for the same payment may have had its PIN.
      if (charge.pin === undefined) return { kind: 'unclear', detail: 'no PIN' };
      const pin = await client.lock(charge.pin);
      if (pin === null) return notReached;
      const body = { reference, msisdn: fromWire(charge.payerMsisdn), amount, currency, pin };
      return readStart(await client.call('payment', {}, body), { reference, codes });
    },

    async enquire({ reference }) {
      const outcome = await askFor(reference);
      // The provider took the money and refunded it by itself: there is nothing to deliver.
      return outcome.kind === 'refunded' ? { kind: 'refused', reason: 'refusedByProvider' } : outcome;
    },

    /** Looks for a refund first: it is not documented that the provider refuses a second one. */
    async refund(payment) {
      const before = await findRefund(payment);
      if (before.kind !== 'notFound') return before;
      const { reference, amount, currency } = payment;
      return readRefund(await client.call('refund', { reference }, { amount, currency }), { reference, codes });
    },

    findRefund,

    async hasWallet(msisdn) {
      const number = fromWire(msisdn);
      return readUser(await client.call('user', { msisdn: number }), { number, codes });
    },

    parseCallback(body) {
      return { reference: referenceIn(body), signed: false };
    },
  };
}

function referenceIn(body: Buffer): string | null {
  try {
    return callbackBody.safeParse(JSON.parse(body.toString('utf8'))).data?.reference ?? null;
  } catch {
    return null;
  }
}

export const connectSmartcash: ConnectGateway<SettingsOf<typeof smartcashSettings>> = (
  name,
  { http, pack, terms },
  settings,
) => smartcashGateway(name, http, { ...settings, ...terms, country: pack.country.iso, currency: pack.currency.code });
