import type { PaymentReason } from './reasons.ts';

/** What the last hour says about a way to pay. */
export const wayHealths = ['works', 'slow', 'trouble', 'noRecentData'] as const;
export type WayHealth = (typeof wayHealths)[number];

/** Of a way to pay, in the last hour. */
export interface WayFigures {
  /** Payments that money was taken for. */
  taken: number;
  /** Payments that the provider failed, or left without an answer. */
  failed: number;
  /** From the request to the delivery, of half of those that were delivered at most; null where none was. */
  medianSeconds: number | null;
}

export interface WayHealthRules {
  /** Of fewer payments nothing is said. */
  readonly leastPayments: number;
  /** In trouble when at least so many of a hundred failed. */
  readonly troublePercent: number;
  /** Slow when half of them took longer than this. The payer's own time is in it. */
  readonly slowSeconds: number;
}

export const standardWayHealthRules: WayHealthRules = { leastPayments: 20, troublePercent: 30, slowSeconds: 120 };

/** The pack's own numbers, and the standard ones for the rest. */
export const wayHealthRulesOf = (pack: { wayHealth?: Partial<WayHealthRules> }): WayHealthRules => ({
  ...standardWayHealthRules,
  ...pack.wayHealth,
});

export function wayHealth({ taken, failed, medianSeconds }: WayFigures, rules: WayHealthRules): WayHealth {
  const counted = taken + failed;
  if (counted < rules.leastPayments) return 'noRecentData';
  if (failed * 100 >= counted * rules.troublePercent) return 'trouble';
  return medianSeconds !== null && medianSeconds > rules.slowSeconds ? 'slow' : 'works';
}

/**
 * Failures that are the provider's. What a payer decided, had not enough money for or mistyped says nothing about the way;
 * counted, it would let anybody give a way a bad name with payments of their own.
 */
export const wayFailures: readonly PaymentReason[] = [
  'refusedByProvider',
  'neverArrived',
  'notReached',
  'retriesSpent',
  'lateMoney',
];

/** A request that got no answer for so long is a failure of the way, whatever becomes of it. */
export const silentAfterSeconds = 60;
