import { createHash } from 'node:crypto';
import type { CallbackHint } from '../../connectors/ports.ts';
import * as store from './callbacks.store.ts';
import { paymentIdPattern } from './payment-id.ts';

export interface ReceivedCallback {
  provider: string;
  /** What follows the provider in the address it called. */
  path: string;
  body: Buffer;
  headers: Record<string, unknown>;
}

/**
 * What became of a callback. Signed and unsigned ones were kept; a repeated one was kept before; a surplus one names a
 * payment that waits, of which enough was kept; a stray one is nobody's.
 */
export type CallbackVerdict = 'signed' | 'unsigned' | 'repeated' | 'surplus' | 'stray';

/** Whoever has an open payment can send as many as they like that name it. Beyond these they are only a reason to ask. */
const unsignedOfPayment = 5;
const unsignedAnHour = 600;
const hourMs = 3_600_000;

/** By name, with what is kept of each: never a key, a cookie or where the caller is. */
const keptHeaders = { 'content-type': 120, 'user-agent': 120, date: 40, 'x-paystack-signature': 128 };

function headersToKeep(headers: Record<string, unknown>): Record<string, string> {
  const kept = Object.entries(keptHeaders).flatMap(([name, length]) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value.slice(0, length)] as const] : [];
  });
  return Object.fromEntries(kept);
}

/** Keeps what a key of ours signed, or what names a payment that waits for this provider; of a stranger's nothing. */
export async function keepCallback(
  db: Parameters<typeof store.insertCallback>[0],
  { provider, path, body, headers }: ReceivedCallback,
  { reference, signed }: CallbackHint,
  now: Date,
): Promise<CallbackVerdict> {
  const callback = {
    provider,
    digest: createHash('sha256').update(path).update('\n').update(body).digest('hex'),
    headers: JSON.stringify(headersToKeep(headers)),
    body,
    received_at: now,
  };
  if (signed) {
    const fresh = await store.insertCallback(db, { ...callback, verdict: 'signed', payment_id: reference });
    return fresh ? 'signed' : 'repeated';
  }
  if (!isPaymentId(reference) || !(await store.isWaiting(db, reference, provider))) return 'stray';
  const kept = await store.insertUnsigned(
    db,
    { ...callback, verdict: 'unsigned', payment_id: reference },
    { ofPayment: unsignedOfPayment, since: new Date(now.getTime() - hourMs), inAll: unsignedAnHour },
  );
  return ({ kept: 'unsigned', repeated: 'repeated', full: 'surplus' } as const)[kept];
}

/** Anything else could not be one of ours, and is not looked up. */
export const isPaymentId = (reference: string | null): reference is string =>
  reference !== null && paymentIdPattern.test(reference);
