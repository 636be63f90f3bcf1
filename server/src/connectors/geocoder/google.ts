import { z } from 'zod';
import type { GeocoderSettings } from './settings.ts';
import type { Area, GeocoderWire } from './wire.ts';

const answer = z.object({
  /** Any other status, such as OVER_QUERY_LIMIT, says nothing about the place. */
  status: z.enum(['OK', 'ZERO_RESULTS']),
  results: z.array(
    z.object({
      formatted_address: z.string().min(1),
      geometry: z.object({
        location: z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180) }),
      }),
    }),
  ),
});

export function google({ url, key }: GeocoderSettings, { bounds, country }: Area): GeocoderWire {
  const { south, west, north, east } = bounds;
  return {
    find: (address, language) =>
      `${url}/json?${new URLSearchParams({
        address,
        bounds: `${south},${west}|${north},${east}`,
        components: `country:${country}`,
        language,
        key,
      })}`,
    nearest: ({ lat, lng }, language) =>
      `${url}/json?${new URLSearchParams({ latlng: `${lat},${lng}`, language, key })}`,
    read(status, json) {
      const parsed = status === 200 ? answer.safeParse(json) : null;
      if (!parsed?.success) return null;
      return parsed.data.results.map(({ formatted_address, geometry: { location } }) => ({
        lat: location.lat,
        lng: location.lng,
        label: formatted_address,
      }));
    },
  };
}
