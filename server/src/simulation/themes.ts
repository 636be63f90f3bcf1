import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import type { FaultKind } from './fault-kinds.ts';
import type { Random } from './random.ts';

/**
 * What the worlds of a range of seeds are about. Faults that can strike only once in a payment's life, or only after
 * something rare, hardly occur at their usual rates. So worlds have a theme: some faults that strike there more often
 * than not. A new range begins after the last seed of the one before it, so that earlier seeds keep their histories.
 */
export type SeedRange = 'common' | 'rare' | 'outages' | 'refunds';

const lastSeedOf = { common: 250, rare: 600, outages: 710 } as const;

export function rangeOf(seed: number): SeedRange {
  if (seed <= lastSeedOf.common) return 'common';
  if (seed <= lastSeedOf.rare) return 'rare';
  return seed <= lastSeedOf.outages ? 'outages' : 'refunds';
}

type Themes = readonly [readonly FaultKind[], ...(readonly FaultKind[])[]];

/** Half of these worlds have no theme. */
const commonThemes: Themes = [
  ['otherAmount'],
  ['otherAmount', 'portalOff', 'trouble'],
  ['otherAmount', 'portalOff', 'trouble'],
  ['lateDebit'],
  ['lateDebit', 'portalOff'],
  ['deliveryRefused', 'refundReplyLost'],
  ['deliveryRefused', 'refundReplyLost', 'portalOff'],
  ['deliveryRefused', 'portalOff', 'trouble'],
  ['deliveryRefused', 'portalOff', 'trouble'],
  ['deliveryRefused', 'doneLater'],
  ['deliveryRefused', 'refundReplyLost', 'pause'],
  ['deliveryRefused', 'refundReplyLost', 'historyLags', 'restore'],
  ['deliveryRefused', 'historyLags', 'restore'],
  ['deliveryReplyLost', 'historyLags'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['deliveryReplyLost', 'restore'],
  ['requestLost', 'historyLags', 'restore'],
  ['requestLost', 'historyLags', 'restore'],
  ['replyLost', 'restore'],
  ['doneLater'],
];

/** Rarer combinations too. */
const rareThemes: Themes = [
  ...commonThemes,
  ['notFoundYet', 'historyLags', 'restore'],
  ['notFoundYet', 'historyLags', 'restore'],
  ['reversedByProvider', 'replyLost'],
  ['reversedByProvider', 'replyLost', 'callbackLost'],
  ['lateDebit', 'callbackLost', 'portalOff'],
  ['lateDebit', 'callbackLost'],
  ['lateDebit', 'callbackLost'],
  ['otherAmount', 'replyLost', 'trouble', 'portalOff'],
  ['deliveryReplyLost', 'restore', 'impatientCustomer'],
  ['deliveryReplyLost', 'restore', 'powerCut'],
  ['deliveryRefused', 'powerCut'],
];

/**
 * A few conditions at once: a system with an outage when the portal comes back after days, and an order that a restore
 * lost and that is placed again, at a provider with a lagging list.
 */
const outageThemes: Themes = [
  ['otherAmount', 'portalOff', 'trouble'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['deliveryRefused', 'portalOff', 'trouble'],
  ['impatientCustomer', 'notFoundYet', 'historyLags', 'restore'],
  ['impatientCustomer', 'notFoundYet', 'historyLags', 'restore'],
];

/**
 * Mostly refunds through a provider that is down at that moment. A backup of that moment is restored after the refund,
 * or no process runs for a week.
 */
const refundThemes: Themes = [
  ['otherAmount', 'portalOff', 'trouble'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['impatientCustomer', 'notFoundYet', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'portalOff'],
  ['deliveryRefused', 'trouble', 'portalOff'],
  ['deliveryRefused', 'trouble', 'portalOff'],
];

const themesOf: Record<SeedRange, Themes> = {
  ...{ common: commonThemes, rare: rareThemes, outages: outageThemes, refunds: refundThemes },
};

/** The theme of a world. Some worlds of the two last ranges have one of the rare themes instead of their own. */
export function pickTheme(random: Random, range: SeedRange): readonly FaultKind[] {
  const isRare = isAfterRare(range) && random.chance(range === 'refunds' ? 0.2 : 0.3);
  if (!random.chance(range === 'common' ? 0.5 : 1)) return [];
  return random.pick(themesOf[isRare ? 'rare' : range]);
}

export const isAfterRare = (range: SeedRange): boolean => range === 'outages' || range === 'refunds';

export const gatewayNames = ['wallet', 'mpesa', 'smartcash', 'card', 'orange', 'paystack', 'airtime'] as const;
type GatewayName = (typeof gatewayNames)[number];

/** Not every gateway supports every fault. */
const supportedBy: Partial<Record<FaultKind, readonly GatewayName[]>> = {
  lateDebit: ['wallet', 'smartcash', 'mpesa'],
  reversedByProvider: ['mpesa'],
  otherAmount: ['wallet', 'smartcash', 'card', 'paystack'],
};

/** The gateways that support the faults of a theme. */
export function gatewaysFor(theme: readonly FaultKind[], range: SeedRange): GatewayName[] {
  if (range === 'common') return [];
  return theme.flatMap((kind) =>
    kind === 'impatientCustomer' && isAfterRare(range) ? ['wallet', 'smartcash', 'airtime'] : (supportedBy[kind] ?? []),
  );
}

/** The states that a theme leads to. A restore or downtime there is most likely to reveal a bug. */
const leadsTo: Partial<Record<FaultKind, readonly PaymentState[]>> = {
  otherAmount: ['REVIEW'],
  lateDebit: ['FAILED'],
  deliveryRefused: ['REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN'],
  deliveryReplyLost: ['FULFILLING', 'FULFIL_UNKNOWN'],
  requestLost: ['UNKNOWN', 'FULFIL_UNKNOWN'],
  notFoundYet: ['CREATED', 'SUBMITTING'],
};
const laterLeadsTo: typeof leadsTo = { ...leadsTo, otherAmount: ['AWAITING_PAYER'] };
const refundsLeadTo: typeof leadsTo = { ...laterLeadsTo, deliveryRefused: ['REFUND_UNKNOWN'] };

export function statesOf(theme: readonly FaultKind[], range: SeedRange): PaymentState[] {
  const states = isAboutRefunds(theme, range) ? refundsLeadTo : isAfterRare(range) ? laterLeadsTo : leadsTo;
  return theme.flatMap((kind) => states[kind] ?? []);
}

/** About refunds during an outage of their provider. */
export const isAboutRefunds = (theme: readonly FaultKind[], range: SeedRange): boolean =>
  range === 'refunds' && theme.includes('deliveryRefused') && theme.includes('trouble');
