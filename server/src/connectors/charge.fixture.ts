import { randomBytes } from 'node:crypto';
import type { Charge, PaymentGateway, Started } from './ports.ts';

export const returnUrl = 'https://portal.example/payment/status?id=k7p2m4x9';

export function chargeIn(currency: string, more: Partial<Charge> = {}): Charge {
  return {
    reference: randomBytes(13).toString('hex'),
    shortReference: randomBytes(6).toString('hex'),
    amount: 5_000,
    currency,
    payerMsisdn: '0390000001',
    email: 'client@example.mg',
    language: 'fr-FR',
    returnUrl,
    ...more,
  };
}

export function startedFrom(charge: Charge, providerReference: string | null = null): Started {
  const { reference, shortReference, amount, currency, payerMsisdn } = charge;
  return { reference, shortReference, providerReference, amount, currency, payerMsisdn };
}

/** The payment as the core stores it after it was paid. */
export async function paidFrom(gateway: PaymentGateway, started: Started): Promise<Started> {
  const outcome = await gateway.enquire(started);
  if (outcome.kind !== 'paid') throw new Error(`not paid but ${JSON.stringify(outcome)}`);
  return { ...started, providerReference: outcome.providerReference };
}

export const bytes = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
