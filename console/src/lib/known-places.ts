import { distanceKilometres, type Point } from '@portal/domain/geo.ts';
import { foldName } from '@portal/domain/place-name-match.ts';

export interface KnownPlace extends Point {
  name: string;
  otherNames: readonly string[];
  region: string;
}

/** The places with this name; only those in the region, if there are any. */
export function placesNamed<T extends KnownPlace>(places: readonly T[], name: string, region = ''): T[] {
  const wanted = foldName(name);
  if (wanted === '') return [];
  const named = places.filter((place) => [place.name, ...place.otherNames].some((one) => foldName(one) === wanted));
  const inRegion = named.filter((place) => foldName(place.region) === foldName(region));
  return inRegion.length > 0 ? inRegion : named;
}

export function nearestTo<T extends Point>(
  point: Point,
  places: readonly T[],
): { place: T; kilometres: number } | null {
  let found: { place: T; kilometres: number } | null = null;
  for (const place of places) {
    const kilometres = distanceKilometres(point, place);
    if (!found || kilometres < found.kilometres) found = { place, kilometres };
  }
  return found;
}

type Ring = readonly (readonly [lng: number, lat: number])[];

/** In degrees, about a kilometre: the outline of the coast is not more exact. */
const coastWidth = 0.009;

/** Whether neither the point nor what is around it is on land. */
export function isInWater({ lat, lng }: Point, land: readonly Ring[]): boolean {
  if (land.length === 0) return false;
  const around = [
    [0, 0],
    [coastWidth, 0],
    [-coastWidth, 0],
    [0, coastWidth],
    [0, -coastWidth],
  ] as const;
  return !around.some(([north, east]) => land.some((ring) => isInRing({ lat: lat + north, lng: lng + east }, ring)));
}

/** A point is inside if a line from it to the east crosses the ring an odd number of times. */
function isInRing({ lat, lng }: Point, ring: Ring): boolean {
  let isIn = false;
  let before = ring.at(-1);
  for (const corner of ring) {
    if (before && corner[1] > lat !== before[1] > lat) {
      const crossing = corner[0] + ((lat - corner[1]) / (before[1] - corner[1])) * (before[0] - corner[0]);
      if (lng < crossing) isIn = !isIn;
    }
    before = corner;
  }
  return isIn;
}
