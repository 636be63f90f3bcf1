import { takenOf } from '@portal/domain/payment/ledger.ts';
import type { DeliveredItem, Delivery, Fulfilment, Started } from '../../connectors/ports.ts';
import { signedBodies } from '../callbacks/callbacks.store.ts';
import type { PaymentsDependencies } from './payments.dependencies.ts';
import type { Payment } from './payments.store.ts';

/** The delivery is worth the price in the currency of prices, even if the payment was taken in the second currency. */
export function deliveryOf({ id, msisdn, amount, currency, details: { item, conversion } }: Payment): Delivery {
  return {
    reference: id,
    msisdn,
    amount: conversion?.price ?? amount,
    currency: conversion?.from ?? currency,
    item,
  };
}

/** The system that delivers this kind of item. */
export function fulfilmentFor(
  item: DeliveredItem,
  systems: Pick<PaymentsDependencies, 'charging' | 'billing' | 'orders'>,
): Fulfilment {
  if (item.kind === 'bill') return systems.billing;
  return item.kind === 'order' ? systems.orders : systems.charging;
}

export function startedOf(payment: Payment): Started {
  return {
    reference: payment.id,
    shortReference: payment.short_reference,
    providerReference: payment.provider_reference,
    amount: payment.amount,
    currency: payment.currency,
    payerMsisdn: payment.payer_msisdn ?? payment.msisdn,
    since: payment.submitted_at,
  };
}

/** For an enquiry: the provider's callbacks can be read too. */
export const enquiryOf = (db: Parameters<typeof signedBodies>[0], payment: Payment): Started => ({
  ...startedOf(payment),
  callbacks: () => signedBodies(db, payment.id, payment.gateway),
});

/** A refund is for the amount taken, which may differ from the amount asked for. */
export const refundOf = (payment: Payment): Started => ({ ...startedOf(payment), ...takenOf(payment) });
