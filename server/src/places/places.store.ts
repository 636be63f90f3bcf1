import { mercator, mercatorDegrees, type Point } from '@portal/domain/geo.ts';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';

export interface StoredShop extends Point {
  id: string;
  kind: 'shop' | 'dealer';
  name: string;
  title: string;
  address: string;
  phone: string;
  city: string;
  region: string;
  /** In the format of `domain/opening-hours.ts`; empty if unknown. */
  hours: string;
}

/** A degree's length differs from that at the centre, so a slightly larger radius is searched. */
const distortion = 1.05;
const rowsAtOnce = 1_000;

/** Nearest first in Mercator distance, by the index; the caller computes exact distances. */
export async function shopsAround(
  db: Kysely<Schema>,
  point: Point,
  kilometres: number,
  most: number,
): Promise<StoredShop[]> {
  const { x, y } = mercator(point);
  const furthest = mercatorDegrees(kilometres, point.lat) * distortion;
  const { rows } = await sql<StoredShop & { away: number }>`
    select id, kind, name, title, latitude as lat, longitude as lng, address, phone, city, region, hours,
      position <-> point(${x}, ${y}) as away
    from shops
    order by position <-> point(${x}, ${y})
    limit ${most}`.execute(db);
  return rows.filter(({ away }) => away <= furthest);
}

/** Ordered by region and town, for lists. */
export function shopsOfKind(db: Kysely<Schema>, kind: StoredShop['kind']): Promise<StoredShop[]> {
  return db
    .selectFrom('shops')
    .select([
      'id',
      'kind',
      'name',
      'title',
      'latitude as lat',
      'longitude as lng',
      'address',
      'phone',
      'city',
      'region',
      'hours',
    ])
    .where('kind', '=', kind)
    .orderBy('region')
    .orderBy('city')
    .orderBy('name')
    .execute();
}

export async function removeShops(db: Kysely<Schema>, ids: readonly string[]): Promise<void> {
  await sql`delete from shops where id = any(${ids}::text[])`.execute(db);
}

/** Inserts shops, and replaces those with the same id. */
export async function storeShops(db: Kysely<Schema>, shops: readonly StoredShop[]): Promise<void> {
  await removeShops(
    db,
    shops.map(({ id }) => id),
  );
  for (let start = 0; start < shops.length; start += rowsAtOnce) {
    const rows = shops.slice(start, start + rowsAtOnce).map(({ lat, lng, ...shop }) => {
      const { x, y } = mercator({ lat, lng });
      return { ...shop, latitude: lat, longitude: lng, position: sql<string>`point(${x}, ${y})` };
    });
    await db.insertInto('shops').values(rows).execute();
  }
}
