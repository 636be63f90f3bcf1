/** The top of a chart's scale: the smallest round number that holds all values. Halves of counts stay whole. */
export function topOf(most: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most))));
  const top = [1, 2, 4, 6, 10].find((step) => step * power >= most) ?? 10;
  return Math.max(2, top * power);
}

/**
 * The bars whose figure is written above them: the last one and the highest one, unless they are so close that one
 * would cover the other.
 */
export function labelledBars(values: readonly number[]): number[] {
  const last = values.length - 1;
  const highest = values.indexOf(Math.max(...values));
  const named = last - highest > 0 && (last - highest) / values.length < 0.1 ? [highest] : [highest, last];
  return [...new Set(named)].filter((at) => (values[at] ?? 0) > 0);
}
