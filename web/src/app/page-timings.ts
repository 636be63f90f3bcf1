import { recordEvent } from '../lib/analytics.ts';
import type { Api } from '../lib/api.ts';

const steps = [500, 1_000, 2_000, 4_000, 8_000];

/**
 * As thresholds, because events have no numeric values: `ready_2000` means ready within two seconds, `ready_more` after
 * the last threshold.
 */
export const timingStep = (what: string, milliseconds: number): string =>
  `${what}_${steps.find((step) => milliseconds <= step) ?? 'more'}`;

/** Records how long the page took in this browser: until the first paint, and until it was hydrated. */
export function recordTimings(api: Api, page_name: string): void {
  const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  const outcomes = [
    ...(painted === undefined ? [] : [timingStep('painted', painted)]),
    timingStep('ready', performance.now()),
  ];
  for (const outcome of outcomes) recordEvent(api, { event: 'page_timing', page_name, outcome });
}
