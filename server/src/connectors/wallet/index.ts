import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromWire } from '@portal/domain/msisdn.ts';
import type { HttpClient } from '../http-client.ts';
import type { PaymentGateway, StatementEntry, StatementSource, WalletUsers } from '../ports.ts';
import { notReached } from '../unsent.ts';
import { WalletClient, type WalletSettings } from './client.ts';
import { callbackBody, readEnquiry, readRefund, readStart, readStatementPage, readUser } from './messages.ts';

const pageSize = 100;
const mostPages = 10_000;

/** The operator's own wallet: by push, the payer approving on the phone, or by a PIN that comes with the charge. */
export function walletGateway(
  name: string,
  http: HttpClient,
  settings: WalletSettings,
): PaymentGateway & WalletUsers & StatementSource {
  const client = new WalletClient(http, settings);
  const { country, currency, codes, statesAmount } = settings;
  return {
    name,
    waitingFor: 'payer',

    async start(charge) {
      const body = {
        reference: charge.shortReference,
        subscriber: { country, currency, msisdn: fromWire(charge.payerMsisdn) },
        transaction: { amount: charge.amount, country, currency: charge.currency, id: charge.reference },
      };
      if (charge.pin === undefined)
        return readStart(await client.postSigned('/merchant/v2/payments/', body), { codes, isDecided: false });
      const pin = await client.lock(charge.pin);
      if (pin === null) return notReached;
      const answer = await client.postSigned('/merchant/v2/payments/', { ...body, pin });
      return readStart(answer, { codes, isDecided: true });
    },

    async enquire({ reference }) {
      const answer = await client.get(`/standard/v1/payments/${encodeURIComponent(reference)}`);
      return readEnquiry(answer, { reference, codes, statesAmount });
    },

    async refund({ providerReference }) {
      if (!providerReference) return { kind: 'unclear', detail: 'the wallet never told its own id of the payment' };
      const body = { transaction: { airtel_money_id: providerReference } };
      return readRefund(await client.post('/standard/v1/payments/refund', body));
    },

    async hasWallet(msisdn) {
      const number = fromWire(msisdn);
      return readUser(await client.get(`/standard/v1/users/${encodeURIComponent(number)}`), { number, codes });
    },

    async statement({ from, to }) {
      const entries = new Map<string, StatementEntry>();
      for (let page = 0, offset = 0; page < mostPages; page += 1) {
        const query = { from: `${from.getTime()}`, to: `${to.getTime()}`, offset: `${offset}`, limit: `${pageSize}` };
        const read = readStatementPage(await client.get(`/merchant/v1/transactions?${new URLSearchParams(query)}`));
        if (!read) return null;
        for (const entry of read.entries) {
          if (entries.has(entry.reference)) return null;
          entries.set(entry.reference, entry);
        }
        offset += read.listed;
        if (offset >= read.count) return offset === read.count ? [...entries.values()] : null;
        if (read.listed === 0) return null;
      }
      return null;
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
