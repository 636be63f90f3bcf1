import { leavesOf, type Place, placeName, valueAt } from './package-tree.ts';

export const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Places of a package with a text in any language, or where one is missing; sentences that people read come first. */
export function placesWith(
  pages: readonly { body: unknown }[],
  wordsOf: (place: Place) => string,
  text: string,
  isMissingOnly: boolean,
): [string, Place][] {
  const places = new Map(
    pages.flatMap(({ body }) => leavesOf(body).map(({ place }) => [placeName(place), place] as const)),
  );
  const hasText = (one: unknown) => String(one).toLowerCase().includes(text);
  const found = [...places].flatMap(([name, place]) => {
    const values = pages.map(({ body }) => valueAt(body, place));
    if (isMissingOnly && !values.some(isEmpty)) return [];
    const isIn = values.some(hasText);
    if (!isIn && ![name, wordsOf(place)].some(hasText)) return [];
    // Sentences that people read come before ids, addresses and the like, and those before mere names of fields.
    const rank = isIn ? (values.some((one) => hasText(one) && /\s/.test(String(one).trim())) ? 0 : 1) : 2;
    return [{ rank, entry: [name, place] as [string, Place] }];
  });
  return found.toSorted((one, other) => one.rank - other.rank).map(({ entry }) => entry);
}
