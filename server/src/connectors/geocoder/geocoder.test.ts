import { describe, expect, test, vi } from 'vitest';
import type { HttpAnswer, HttpCall } from '../http-client.ts';
import { connectGeocoder } from './index.ts';
import type { GeocoderName } from './settings.ts';

const area = {
  bounds: { south: -26.2, west: 42.6, north: -11.5, east: 51.2 },
  country: 'MG',
  client: 'portal (https://portal.example)',
};
const street = { lat: -18.9101, lng: 47.5255 };

/** Responses as each service documents them. */
const recorded: Record<GeocoderName, { found: unknown; reverse: unknown; none: unknown; label: string }> = {
  nominatim: {
    found: [
      {
        place_id: 1,
        licence: 'Data © OpenStreetMap contributors, ODbL 1.0.',
        lat: '-18.9101',
        lon: '47.5255',
        category: 'highway',
        type: 'residential',
        importance: 0.2,
        display_name: "Avenue de l'Indépendance, Antananarivo, Analamanga, 101, Madagascar",
        boundingbox: ['-18.911', '-18.909', '47.524', '47.527'],
      },
    ],
    reverse: {
      lat: '-18.9101',
      lon: '47.5255',
      display_name: "Avenue de l'Indépendance, Antananarivo, Analamanga, 101, Madagascar",
    },
    none: [],
    label: "Avenue de l'Indépendance, Antananarivo, Analamanga, 101, Madagascar",
  },
  photon: {
    found: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [47.5255, -18.9101] },
          properties: {
            osm_key: 'highway',
            name: "Avenue de l'Indépendance",
            city: 'Antananarivo',
            postcode: '101',
            state: 'Analamanga',
            country: 'Madagascar',
            countrycode: 'MG',
            extent: [47.52, -18.909, 47.53, -18.911],
          },
        },
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [2.3, 48.8] },
          properties: { name: 'Elsewhere', countrycode: 'FR' },
        },
      ],
    },
    reverse: {
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [47.5255, -18.9101] },
          properties: {
            name: "Avenue de l'Indépendance",
            city: 'Antananarivo',
            postcode: '101',
            state: 'Analamanga',
            countrycode: 'MG',
          },
        },
      ],
    },
    none: { type: 'FeatureCollection', features: [] },
    label: "Avenue de l'Indépendance, Antananarivo 101, Analamanga",
  },
  google: {
    found: {
      status: 'OK',
      results: [
        {
          address_components: [],
          formatted_address: "Avenue de l'Indépendance, Antananarivo, Madagascar",
          geometry: { location: street, location_type: 'GEOMETRIC_CENTER' },
          types: ['route'],
        },
      ],
    },
    reverse: {
      status: 'OK',
      results: [
        {
          formatted_address: "Avenue de l'Indépendance, Antananarivo, Madagascar",
          geometry: { location: street },
        },
      ],
    },
    none: { status: 'ZERO_RESULTS', results: [] },
    label: "Avenue de l'Indépendance, Antananarivo, Madagascar",
  },
};

function connect(name: GeocoderName, answer: HttpAnswer, now?: () => number) {
  const call = vi.fn<(call: HttpCall) => Promise<HttpAnswer>>(async () => answer);
  const settings = { name, url: 'https://geo.example', key: 'secret-key' };
  return { geocoder: connectGeocoder({ call }, settings, area, now), call };
}
const ok = (json: unknown): HttpAnswer => ({ kind: 'answer', status: 200, json });

describe.each(Object.keys(recorded) as GeocoderName[])('%s', (name) => {
  const { found, reverse, none, label } = recorded[name];

  test('finds an address, limited to the country, its bounds and four seconds', async () => {
    const { geocoder, call } = connect(name, ok(found));
    expect(await geocoder.find('Analakely, Tanà', 'fr-FR')).toEqual({ kind: 'found', places: [{ ...street, label }] });
    const [asked] = call.mock.calls[0] ?? [];
    const query = new URL(asked?.url ?? '').searchParams;
    expect([...query.values()]).toContain('Analakely, Tanà');
    expect([...query.values()]).toContain('fr');
    expect(decodeURIComponent(asked?.url ?? '')).toMatch(/42\.6.*51\.2/);
    expect(asked?.withinMs).toBe(4_000);
    expect(asked?.headers?.['user-agent']).toBe(area.client);
  });

  test('names a point', async () => {
    const { geocoder, call } = connect(name, ok(reverse));
    expect(await geocoder.nearest(street, 'fr-FR')).toEqual({ kind: 'found', places: [{ ...street, label }] });
    expect(call.mock.calls[0]?.[0].url).toMatch(/-18\.9101/);
  });

  test('an empty list is a valid result; any other response is unclear', async () => {
    expect(await connect(name, ok(none)).geocoder.find('x', 'fr-FR')).toEqual({ kind: 'found', places: [] });
    const broken: HttpAnswer[] = [
      { kind: 'silence', detail: 'TimeoutError' },
      { kind: 'answer', status: 429, json: found },
      { kind: 'answer', status: 500, json: null },
      ok(null),
      ok('<html>'),
      ok({ status: 'OVER_QUERY_LIMIT', results: [] }),
      ok([{ lat: 'north', lon: '47', display_name: 'x' }]),
      ok({ features: [{ geometry: { coordinates: [1] }, properties: {} }] }),
    ];
    for (const answer of broken)
      expect(await connect(name, answer).geocoder.find('x', 'fr-FR')).toMatchObject({ kind: 'unclear' });
  });

  test('for any response, a place is a text and a point on earth', async () => {
    const values = [null, 0, -1, 1e308, 'x', '', [], {}, true, Number.NaN, '47.5', [47.5, -18.9, 3]];
    for (let seed = 1; seed < 400; seed += 1) {
      let state = seed;
      const mutated = JSON.parse(JSON.stringify(found), (_key, value) => {
        state = (state * 48_271) % 2_147_483_647;
        return state % 9 === 0 ? values[state % values.length] : value;
      });
      const outcome = await connect(name, ok(mutated)).geocoder.find('x', 'fr-FR');
      if (outcome.kind !== 'found') continue;
      for (const place of outcome.places) {
        expect(place.label).not.toBe('');
        expect(Math.abs(place.lat)).toBeLessThanOrEqual(90);
        expect(Math.abs(place.lng)).toBeLessThanOrEqual(180);
      }
    }
  });

  test('a result is cached for a day, silence is not', async () => {
    let time = 0;
    const kept = connect(name, ok(found), () => time);
    for (let turn = 0; turn < 3; turn += 1) await kept.geocoder.find('x', 'fr-FR');
    expect(kept.call).toHaveBeenCalledTimes(1);
    time += 24 * 3_600_000 + 1;
    await kept.geocoder.find('x', 'fr-FR');
    expect(kept.call).toHaveBeenCalledTimes(2);
    const silent = connect(name, { kind: 'silence', detail: 'x' });
    await silent.geocoder.find('x', 'fr-FR');
    await silent.geocoder.find('x', 'fr-FR');
    expect(silent.call).toHaveBeenCalledTimes(2);
  });
});
