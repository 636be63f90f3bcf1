import { createHmac, timingSafeEqual } from 'node:crypto';
import { digitsOf } from '@portal/domain/money.ts';
import { fromWire } from '@portal/domain/msisdn.ts';
import type { SettingsOf } from '../../config/provider-settings.ts';
import type { ConnectGateway } from '../gateway-context.ts';
import type { HttpClient } from '../http-client.ts';
import { majorNumber } from '../major-amount.ts';
import type { PaymentGateway, StatementEntry, StatementSource, WalletUsers } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { notReached } from '../unsent.ts';
import { WalletClient, type WalletSettings } from './client.ts';
import { callbackBody, readEnquiry, readRefund, readStart, readStatementPage, readUser } from './messages.ts';
import type { walletSettings } from './settings.ts';

const pageSize = 100;
const mostPages = 10_000;

/** The operator's own wallet: the payer approves a push on the phone, or the charge contains the PIN. */
export function walletGateway(
  name: string,
  http: HttpClient,
  settings: WalletSettings,
): PaymentGateway & WalletUsers & StatementSource {
  const client = new WalletClient(http, settings);
  const { country, currencies, digitsOf, codes, statesAmount } = settings;

  /** False if any page of the list is doubtful. */
  async function listInto(
    entries: Map<string, StatementEntry>,
    { from, to }: { from: Date; to: Date },
    currency: string,
  ): Promise<boolean> {
    for (let page = 0, offset = 0; page < mostPages; page += 1) {
      const query = { from: `${from.getTime()}`, to: `${to.getTime()}`, offset: `${offset}`, limit: `${pageSize}` };
      const answer = await client.get(`/merchant/v1/transactions?${new URLSearchParams(query)}`, currency);
      const read = readStatementPage(answer, digitsOf);
      if (!read) return false;
      for (const entry of read.entries) {
        if (entries.has(entry.reference)) return false;
        entries.set(entry.reference, entry);
      }
      offset += read.listed;
      if (offset >= read.count) return offset === read.count;
      if (read.listed === 0) return false;
    }
    return false;
  }

  return {
    name,
    waitingFor: 'payer',
    refusesRepeats: true,
    ...termsOf(settings),

    async start(charge) {
      const { currency } = charge;
      const amount = majorNumber(charge.amount, digitsOf(currency));
      const body = {
        reference: charge.shortReference,
        subscriber: { country, currency, msisdn: fromWire(charge.payerMsisdn) },
        transaction: { amount, country, currency, id: charge.reference },
      };
      if (charge.pin === undefined)
        return readStart(await client.postSigned('/merchant/v2/payments/', body, currency), {
          codes,
          isDecided: false,
        });
      const pin = await client.lock(charge.pin);
      if (pin === null) return notReached;
      const answer = await client.postSigned('/merchant/v2/payments/', { ...body, pin }, currency);
      return readStart(answer, { codes, isDecided: true });
    },

    async enquire({ reference, currency }) {
      const answer = await client.get(`/standard/v1/payments/${encodeURIComponent(reference)}`, currency);
      return readEnquiry(answer, { reference, codes, statesAmount, digitsOf });
    },

    async refund({ providerReference, currency }) {
      if (!providerReference) return { kind: 'unclear', detail: 'the wallet never told its own id of the payment' };
      const body = { transaction: { airtel_money_id: providerReference } };
      return readRefund(await client.post('/standard/v1/payments/refund', body, currency));
    },

    async hasWallet(msisdn) {
      const number = fromWire(msisdn);
      return readUser(await client.get(`/standard/v1/users/${encodeURIComponent(number)}`), { number, codes });
    },

    /** Each currency is a separate account with its own list. */
    async statement(day) {
      const entries = new Map<string, StatementEntry>();
      for (const currency of currencies) if (!(await listInto(entries, day, currency))) return null;
      return [...entries.values()];
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

export const connectWallet: ConnectGateway<SettingsOf<typeof walletSettings>> = (
  name,
  { http, pack, terms },
  settings,
) =>
  walletGateway(name, http, {
    ...settings,
    ...terms,
    country: pack.country.iso,
    currencies: [pack.currency.code, ...(pack.secondCurrency ? [pack.secondCurrency.code] : [])],
    digitsOf: (code) => digitsOf(pack, code),
  });
