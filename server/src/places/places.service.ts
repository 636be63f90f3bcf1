import { createGazetteer, type FoundPlace, type Gazetteer, type GazetteerPlace } from '@portal/domain/gazetteer.ts';
import { distanceKilometres, insideOrSwapped, isInside, type Point, readCoordinates } from '@portal/domain/geo.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { PackPlaces, PackTown } from '@portal/operators/places.ts';
import type { Kysely } from 'kysely';
import type { Geocoder } from '../connectors/ports.ts';
import type { Schema } from '../db/schema.ts';
import type { PlaceTables } from './places.sheets.ts';
import { type StoredShop, shopsAround, shopsOfKind } from './places.store.ts';

export { createPlaceTables, type PlaceTables } from './places.sheets.ts';

export interface Place extends Point {
  label: string;
}

export interface Places {
  /** While typing: only from our own gazetteer, without a request to the geocoder. */
  suggest(query: string): Promise<Place[]>;
  /** Finds an address or coordinates; null if they are not in this country. */
  geocode(address: string, locale: string): Promise<Place | null>;
  shops(point: Point, kilometres: number): Promise<StoredShop[]>;
  shopList(kind: StoredShop['kind']): Promise<StoredShop[]>;
  towns(): Promise<readonly PackTown[]>;
}

export interface PlacesOptions {
  db: Kysely<Schema>;
  pack: OperatorPack;
  /** Null if the operator uses only our gazetteer. */
  geocoder: Geocoder | null;
  tables: Pick<PlaceTables, 'towns' | 'shops'>;
  /** The pack's geographic data. */
  data: PackPlaces;
}

export const mostShops = 50;
/** The order on the map can differ from the true one for similar distances, so a few more are fetched. */
const candidates = mostShops + 30;
const keepTownsMs = 10_000;

export function createPlaces({ db, pack, geocoder, tables, data }: PlacesOptions): Places {
  const { bounds, countryNames } = pack.map;
  const brought = createGazetteer({ ...data, bounds, countryNames });
  let ofShops: { gazetteer: Gazetteer; until: number } | null = null;
  const placeOf = ({ label, lat, lng }: FoundPlace): Place => ({ label, lat, lng });

  /** Without a gazetteer of its own, an operator has at least the towns of its shops. */
  async function known(): Promise<Gazetteer> {
    if (data.places.length > 0) return brought;
    if (!ofShops || ofShops.until < performance.now()) {
      const places = townsOf(await tables.shops.current());
      const gazetteer = createGazetteer({ ...data, places, bounds, countryNames });
      ofShops = { gazetteer, until: performance.now() + keepTownsMs };
    }
    return ofShops.gazetteer;
  }

  async function nameOf(point: Point, locale: string): Promise<Place> {
    const answer = await geocoder?.nearest(point, locale);
    const label = answer?.kind === 'found' ? answer.places[0]?.label : undefined;
    return { ...point, label: label ?? (await known()).nearest(point)?.place.label ?? `${point.lat}, ${point.lng}` };
  }

  return {
    suggest: async (query) => (await known()).suggest(query).map(placeOf),

    async geocode(address, locale) {
      const typed = readCoordinates(address);
      if (typed) {
        const point = insideOrSwapped(typed, bounds);
        return point && nameOf(point, locale);
      }
      // An external geocoder may know more streets; if it fails or finds nothing in the country, ours is used.
      const answer = await geocoder?.find(address, locale);
      const theirs = answer?.kind === 'found' ? answer.places.find((place) => isInside(place, bounds)) : undefined;
      if (theirs) return theirs;
      const ours = (await known()).locate(address);
      return ours && placeOf(ours);
    },

    async shops(point, kilometres) {
      const near = await shopsAround(db, point, kilometres, candidates);
      return near
        .map((shop) => ({ shop, away: distanceKilometres(point, shop) }))
        .filter(({ away }) => away <= kilometres)
        .sort((one, other) => one.away - other.away)
        .slice(0, mostShops)
        .map(({ shop }) => shop);
    },

    shopList: (kind) => shopsOfKind(db, kind),
    towns: tables.towns.current,
  };
}

/** Each town at the centre of its shops. */
function townsOf(shops: readonly StoredShop[]): GazetteerPlace[] {
  const towns = Map.groupBy(shops, ({ city, region }) => `${city}\n${region}`);
  const middle = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [...towns.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const [lat, lng] = [middle(own.map((shop) => shop.lat)), middle(own.map((shop) => shop.lng))];
    return { name: first.city, region: first.region, kind: 'town' as const, lat, lng };
  });
}
