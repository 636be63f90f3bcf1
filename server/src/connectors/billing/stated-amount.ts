import { parseMajor, toMajorString } from '@portal/domain/money.ts';

const digits = 2;
/** Up to here a JSON number represents every hundredth exactly. */
const largest = 10 ** 15;

/**
 * An amount in whole hundredths, read from its decimal text and never with float arithmetic: a JSON number's shortest
 * text is what was sent. Null for anything else, and for more than two decimals.
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
