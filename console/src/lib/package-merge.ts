import { identityOf } from '@portal/domain/content/package-rows.ts';
import { isPlainObject, stepTo, type Trail, trailName, valueAt } from './package-tree.ts';

/** The conflicting values of two people at one path; undefined where one of them removed it. */
export interface Conflict {
  trail: Trail;
  /** Its key among the choices; stays the same whatever is chosen. */
  key: string;
  before: unknown;
  theirs: unknown;
  mine: unknown;
}

export type Side = 'theirs' | 'mine';
export type Choices = Readonly<Record<string, Side>>;

interface Versions {
  before: unknown;
  theirs: unknown;
  mine: unknown;
}

const isSame = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isPlainObject(one) || !isPlainObject(other)) return one === other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSame(one[key], other[key]));
};

/**
 * Three-way merge of a package: a change made by only one person is taken, and of conflicting changes the chosen one,
 * mine by default.
 */
export function mergedPackages<T>(
  versions: { before: T; theirs: T; mine: T },
  choices: Choices = {},
): { body: T; conflicts: Conflict[] } {
  const conflicts: Conflict[] = [];

  function merged({ before, theirs, mine }: Versions, trail: Trail): unknown {
    if (isSame(theirs, mine) || isSame(before, theirs)) return mine;
    if (isSame(before, mine)) return theirs;
    if ([before, theirs, mine].every(isPlainObject)) {
      const keys = new Set([mine, theirs, before].flatMap((one) => Object.keys(one as object)));
      const entries = [...keys].map((key): [string, unknown] => {
        const of = (one: unknown) => valueAt(one, [key]);
        const versions = { before: of(before), theirs: of(theirs), mine: of(mine) };
        return [key, merged(versions, [...trail, stepTo(key, [versions.before, versions.mine, versions.theirs])])];
      });
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    }
    if (Array.isArray(before) && Array.isArray(theirs) && Array.isArray(mine)) {
      const list = mergedLists(before, theirs, mine, trail);
      if (list) return list;
    }
    const key = trailName(trail);
    conflicts.push({ trail, key, before, theirs, mine });
    return choices[key] === 'theirs' ? theirs : mine;
  }

  /** Null where both reordered the same items: one of the two orders has to be chosen. */
  function mergedLists(before: unknown[], theirs: unknown[], mine: unknown[], trail: Trail): unknown[] | null {
    const [origins, own] = [originsOf(before, theirs), originsOf(before, mine)];
    if (isMoved(origins) && isMoved(own)) return null;
    // Whoever reordered the list decides its order; an item that only the other person has keeps its predecessor.
    const [first, second] = isMoved(origins) ? [origins, own] : [own, origins];
    const [side, other]: Side[] = isMoved(origins) ? ['theirs', 'mine'] : ['mine', 'theirs'];
    interface Slot {
      origin: number | null;
      at: Partial<Record<Side, number>>;
    }
    const slots: Slot[] = first.map((origin, index) => ({ origin, at: { [side as Side]: index } }));
    let last = -1;
    for (const [index, origin] of second.entries()) {
      const known = origin === null ? -1 : slots.findIndex((slot) => slot.origin === origin);
      if (known >= 0) Object.assign(slots[known]?.at ?? {}, { [other as Side]: index });
      else slots.splice(last + 1, 0, { origin, at: { [other as Side]: index } });
      last = known >= 0 ? known : last + 1;
    }
    return slots
      .map(({ origin, at }, index) => {
        const item = (list: unknown[], position: number | undefined | null) =>
          position === undefined || position === null ? undefined : list[position];
        const versions = {
          before: item(before, origin),
          theirs: item(theirs, at.theirs),
          mine: item(mine, at.mine),
        };
        return merged(versions, [...trail, { index, item: versions.before ?? versions.mine ?? versions.theirs }]);
      })
      .filter((value) => value !== undefined);
  }

  return { body: merged(versions, []) as T, conflicts };
}

/** The index of each item in the base list; null for a new one. */
function originsOf(before: readonly unknown[], after: readonly unknown[]): (number | null)[] {
  const free = new Set(before.keys());
  const take = (matches: (one: unknown) => boolean): number | null => {
    const found = [...free].find((index) => matches(before[index]));
    if (found !== undefined) free.delete(found);
    return found ?? null;
  };
  const exact = after.map((one) => take((other) => isSame(one, other)));
  const named = after.map((one, index) =>
    exact[index] === null && identityOf(one) !== null
      ? take((other) => identityOf(other) === identityOf(one))
      : exact[index],
  );
  // The remaining items were rewritten in place.
  const origins: (number | null)[] = [];
  for (const origin of named) {
    const place = (origins.findLast((one) => one !== null) ?? -1) + 1;
    origins.push(origin ?? (free.delete(place) ? place : null));
  }
  return origins;
}

function isMoved(origins: readonly (number | null)[]): boolean {
  const known = origins.filter((origin) => origin !== null);
  return known.some((origin, index) => origin < (known[index - 1] ?? 0));
}
