import { brotliDecompressSync } from 'node:zlib';
import { callPath } from '@portal/contract/calls.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../testing/portal.ts';

const nobody = { http: 'http://127.0.0.1:9', smpp: 'smpp://127.0.0.1:9', smtp: 'smtp://127.0.0.1:9' };
const tiles = { url: 'https://{s}.tiles.example/{z}/{x}/{y}.png', attribution: '© Tiles' };
let running: TestPortal;

beforeAll(async () => {
  running = await testPortal(nobody, { rateLimitScale: 1_000, mapTiles: tiles });
});
afterAll(() => running.stop());

const get = (
  name: Parameters<typeof callPath>[0],
  query: Record<string, string>,
  headers: Record<string, string> = {},
) => running.portal.http.inject({ method: 'GET', url: callPath(name, { slug: 'fanilo' }), query, headers });

describe('API-1 places', () => {
  test('geocode answers in the shape of Google’s', async () => {
    const answer = await get('geocode', { address: 'Rue X, Tamatave' });
    expect(answer.json().result).toEqual({
      status: 'OK',
      results: [
        {
          formatted_address: 'Toamasina (Tamatave), Atsinanana 501',
          geometry: { location: { lat: -18.1492, lng: 49.40234 } },
        },
      ],
    });
    expect((await get('geocode', { address: 'Paris' })).json().result).toEqual({ status: 'ZERO_RESULTS', results: [] });
  });

  test('suggestions are at most eight, and none for nonsense', async () => {
    const answer = await get('suggestPlaces', { q: 'amb' });
    expect(answer.json().result.suggestions).toHaveLength(8);
    expect(answer.json().result.suggestions[0]).toEqual({
      label: expect.stringMatching(/^Amb/),
      location: { lat: expect.any(Number), lng: expect.any(Number) },
    });
    expect((await get('suggestPlaces', { q: '???' })).json().result.suggestions).toEqual([]);
  });

  test('STO-1 shops by coordinates, as the content service spells them', async () => {
    const point = { opco: 'MG', latitude: '-19.86586', longitude: '47.03333' };
    const shops = (await get('shops', { ...point, distanceInKilometers: '5' })).json();
    expect(shops[0]).toEqual({
      shop: expect.stringMatching(/^Boutique Antsirabe \d+ - Antsirabe$/),
      title: expect.stringMatching(/^Boutique Antsirabe/),
      location: { latitue: expect.any(Number), longitude: expect.any(Number) },
      phyLocation: expect.stringContaining('Antsirabe 110'),
      phNumber: expect.stringMatching(/^\+261 30 00/),
      kind: 'shop',
      city: 'Antsirabe',
      region: 'Vakinankaratra',
      hours: expect.stringMatching(/^Mo-/),
    });
    expect(shops.length).toBeLessThan((await get('shops', point)).json().length);
  });

  test.each([
    [{ opco: 'MG', latitude: '-91', longitude: '47' }, 422],
    [{ opco: 'MG', latitude: '47.5', longitude: '-188.9' }, 422],
    [{ opco: 'MG', latitude: 'north', longitude: '47' }, 422],
    [{ opco: 'MG', latitude: '-19', longitude: '47', distanceInKilometers: '-1' }, 422],
    [{ opco: 'XX', latitude: '-19', longitude: '47' }, 404],
    [{ opco: 'MG', latitude: '47.03', longitude: '-19.86' }, 200],
  ])('shops at %j answer %i', async (query, status) => {
    const answer = await get('shops', query);
    expect(answer.statusCode).toBe(status);
    if (status === 200) expect(answer.json()).toEqual([]);
  });

  test('the towns of the lead flow, and where home broadband can be installed', async () => {
    const { data } = (await get('cities', {})).json().result;
    expect(data).toHaveLength(105);
    expect(data.filter((town: { hbbLeadFeasibility: boolean }) => town.hbbLeadFeasibility)).toHaveLength(24);
    expect(data[0]).toEqual({ cityName: 'Ambalavao', hbbLeadFeasibility: false });
  });
});

test('COV-3 CMS-1 the sites are a page of the content service, in whatever language, and travel compressed', async () => {
  for (const prefix of ['', '/sw', '/mg']) {
    const query = { opco: 'MG', pageUrl: `${prefix}/fetch-sites-data-5g` };
    const answer = await get('activePackage', query, { 'accept-encoding': 'gzip, br' });
    expect(answer.headers['content-encoding']).toBe('br');
    const { packageHtml } = JSON.parse(brotliDecompressSync(answer.rawPayload).toString());
    expect(JSON.parse(packageHtml)).toHaveLength(1_500);
    expect(answer.rawPayload.length).toBeLessThan(packageHtml.length / 4);
  }
  const plain = await get('activePackage', { opco: 'MG', pageUrl: '/fetch-sites-data-5g' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(plain.json().packageHtml)[0]).toMatchObject({ latitude: expect.any(Number), _5Gservice: false });
});

test('MAP-1 pictures of a configured tile server are allowed, and of nobody else', async () => {
  const { headers } = await running.portal.http.inject('/healthz');
  expect(headers['content-security-policy']).toContain("img-src 'self' data: https://*.tiles.example;");
});
