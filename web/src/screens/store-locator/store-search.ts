import type { Bounds } from '@portal/domain/geo.ts';
import { isInside, type Point } from '@portal/domain/geo.ts';
import { findPlace, type KeptAt, type Place } from '../../features/map/find-place.ts';
import { findShops, type NearShop } from '../../features/map/find-shops.ts';
import type { Api, Failure } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';

type OwnPosition = Point & { label: null };

/**
 * The state of the page. `place` has no label where it is the visitor's own position; `at` is when it was determined.
 */
export type StoreSearch =
  | { state: 'none' }
  | { state: 'asking' }
  | ({ state: 'locating' } & Before)
  | ({
      state: 'found';
      place: Place | OwnPosition;
      shops: NearShop[];
      at: string;
      accuracyKilometres?: number;
    } & KeptAt)
  | { state: 'unknownPlace' }
  | { state: 'failed'; failure: Failure }
  | ({ state: 'denied' | 'slow' | 'outside' } & Before);

/** A denied position keeps the previous results. */
interface Before {
  before: StoresFound | null;
}

export type StoresFound = StoreSearch & { state: 'found' };

/** The shops to show. */
export function foundIn(search: StoreSearch): StoresFound | null {
  if (search.state === 'found') return search;
  return 'before' in search ? search.before : null;
}

export interface StoresLoaded {
  query: string;
  search: StoreSearch;
  /** Towns with shops, most shops first; only while nothing is searched. */
  towns: readonly string[];
}

type Operator = Pick<Page['operator'], 'opco'>;

export async function searchStores(
  api: Api,
  operator: Operator,
  text: string,
  signal?: AbortSignal,
): Promise<StoreSearch> {
  const answer = await findPlace(api, text, signal);
  if (answer.kind === 'none') return { state: 'unknownPlace' };
  if (answer.kind === 'failed') return { state: 'failed', failure: answer.failure };
  return storesAround(api, operator, answer.place, signal);
}

export async function storesAround(
  api: Api,
  operator: Operator,
  place: Place | OwnPosition,
  signal?: AbortSignal,
): Promise<StoreSearch> {
  const found = await findShops(api, operator, place, { signal, isOwnPosition: place.label === null });
  return 'shops' in found
    ? { state: 'found', place, at: new Date().toISOString(), ...found }
    : { state: 'failed', failure: found };
}

const locateWithinMs = 15_000;
/** An accuracy below which the nearest shop is still the right one. */
export const vagueFromKilometres = 3;

export type Located =
  | { kind: 'here'; point: Point; accuracyKilometres: number }
  | { kind: 'denied' }
  | { kind: 'slow' }
  | { kind: 'outside' };

/** The phone's position; null unless it has both coordinates. */
export function locate(geolocation: Geolocation | undefined, bounds: Bounds): Promise<Located> {
  return new Promise((resolve) => {
    if (!geolocation) return resolve({ kind: 'denied' });
    geolocation.getCurrentPosition(
      ({ coords }) => {
        const point = { lat: coords.latitude, lng: coords.longitude };
        if (!Number.isFinite(point.lat) || !Number.isFinite(point.lng)) return resolve({ kind: 'slow' });
        if (!isInside(point, bounds)) return resolve({ kind: 'outside' });
        resolve({ kind: 'here', point, accuracyKilometres: coords.accuracy / 1000 });
      },
      ({ code }) => resolve({ kind: code === 1 ? 'denied' : 'slow' }),
      { timeout: locateWithinMs, maximumAge: 60_000 },
    );
  });
}
