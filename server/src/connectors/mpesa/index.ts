import { createHmac, timingSafeEqual } from 'node:crypto';
import { fromWire } from '@portal/domain/msisdn.ts';
import type { SettingsOf } from '../../config/provider-settings.ts';
import { parseJson } from '../callback-parsing.ts';
import type { ConnectGateway } from '../gateway-context.ts';
import type { HttpClient } from '../http-client.ts';
import { wholeMajor } from '../major-amount.ts';
import type { EnquiryOutcome, PaymentGateway, RefundLookup, StatementEntry, StatementSource } from '../ports.ts';
import { termsOf } from '../provider-terms.ts';
import { MpesaClient, type MpesaSettings } from './client.ts';
import {
  findPayment,
  type PulledRow,
  readCallbacks,
  readPush,
  readQuery,
  readReversal,
  receiptPattern,
} from './messages.ts';
import type { mpesaSettings } from './settings.ts';

const description = 'Payment';
/** The provider lists only the last two days by its own clock and refuses a longer range; hence ten minutes less. */
const pullMs = 48 * 3_600_000 - 600_000;
/** The maximum clock skew between the provider and us. */
const clocksApartMs = 600_000;
/** How late the callback and the list may be, which state the amount taken. */
const statedWithinMs = 300_000;

/** M-Pesa by STK push. Daraja has no idempotency key, so a push is never sent again. */
export function mpesaGateway(
  name: string,
  http: HttpClient,
  settings: MpesaSettings,
): PaymentGateway & StatementSource {
  const client = new MpesaClient(http, settings);
  const { shortCode, countryCode, currency, digits } = settings;

  const callbackAddress = (reference: string) =>
    `${settings.callbackUrl}/${reference}/${markOf(reference, settings.callbackKey)}`;

  function recent(since?: Date | null) {
    const now = settings.now().getTime();
    const from = Math.max(now - pullMs, since ? since.getTime() - clocksApartMs : 0);
    return client.pull(new Date(from), new Date(now));
  }

  /** The provider's list contains our short reference, the receipt and the amount taken. */
  async function lookUp(shortReference: string, since?: Date | null): Promise<EnquiryOutcome> {
    const rows = await recent(since);
    if (!rows) return { kind: 'unclear', detail: 'no list of transactions' };
    const found = findPayment(rows, shortReference);
    if (found.kind === 'none') return { kind: 'notFound' };
    if (found.kind === 'doubt') return { kind: 'unclear', detail: found.detail };
    // The provider took the money and reversed it by itself: there is nothing to deliver.
    if (found.kind === 'reversed') return { kind: 'refused', reason: 'refusedByProvider' };
    return { kind: 'paid', providerReference: found.receipt, amount: found.amount, currency };
  }

  return {
    name,
    waitingFor: 'payer',
    ...termsOf(settings),
    // Until the payment is paid, this is the checkout request id, which ends with the payer's number.
    receiptOf: (kept) => (receiptPattern.test(kept) ? kept : ''),

    async start(charge) {
      const amount = wholeMajor(charge.amount, digits);
      if (amount === null) return { kind: 'refused', reason: 'refusedByProvider' };
      const payer = countryCode + fromWire(charge.payerMsisdn);
      const body = {
        ...client.credentials(settings.now()),
        TransactionType: 'CustomerPayBillOnline',
        Amount: amount,
        PartyA: payer,
        PartyB: shortCode,
        PhoneNumber: payer,
        CallBackURL: callbackAddress(charge.reference),
        AccountReference: charge.shortReference,
        TransactionDesc: description,
      };
      return readPush(await client.post('/mpesa/stkpush/v1/processrequest', body));
    },

    async enquire({ shortReference, providerReference, since, callbacks }) {
      // The response to the push was lost, and with it the id for enquiries.
      if (providerReference === null || receiptPattern.test(providerReference)) return lookUp(shortReference);
      const body = { ...client.credentials(settings.now()), CheckoutRequestID: providerReference };
      const outcome = readQuery(await client.post('/mpesa/stkpushquery/v1/query', body), {
        checkoutRequestId: providerReference,
      });
      if (outcome.kind !== 'paid') return outcome;
      // The query's response has no amount. The callback and the list have it, but both may be late.
      const bodies = (await callbacks?.())?.map(parseJson) ?? [];
      const stated = readCallbacks(bodies, { checkoutRequestId: providerReference, digits });
      if (stated) return { kind: 'paid', providerReference: stated.receipt, amount: stated.amount, currency };
      const listed = await lookUp(shortReference, since);
      if (listed.kind === 'paid') return listed;
      // Reversed according to the list: report it as paid, so that the refund step finds the reversal (after a restore)
      // and the ledger agrees with the provider.
      if (listed.kind === 'refused') return outcome;
      const isRecent = since && settings.now().getTime() - since.getTime() < statedWithinMs;
      return isRecent ? { kind: 'pending' } : outcome;
    },

    /**
     * A reversal is accepted now and executed later. Proof comes later too: the list shows it, or a second request is
     * refused because it was already reversed. A transaction can be reversed once, so repeating the request is safe.
     */
    async refund(payment) {
      const { reference, shortReference, providerReference, amount } = payment;
      const rows = await recent();
      const found = rows ? findPayment(rows, shortReference) : ({ kind: 'none' } as const);
      const before = reversalIn(found, amount);
      if (before.kind === 'refunded' || before.kind === 'unclear') return before;
      const known = providerReference && receiptPattern.test(providerReference) ? providerReference : null;
      const receipt = found.kind === 'debit' ? found.receipt : known;
      if (receipt === null) return { kind: 'unclear', detail: 'no receipt number to reverse' };
      const body = {
        Initiator: settings.initiator,
        SecurityCredential: settings.securityCredential,
        CommandID: 'TransactionReversal',
        TransactionID: receipt,
        Amount: wholeMajor(amount, digits),
        ReceiverParty: shortCode,
        // The provider's own spelling; 11 is a shop's short code.
        RecieverIdentifierType: '11',
        ResultURL: callbackAddress(reference),
        QueueTimeOutURL: callbackAddress(reference),
        Remarks: 'Refund',
        Occasion: shortReference,
      };
      return readReversal(await client.post('/mpesa/reversal/v1/request', body));
    },

    async findRefund({ shortReference, amount }) {
      const rows = await recent();
      if (!rows) return { kind: 'unclear', detail: 'no list of transactions' };
      const found = reversalIn(findPayment(rows, shortReference), amount);
      return found.kind === 'none' ? { kind: 'unclear', detail: 'the payment is not in the list any more' } : found;
    },

    async statement({ from, to }) {
      const rows = await client.pull(from, to);
      const isOver = to.getTime() < settings.now().getTime();
      const later = isOver ? await client.pull(to, settings.now()) : [];
      if (!rows || !later) return null;
      const known = new Set(rows.map(({ transactionId }) => transactionId));
      const isNew = later.filter(({ transactionId, isReversal }) => isReversal && !known.has(transactionId));
      return statementOf(rows, [...rows.filter(({ isReversal }) => isReversal), ...isNew], currency);
    },

    /** The provider does not sign callbacks. The MAC in the URL, known only to the provider, authenticates them. */
    parseCallback(_body, _headers, path) {
      const [, reference, mark] = /^\/?([A-Za-z0-9._-]{1,64})(?:\/([0-9a-f]{1,64}))?\/?$/.exec(path) ?? [];
      if (reference === undefined) return { reference: null, signed: false };
      const expected = Buffer.from(markOf(reference, settings.callbackKey));
      const given = Buffer.from(mark ?? '');
      return { reference, signed: given.length === expected.length && timingSafeEqual(given, expected) };
    },
  };
}

