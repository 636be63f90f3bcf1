import { z } from 'zod';
import type { GeocoderSettings } from './settings.ts';
import type { Area, GeocoderWire } from './wire.ts';

const feature = z.object({
  geometry: z.object({
    coordinates: z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)]),
  }),
  properties: z.object({
    name: z.string().optional(),
    housenumber: z.string().optional(),
    street: z.string().optional(),
    district: z.string().optional(),
    city: z.string().optional(),
    state: z.string().optional(),
    postcode: z.string().optional(),
    countrycode: z.string().optional(),
  }),
});
const answer = z.object({ features: z.array(feature) });

/** Languages that the public service supports; it refuses any other with 400, so that is left out. */
const supported = ['en', 'fr', 'de'];

export function photon({ url }: GeocoderSettings, { bounds, country }: Area): GeocoderWire {
  const { south, west, north, east } = bounds;
  const inLanguage = (language: string): Record<string, string> =>
    supported.includes(language) ? { lang: language } : {};
  return {
    find: (address, language) =>
      `${url}/api?${new URLSearchParams({
        q: address,
        bbox: [west, south, east, north].join(','),
        limit: '5',
        ...inLanguage(language),
      })}`,
    nearest: ({ lat, lng }, language) =>
      `${url}/reverse?${new URLSearchParams({ lat: String(lat), lon: String(lng), limit: '1', ...inLanguage(language) })}`,
    read(status, json) {
      const parsed = status === 200 ? answer.safeParse(json) : null;
      if (!parsed?.success) return null;
      return parsed.data.features
        .filter(({ properties }) => (properties.countrycode ?? country).toUpperCase() === country)
        .map(({ geometry, properties }) => {
          const [lng, lat] = geometry.coordinates;
          return { lat, lng, label: labelOf(properties) };
        })
        .filter(({ label }) => label !== '');
    },
  };
}

function labelOf({
  name,
  housenumber,
  street,
  district,
  city,
  state,
  postcode,
}: z.infer<typeof feature>['properties']) {
  const road = [housenumber, street].filter(Boolean).join(' ');
  const town = [city, postcode].filter(Boolean).join(' ');
  return [...new Set([name, road, district, town, state])].filter(Boolean).join(', ');
}
