/** Normalises a name for comparison: no accents, hyphens, apostrophes or case, saints written out. */
export const foldName = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\bst(e?) /g, 'saint$1 ')
    .trim();

/** A phonetic form: French ou and Malagasy o, y and i, doubled letters, a silent h. */
export const likeSound = (compact: string): string =>
  compact
    .replace(/ou/g, 'o')
    .replace(/y/g, 'i')
    .replace(/ph/g, 'f')
    .replace(/qu?/g, 'k')
    .replace(/c(?=[aou])/g, 'k')
    .replace(/(.)\1+/g, '$1');

/** Edit distance with transpositions; Infinity if it exceeds `most`. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  const distance = lastRow(one, other, most)?.[other.length] ?? Number.POSITIVE_INFINITY;
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/** The edit distance to the nearest prefix of `name`. */
export function prefixDistance(typed: string, name: string, most: number): number {
  if (typed.length > name.length + most) return Number.POSITIVE_INFINITY;
  const row = lastRow(typed, name.slice(0, typed.length + most), most);
  if (!row) return Number.POSITIVE_INFINITY;
  let nearest = Number.POSITIVE_INFINITY;
  const last = Math.min(name.length, typed.length + most);
  for (let length = Math.max(0, typed.length - most); length <= last; length += 1)
    nearest = Math.min(nearest, row[length] as number);
  return nearest;
}

/**
 * The last row of the table: the distance of `one` to each prefix of `other`; null if all exceed the limit. Only the
 * cells near the diagonal are computed, since all others exceed it.
 */
function lastRow(one: string, other: string, most: number): ArrayLike<number> | null {
  const far = most + 1;
  const emptyRow = () => new Uint8Array(other.length + 2).fill(far);
  let [before, row, next] = [emptyRow(), emptyRow(), emptyRow()];
  for (let j = 0; j <= Math.min(most, other.length); j += 1) row[j] = j;
  for (let i = 1; i <= one.length; i += 1) {
    const from = Math.max(1, i - most);
    const to = Math.min(other.length, i + most);
    next[from - 1] = from === 1 ? Math.min(i, far) : far;
    let nearest = next[from - 1] as number;
    for (let j = from; j <= to; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, (row[j - 1] as number) + same, far);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      next[j] = least;
      if (least < nearest) nearest = least;
    }
    if (nearest > most) return null;
    next[to + 1] = far;
    [before, row, next] = [row, next, before];
  }
  return row;
}
