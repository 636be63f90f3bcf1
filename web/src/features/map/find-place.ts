import type { Point } from '@portal/domain/geo.ts';
import type { Api, Failure } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';

export interface Place extends Point {
  label: string;
}

/** Set where there was no network, and the answer is one that was kept then. */
export interface KeptAt {
  keptAt?: string | undefined;
}

/** `none`: there is no such place in this country. `failed`: nobody could be asked. */
export type PlaceAnswer =
  | ({ kind: 'place'; place: Place } & KeptAt)
  | { kind: 'none' }
  | { kind: 'failed'; failure: Failure };

/** Asked for only where it is said: the browser's tables of names cost a slow phone a tenth of a second. */
export const countryName = ({ operator, language }: Page): string =>
  new Intl.DisplayNames([language.formats], { type: 'region' }).of(operator.country.iso) ?? '';

const longestSuggested = 100;
const longestAddress = 300;

/** As suggested; an empty suggestion falls back to geocoding, which also understands whole addresses and coordinates. */
export async function findPlace(api: Api, text: string, signal?: AbortSignal): Promise<PlaceAnswer> {
  const options = signal ? { signal } : {};
  const wanted = text.trim().slice(0, longestAddress);
  if (wanted === '') return { kind: 'none' };
  if (wanted.length <= longestSuggested) {
    const suggested = await api('suggestPlaces', { query: { q: wanted }, ...options });
    const [first] = suggested.ok ? suggested.result.suggestions : [];
    if (suggested.ok && first)
      return { kind: 'place', place: { label: first.label, ...first.location }, keptAt: suggested.keptAt };
  }
  const located = await api('geocode', { query: { address: wanted }, ...options });
  if (!located.ok) return { kind: 'failed', failure: located };
  const [found] = located.result.results;
  if (!found) return { kind: 'none' };
  return { kind: 'place', place: { label: found.formatted_address, ...found.geometry.location } };
}

const places = 6;

/** What a point is called; null when nobody can say. */
export async function nameOfPoint(api: Api, { lat, lng }: Point, signal?: AbortSignal): Promise<string | null> {
  const address = `${lat.toFixed(places)},${lng.toFixed(places)}`;
  const located = await api('geocode', { query: { address }, ...(signal ? { signal } : {}) });
  return located.ok ? (located.result.results[0]?.formatted_address ?? null) : null;
}
