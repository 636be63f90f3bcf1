import { createHash } from 'node:crypto';
import type { CallbackHint } from '../../connectors/ports.ts';
import * as store from './callbacks.store.ts';
import { paymentIdPattern } from './payment-id.ts';

export interface ReceivedCallback {
  provider: string;
  /** The part of the callback's path after the provider. */
  path: string;
  body: Buffer;
  headers: Record<string, unknown>;
}

/**
 * What was done with a callback. `signed` and `unsigned`: stored. `repeated`: stored before. `surplus`: it names an
 * open payment that has enough unsigned callbacks stored. `stray`: it names no open payment.
 */
export type CallbackVerdict = 'signed' | 'unsigned' | 'repeated' | 'surplus' | 'stray';

/**
 * Anybody with an open payment can send any number of unsigned callbacks for it. Those beyond this limit are not
 * stored; they only trigger an enquiry.
 */
const unsignedOfPayment = 5;
const unsignedAnHour = 600;
const hourMs = 3_600_000;

/** The headers that are stored, each with its maximum length. No secrets, cookies or addresses of the caller. */
const storedHeaders = { 'content-type': 120, 'user-agent': 120, date: 40, 'x-paystack-signature': 128 };

function headersToStore(headers: Record<string, unknown>): Record<string, string> {
  const picked = Object.entries(storedHeaders).flatMap(([name, length]) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value.slice(0, length)] as const] : [];
  });
  return Object.fromEntries(picked);
}

/** Stores a callback that is signed, or that names an open payment of this provider. Anything else is dropped. */
export async function storeCallback(
  db: Parameters<typeof store.insertCallback>[0],
  { provider, path, body, headers }: ReceivedCallback,
  { reference, signed }: CallbackHint,
  now: Date,
): Promise<CallbackVerdict> {
  const callback = {
    provider,
    digest: createHash('sha256').update(path).update('\n').update(body).digest('hex'),
    headers: JSON.stringify(headersToStore(headers)),
    body,
    received_at: now,
  };
  if (signed) {
    const fresh = await store.insertCallback(db, { ...callback, verdict: 'signed', payment_id: reference });
    return fresh ? 'signed' : 'repeated';
  }
  if (!isPaymentId(reference) || !(await store.isWaiting(db, reference, provider))) return 'stray';
  const stored = await store.insertUnsigned(
    db,
    { ...callback, verdict: 'unsigned', payment_id: reference },
    { ofPayment: unsignedOfPayment, since: new Date(now.getTime() - hourMs), inAll: unsignedAnHour },
  );
  return ({ kept: 'unsigned', repeated: 'repeated', full: 'surplus' } as const)[stored];
}

/** Checks the format, so that no other reference is looked up in the database. */
export const isPaymentId = (reference: string | null): reference is string =>
  reference !== null && paymentIdPattern.test(reference);
