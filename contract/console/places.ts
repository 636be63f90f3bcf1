import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';

const degrees = z.string().regex(/^-?\d{1,3}(\.\d{1,12})?$/);

/** A named point to find one's way by; `lat` and `lng` in decimal degrees. */
const named = { name: z.string(), lat: z.number(), lng: z.number() };

export const placeConsoleCalls = {
  countryOutline: defineConsoleCall({
    summary:
      'The coast and the named places of the country, for the map of a form; nothing where the operator has none',
    permission: 'sheets.read',
    result: z.object({
      /** Whose data it shows, by their licences on each map. */
      attribution: z.string(),
      bounds: z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() }),
      /** Rings of longitude and latitude. */
      outline: z.array(z.array(z.tuple([z.number(), z.number()]))),
      /** The largest first. */
      places: z.array(
        z.object({
          ...named,
          otherNames: z.array(z.string()),
          region: z.string(),
          kind: z.enum(['city', 'town', 'suburb', 'locality']),
        }),
      ),
    }),
  }),
  landmarks: defineConsoleCall({
    summary: 'The shops and sites in a part of the map, those nearest to its middle first',
    permission: 'sheets.read',
    query: z.object({ south: degrees, west: degrees, north: degrees, east: degrees }),
    result: z.array(z.object({ ...named, sheet: z.enum(['shops', 'sites']), key: z.string() })),
  }),
};
