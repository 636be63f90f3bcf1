import { distanceKilometres } from '@portal/domain/geo.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { type PackShop, readPlaces } from '@portal/operators/places.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { GeocodeOutcome, Geocoder } from '../connectors/ports.ts';
import { sqlClock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createLogger } from '../http/logging.ts';
import { createSheets } from '../sheets/sheets.service.ts';
import { testDatabase } from '../testing/database.ts';
import { createPlaces, createPlaceTables, mostShops, type Places } from './places.service.ts';

const pack = await loadPack('mg');
const data = readPlaces('mg');
const tana = { lat: -18.91368, lng: 47.53613 };
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

function placesWith(
  shops: PackShop[],
  geocoder: Geocoder | null = null,
  known = data,
): Places & { importShops(): Promise<number> } {
  const own = { ...known, shops };
  const sheets = createSheets({
    ...{ db: database.db, clock: { ...sqlClock, now: () => new Date() }, timeZone: pack.timeZone },
    audit: { write: async () => {} },
    live: { follow: () => {}, isHearing: () => false },
    log: createLogger('silent'),
  });
  const tables = createPlaceTables(sheets, pack, own);
  const importShops = async () => (await tables.shops.importPack())?.changed.length ?? 0;
  return { ...createPlaces({ db: database.db, pack, geocoder, tables, data: own }), importShops };
}
/** As on a new database. */
async function forget(): Promise<void> {
  await database.db.deleteFrom('sheet_rows').execute();
  await database.db.deleteFrom('sheets').execute();
}

/** Evenly distributed within the island's bounds. */
async function fillShops(count: number): Promise<void> {
  const { south, north, west, east } = pack.map.bounds;
  await database.db.deleteFrom('shops').execute();
  await sql`insert into shops
    select 'T' || number, 'shop', 'T', 'T', lat, lng,
      point(lng, degrees(ln(tan(pi() / 4 + radians(lat) / 2)))), '', '', '', ''
    from (select number, ${south} + random() * ${north - south} as lat, ${west} + random() * ${east - west} as lng
      from generate_series(1, ${count}::int) as number) as points`.execute(database.db);
  await sql`analyze shops`.execute(database.db);
}

test('the shops of the pack are imported once, and again when they change', async () => {
  expect(await placesWith(data.shops).importShops()).toBe(550);
  expect(await placesWith(data.shops).importShops()).toBe(0);
  expect(await placesWith(data.shops.slice(1)).importShops()).toBe(1);
  expect(await database.db.selectFrom('shops').select('id').execute()).toHaveLength(549);
});

test('REL-4 processes that start together import the shops once', async () => {
  await forget();
  await Promise.all([1, 2, 3].map(() => placesWith(data.shops).importShops()));
  expect(await database.db.selectFrom('shops').select('id').execute()).toHaveLength(550);
});

