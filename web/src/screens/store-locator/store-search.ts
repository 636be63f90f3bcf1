import type { Bounds } from '@portal/domain/geo.ts';
import { isInside, type Point } from '@portal/domain/geo.ts';
import { findPlace, type KeptAt, type Place } from '../../features/map/find-place.ts';
import { findShops, type NearShop } from '../../features/map/find-shops.ts';
import type { Api, Failure } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';

type OwnPosition = Point & { label: null };

/** What the page shows, one thing at a time. `place` has no label where it is the visitor's own position. */
export type StoreSearch =
  | { state: 'none' }
  | { state: 'asking' }
  | ({ state: 'locating' } & Before)
  | ({ state: 'found'; place: Place | OwnPosition; shops: NearShop[]; accuracyKilometres?: number } & KeptAt)
  | { state: 'unknownPlace' }
  | { state: 'failed'; failure: Failure }
  | ({ state: 'denied' | 'slow' | 'outside' } & Before);

/** A position that is not given takes nothing away: what was found before stays. */
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
  return 'shops' in found ? { state: 'found', place, ...found } : { state: 'failed', failure: found };
}

const locateWithinMs = 15_000;
/** Below this nobody goes to the wrong shop for it. */
export const vagueFromKilometres = 3;

export type Located =
  | { kind: 'here'; point: Point; accuracyKilometres: number }
  | { kind: 'denied' }
  | { kind: 'slow' }
  | { kind: 'outside' };

/** Where the phone says it is; a position without both its numbers is none. */
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
