import { z } from 'zod';
import type { GeocoderSettings } from './settings.ts';
import type { Area, GeocoderWire } from './wire.ts';

/** Coordinates come as text. */
const place = z.object({
  lat: z.coerce.number().min(-90).max(90),
  lon: z.coerce.number().min(-180).max(180),
  display_name: z.string().min(1),
});
const nothing = z.object({ error: z.string() });

export function nominatim({ url }: GeocoderSettings, { bounds, country }: Area): GeocoderWire {
  const { south, west, north, east } = bounds;
  const common = { format: 'jsonv2', addressdetails: '0' };
  return {
    find: (address, language) =>
      `${url}/search?${new URLSearchParams({
        ...common,
        q: address,
        countrycodes: country.toLowerCase(),
        viewbox: [west, north, east, south].join(','),
        bounded: '1',
        limit: '5',
        'accept-language': language,
      })}`,
    nearest: ({ lat, lng }, language) =>
      `${url}/reverse?${new URLSearchParams({
        ...common,
        lat: String(lat),
        lon: String(lng),
        zoom: '16',
        'accept-language': language,
      })}`,
    read(status, json) {
      if (status !== 200) return null;
      // For a point at sea it returns an error message, not an empty list.
      if (nothing.safeParse(json).success) return [];
      const parsed = z.union([z.array(place), place.transform((one) => [one])]).safeParse(json);
      if (!parsed.success) return null;
      return parsed.data.map(({ lat, lon, display_name }) => ({ lat, lng: lon, label: display_name }));
    },
  };
}