/** Whether the payment was reversed, according to the list; `none` if the list does not contain it. */
function reversalIn(found: ReturnType<typeof findPayment>, amount: number): RefundLookup | { kind: 'none' } {
  if (found.kind === 'none') return found;
  if (found.kind === 'doubt') return { kind: 'unclear', detail: found.detail };
  if (found.amount !== amount)
    return { kind: 'unclear', detail: 'another amount was taken than is to go back', isLasting: true };
  return { kind: found.kind === 'reversed' ? 'refunded' : 'notFound' };
}

function markOf(reference: string, key: string): string {
  return createHmac('sha256', key).update(`callback:${reference}`).digest('hex').slice(0, 32);
}

/** A stranger may pay under one reference again. Null only if it is unclear which of the payments was reversed. */
function statementOf(
  rows: readonly PulledRow[],
  reversals: readonly PulledRow[],
  currency: string,
): StatementEntry[] | null {
  const entries: StatementEntry[] = [];
  const debits = Map.groupBy(
    rows.filter(({ isReversal }) => !isReversal),
    ({ billReference }) => billReference,
  );
  const reversed = Map.groupBy(reversals, ({ billReference }) => billReference);
  for (const [reference, taken] of debits) {
    const returned = reversed.get(reference)?.length ?? 0;
    if (returned !== 0 && returned !== taken.length) return null;
    for (const { amount } of taken) {
      if (amount === null) return null;
      entries.push({ reference, amount, currency, givenBack: returned > 0 });
    }
  }
  return entries;
}

export const connectMpesa: ConnectGateway<SettingsOf<typeof mpesaSettings>> = (
  name,
  { http, pack, now, terms, callbacks },
  settings,
) =>
  mpesaGateway(name, http, {
    ...settings,
    ...terms,
    ...callbacks,
    now,
    countryCode: pack.numbering.countryCode,
    currency: pack.currency.code,
    digits: pack.currency.digits,
  });
