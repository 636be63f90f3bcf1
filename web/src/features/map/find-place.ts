import type { Point } from '@portal/domain/geo.ts';
import type { Api, Failure } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';

export interface Place extends Point {
  label: string;
}

/** Set when the response comes from the offline cache. */
export interface KeptAt {
  keptAt?: string | undefined;
}

/** `none`: no such place in this country. `failed`: no response. */
export type PlaceAnswer =
  | ({ kind: 'place'; place: Place } & KeptAt)
  | { kind: 'none' }
  | { kind: 'failed'; failure: Failure };

/** Created only where it is used: the browser's name tables cost a slow phone a tenth of a second. */
export const countryName = ({ operator, language }: Page): string =>
  new Intl.DisplayNames([language.formats], { type: 'region' }).of(operator.country.iso) ?? '';

const longestSuggested = 100;
const longestAddress = 300;

/**
 * Uses the suggestions; if there are none, falls back to geocoding, which also understands whole addresses and
 * coordinates.
 */
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

/** The name of a point; null when it has none or the request failed. */
export async function nameOfPoint(api: Api, { lat, lng }: Point, signal?: AbortSignal): Promise<string | null> {
  const address = `${lat.toFixed(places)},${lng.toFixed(places)}`;
  const located = await api('geocode', { query: { address }, ...(signal ? { signal } : {}) });
  return located.ok ? (located.result.results[0]?.formatted_address ?? null) : null;
}
