/** A name as it is compared: no accents, no hyphens or apostrophes, no case, saints written out. */
export const foldName = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\bst(e?) /g, 'saint$1 ')
    .trim();

/** Spellings that are said alike: French ou and Malagasy o, y and i, doubled letters, a silent h. */
export const likeSound = (compact: string): string =>
  compact
    .replace(/ou/g, 'o')
    .replace(/y/g, 'i')
    .replace(/ph/g, 'f')
    .replace(/qu?/g, 'k')
    .replace(/c(?=[aou])/g, 'k')
    .replace(/(.)\1+/g, '$1');

/** Letters wrong, missing, too many or exchanged with their neighbour; Infinity as soon as there are more than `most`. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Number.POSITIVE_INFINITY;
  const distance = lastRow(one, other, most)?.[other.length] ?? Number.POSITIVE_INFINITY;
  return distance <= most ? distance : Number.POSITIVE_INFINITY;
}

/** As above, to whatever beginning of `name` is nearest to what was typed so far. */
export function prefixDistance(typed: string, name: string, most: number): number {
  if (typed.length > name.length + most) return Number.POSITIVE_INFINITY;
  const row = lastRow(typed, name.slice(0, typed.length + most), most);
  return row ? Math.min(...row) : Number.POSITIVE_INFINITY;
}

/** The last row of the table: how far all of `one` is from each beginning of `other`; null once all are too far. */
function lastRow(one: string, other: string, most: number): number[] | null {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    let nearest = i;
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
      if (least < nearest) nearest = least;
    }
    if (nearest > most) return null;
    before = row;
    row = next;
  }
  return row;
}
