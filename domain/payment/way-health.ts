import type { PaymentReason } from './reasons.ts';

/** The health of a way to pay in the last hour. */
export const wayHealths = ['works', 'slow', 'trouble', 'noRecentData'] as const;
export type WayHealth = (typeof wayHealths)[number];

/** Figures of a way to pay in the last hour. */
export interface WayFigures {
  /** Payments that money was taken for. */
  taken: number;
  /** Payments that failed at the provider, or got no response. */
  failed: number;
  /** The median time from request to delivery; null if none was delivered. */
  medianSeconds: number | null;
}

export interface WayHealthRules {
  /** With fewer payments there is no health. */
  readonly leastPayments: number;
  /** In trouble if at least this percentage failed. */
  readonly troublePercent: number;
  /** Slow if the median exceeds this. It includes the payer's own time. */
  readonly slowSeconds: number;
}

export const standardWayHealthRules: WayHealthRules = { leastPayments: 20, troublePercent: 30, slowSeconds: 120 };

/** The pack's own rules, with defaults for the rest. */
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
 * Failures of the provider. A payer's decision, balance or typing says nothing about the way to pay. If they counted,
 * anybody could give it bad health with their own payments.
 */
export const wayFailures: readonly PaymentReason[] = [
  'refusedByProvider',
  'neverArrived',
  'notReached',
  'retriesSpent',
  'lateMoney',
];

/** A request without a response for this long counts as a failure, whatever its outcome. */
export const silentAfterSeconds = 60;
