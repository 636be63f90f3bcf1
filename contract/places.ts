import { z } from 'zod';
import { defineCall } from './define-call.ts';
import { languageHeaders, text } from './fields.ts';

const point = z.object({ lat: z.number(), lng: z.number() });

const degrees = (limit: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,12})?$/)
    .refine((value) => Math.abs(Number(value)) <= limit, `at most ${limit} degrees`)
    .transform(Number);

const kilometres = z
  .string()
  .regex(/^\d{1,4}(\.\d{1,3})?$/)
  .transform(Number);

const shopKind = z.enum(['shop', 'dealer']);

const shop = z.object({
  shop: z.string(),
  title: z.string(),
  location: z.object({ latitue: z.number(), longitude: z.number() }),
  phyLocation: z.string(),
  phNumber: z.string(),
  kind: shopKind,
  city: z.string(),
  region: z.string(),
  hours: z.string().optional().describe('When it is open, as `Mo-Fr 08:00-12:00,14:00-18:00; Sa 08:00-12:00`.'),
});

export const placeCalls = {
  geocode: defineCall({
    summary: 'Where an address is',
    tags: ['places'],
    query: z.object({ address: text(300).min(1) }),
    result: z.object({
      status: z.enum(['OK', 'ZERO_RESULTS']),
      results: z.array(z.object({ formatted_address: z.string(), geometry: z.object({ location: point }) })),
    }),
    errors: ['upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'none' },
  }),
  suggestPlaces: defineCall({
    summary: 'Places whose name begins as typed',
    tags: ['places'],
    query: z.object({ q: text(100).min(1) }),
    result: z.object({ suggestions: z.array(z.object({ label: z.string(), location: point })) }),
    mayBeKept: true,
    errors: ['upstreamFailed', 'upstreamTimeout'],
    access: { limit: 'lookup', proof: 'none' },
  }),
  shops: defineCall({
    summary: 'The shops and dealers around a point, nearest first',
    tags: ['places', 'content'],
    query: z.object({
      opco: text(8),
      latitude: degrees(90),
      longitude: degrees(180),
      distanceInKilometers: kilometres.optional(),
    }),
    headers: languageHeaders,
    result: z.array(shop),
    errors: ['notFound'],
    access: { limit: 'read', proof: 'none' },
  }),
  shopList: defineCall({
    summary: 'All shops or all dealers, by region and town',
    tags: ['places', 'content'],
    query: z.object({ opco: text(8), kind: shopKind }),
    headers: languageHeaders,
    result: z.array(shop),
    errors: ['notFound'],
    access: { limit: 'read', proof: 'none' },
  }),
};
