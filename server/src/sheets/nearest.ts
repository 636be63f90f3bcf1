/** The most typing errors in a word: letters left out, doubled, swapped or mistyped. */
const mostSlips = 2;

/** The known name closest to this one; null if none is close. */
export function nearestOf(name: string, known: Iterable<string>): string | null {
  const given = name.toLowerCase();
  // In a short name, two errors would match any other name.
  let [found, fewest]: [string | null, number] = [null, Math.min(mostSlips, Math.floor(given.length / 3)) + 1];
  for (const one of known) {
    const slips = slipsBetween(given, one.toLowerCase(), fewest);
    if (slips < fewest) [found, fewest] = [one, slips];
  }
  return found;
}

/** Edit distance with swaps of neighbours; counting stops at `enough`. */
function slipsBetween(one: string, other: string, enough: number): number {
  if (Math.abs(one.length - other.length) >= enough) return enough;
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      next[to] = Math.min(
        (row[to] ?? 0) + 1,
        (next[to - 1] ?? 0) + 1,
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? enough;
}
