import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';

export const placeConsoleCalls = {
  countryOutline: defineConsoleCall({
    summary: 'The coast of the country, coarsely, for a small map; nothing where the operator has brought none',
    permission: 'sheets.read',
    result: z.object({
      bounds: z.object({ south: z.number(), west: z.number(), north: z.number(), east: z.number() }),
      /** Rings of longitude and latitude. */
      outline: z.array(z.array(z.tuple([z.number(), z.number()]))),
    }),
  }),
};
