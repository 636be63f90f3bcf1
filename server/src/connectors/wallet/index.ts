import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromWire } from '@portal/domain/msisdn.ts';
import type { HttpClient } from '../http-client.ts';
import type { PaymentGateway } from '../ports.ts';
import { WalletClient, type WalletSettings } from './client.ts';
import { callbackBody, readEnquiry, readRefund, readStart } from './messages.ts';

/** The operator's own wallet, asked by push: the payer approves on the phone. */
export function walletGateway(name: string, http: HttpClient, settings: WalletSettings): PaymentGateway {
  const client = new WalletClient(http, settings);
  const { country, currency } = settings;
  return {
    name,
    waitingFor: 'payer',

    async start(charge) {
      const body = {
        reference: charge.shortReference,
        subscriber: { country, currency, msisdn: fromWire(charge.payerMsisdn) },
        transaction: { amount: charge.amount, country, currency: charge.currency, id: charge.reference },
      };
      return readStart(await client.post('/merchant/v2/payments/', body, { signed: true }));
    },

    async enquire({ reference }) {
      return readEnquiry(await client.get(`/standard/v1/payments/${encodeURIComponent(reference)}`), { reference });
    },

    async refund({ providerReference }) {
      const body = { transaction: { airtel_money_id: providerReference } };
      return readRefund(await client.post('/standard/v1/payments/refund', body, { signed: false }));
    },

    parseCallback(body) {
      const parsed = callbackBody.safeParse(parseJson(body));
      if (!parsed.success) return { reference: null, signed: false };
      const { transaction, hash } = parsed.data;
      const signed = settings.callbackKeys.some((key) => {
        const expected = createHmac('sha256', key).update(JSON.stringify(transaction)).digest();
        const given = Buffer.from(hash ?? '', 'base64');
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return { reference: transaction.id, signed };
    },
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}
