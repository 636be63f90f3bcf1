import { createHash } from 'node:crypto';
import type { CallbackHint } from '../../connectors/ports.ts';
import { PortalError } from '../../http/portal-error.ts';
import { paymentIdPattern } from '../core/payment-id.ts';
import type { PaymentsDependencies } from '../core/payments.dependencies.ts';
import type { PaymentRunner } from '../core/payments.runner.ts';
import * as store from './callbacks.store.ts';

export interface ReceivedCallback {
  provider: string;
  /** The part of the callback's path after the provider. */
  path: string;
  body: Buffer;
  headers: Record<string, unknown>;
}

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

/** Receives providers' callbacks. A callback, signed or not, only triggers an enquiry. */
export function paymentCallbacks(
  deps: PaymentsDependencies,
  runner: Pick<PaymentRunner, 'enquireAfterCallback' | 'run'>,
) {
  const { db, gateways, events, clock } = deps;

  return {
    async receiveCallback(callback: ReceivedCallback): Promise<void> {
      const { provider, path, body, headers } = callback;
      const gateway = gateways.get(provider);
      if (!gateway) throw new PortalError('providerUnknown');
      const hint = gateway.parseCallback(body, headers, path);
      const verdict = await storeCallback(db, callback, hint, clock.now());
      events.callback(provider, verdict);
      if (verdict === 'stray' || !isPaymentId(hint.reference)) return;
      // A repeated one triggers an enquiry too, because the process may have crashed on the first.
      await runner.enquireAfterCallback(hint.reference, verdict === 'signed' || verdict === 'unsigned');
    },
  };
}

/** Stores a callback that is signed, or that names an open payment of this provider. Anything else is dropped. */
async function storeCallback(
  db: Parameters<typeof store.insertCallback>[0],
  { provider, path, body, headers }: ReceivedCallback,
  { reference, signed }: CallbackHint,
  now: Date,
): Promise<store.CallbackVerdict> {
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
const isPaymentId = (reference: string | null): reference is string =>
  reference !== null && paymentIdPattern.test(reference);