test('STO-1 the shops around a point are the nearest ones by true distance, nearest first, within the radius', async () => {
  const places = placesWith(data.shops);
  await places.importShops();
  for (const { lat, lng } of [
    tana,
    { lat: -25.03, lng: 46.99 },
    { lat: -12.28, lng: 49.29 },
    { lat: -20, lng: 44.5 },
  ]) {
    for (const kilometres of [5, 100, 300]) {
      const expected = data.shops
        .map(({ id, location }) => ({
          id,
          away: distanceKilometres({ lat, lng }, { lat: location.latitue, lng: location.longitude }),
        }))
        .filter(({ away }) => away <= kilometres)
        .sort((one, other) => one.away - other.away)
        .slice(0, mostShops);
      const found = await places.shops({ lat, lng }, kilometres);
      expect(found.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    }
  }
  expect(await places.shops({ lat: 48.85, lng: 2.35 }, 100)).toEqual([]);
  expect(await places.shops({ lat: 90, lng: 180 }, 9_999)).toEqual([]);
});

async function within(point: typeof tana, kilometres: number): Promise<number> {
  const all = await database.db.selectFrom('shops').select(['latitude as lat', 'longitude as lng']).execute();
  return all.filter((shop) => distanceKilometres(point, shop) <= kilometres).length;
}

test('the nearest of 100,000 shops are found by the index, from about as many pages as those of 1,000', async () => {
  /** Database pages read by the query, which do not depend on the machine's load as time does. */
  const pagesRead = async (count: number) => {
    const places = placesWith([]);
    await fillShops(count);
    await sql`vacuum analyze shops`.execute(database.db);
    expect((await places.shops(tana, 100)).length).toBe(Math.min(mostShops, await within(tana, 100)));
    const plan = await sql<{ 'QUERY PLAN': unknown }>`explain (analyze, buffers, format json) select id from shops
      order by position <-> point(47.5, -19.3) limit 80`.execute(database.db);
    const text = JSON.stringify(plan.rows);
    expect(text).toContain('shops_position');
    return (
      Number(/"Shared Hit Blocks":\s*(\d+)/.exec(text)?.[1]) + Number(/"Shared Read Blocks":\s*(\d+)/.exec(text)?.[1])
    );
  };
  const few = await pagesRead(1_000);
  expect(few).toBeGreaterThan(0);
  expect(await pagesRead(100_000)).toBeLessThan(few * 5);
});

test('shops and dealers are listed apart, by region', async () => {
  const places = placesWith(data.shops);
  await forget();
  await places.importShops();
  const shops = await places.shopList('shop');
  expect(shops).toHaveLength(150);
  expect(await places.shopList('dealer')).toHaveLength(400);
  expect(new Set(shops.map(({ region }) => region)).size).toBe(24);
});

const answering = (outcome: GeocodeOutcome): Geocoder => ({ find: async () => outcome, nearest: async () => outcome });

test('an address is found by the service that is set, within the country, and by what we know when it fails', async () => {
  const street = { lat: -18.9, lng: 47.52, label: 'Rue Rainandriamampandry, Antananarivo' };
  const abroad = { lat: 48.85, lng: 2.35, label: 'Paris, France' };
  const find = (outcome: GeocodeOutcome, address: string) =>
    placesWith([], answering(outcome)).geocode(address, 'fr-FR');
  expect(await find({ kind: 'found', places: [abroad, street] }, 'Rue X, Antananarivo')).toEqual(street);
  for (const outcome of [
    { kind: 'found' as const, places: [abroad] },
    { kind: 'found' as const, places: [] },
    { kind: 'unclear' as const, detail: 'TimeoutError' },
  ]) {
    expect(await find(outcome, 'Rue X, Tamatave')).toMatchObject({ label: 'Toamasina (Tamatave), Atsinanana 501' });
    expect(await find(outcome, 'Paris, France')).toBeNull();
  }
});

test('a point is named by the nearest known place; swapped it is turned round, and outside it is nowhere', async () => {
  const places = placesWith([]);
  const named = await places.geocode('-18.149, 49.402', 'fr-FR');
  expect(named).toEqual({ lat: -18.149, lng: 49.402, label: 'Toamasina, Atsinanana 501' });
  expect(await places.geocode('49.402, -18.149', 'fr-FR')).toEqual(named);
  expect(await places.geocode('48.85, 2.35', 'fr-FR')).toBeNull();
  expect(await places.geocode('-189.9, 475.2', 'fr-FR')).toBeNull();
});

test('STO-1 an operator without a gazetteer is searched by the towns of its shops', async () => {
  await forget();
  const places = placesWith(data.shops, null, { ...data, places: [], regions: [], districts: [] });
  await places.importShops();
  const shops = data.shops.filter(({ city }) => city === 'Antsirabe');
  const found = await places.geocode('antsirabe', 'en-GB');
  expect(found?.label).toContain('Antsirabe');
  for (const { location } of shops)
    expect(
      Math.abs((found?.lat ?? 0) - location.latitue) + Math.abs((found?.lng ?? 0) - location.longitude),
    ).toBeLessThan(1);
  expect((await places.suggest('Antsi')).map(({ label }) => label).join()).toContain('Antsirabe');
  expect(await places.geocode('Nairobi', 'en-GB')).toBeNull();
  await forget();
});
