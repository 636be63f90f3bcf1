import { takenOf } from '@portal/domain/payment/ledger.ts';
import type { DeliveredItem, Delivery, Fulfilment, Started } from '../../connectors/ports.ts';
import type { PaymentsDependencies } from './payments.dependencies.ts';
import type { Payment } from './payments.store.ts';

/** What is brought is worth its price, in the currency of prices; what was taken for it may be in the other one. */
export function deliveryOf({ id, msisdn, amount, currency, details: { item, conversion } }: Payment): Delivery {
  return {
    reference: id,
    msisdn,
    amount: conversion?.price ?? amount,
    currency: conversion?.from ?? currency,
    item,
  };
}

/** The system that brings each kind of thing. */
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
  };
}

/** What goes back is what was taken. */
export const refundOf = (payment: Payment): Started => ({ ...startedOf(payment), ...takenOf(payment) });
