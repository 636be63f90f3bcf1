import { parseMajor, toMajorString } from '@portal/domain/money.ts';

const digits = 2;
/** Up to here a JSON number holds every hundredth exactly. */
const largest = 10 ** 15;

/**
 * A stated amount in whole hundredths, never through arithmetic on floats: the shortest text of a JSON number is what
 * was sent. Null for anything else, and for more than two decimals.
 */
export function readHundredths(value: unknown): number | null {
  if (typeof value !== 'number' && typeof value !== 'string') return null;
  const hundredths = parseMajor(String(value), digits);
  return hundredths !== null && Math.abs(hundredths) < largest ? hundredths : null;
}

/** "45250.40" */
export function statedAmount(hundredths: number): string {
  return toMajorString(hundredths, digits);
}
