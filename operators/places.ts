import { existsSync, readFileSync } from 'node:fs';
import type { CoverageSite } from '@portal/domain/coverage.ts';
import type { GazetteerDistrict, GazetteerPlace, GazetteerRegion } from '@portal/domain/gazetteer.ts';
import { packFolder } from './pack-folder.ts';

export interface PackShop {
  id: string;
  kind: 'shop' | 'dealer';
  shop: string;
  title: string;
  location: { latitue: number; longitude: number };
  phyLocation: string;
  phNumber: string;
  city: string;
  region: string;
  postalCode?: string;
  /** As `Mo-Fr 08:00-17:00; Sa 08:00-12:00`. */
  hours?: string;
}

export interface PackTown {
  cityName: string;
  hbbLeadFeasibility: boolean;
  lat?: number;
  lng?: number;
  region?: string;
  postalCode?: string;
}

export interface PackPlaces {
  places: GazetteerPlace[];
  regions: GazetteerRegion[];
  districts: GazetteerDistrict[];
  towns: PackTown[];
  shops: PackShop[];
  sites: CoverageSite[];
}

/** The pack's geographic data; every file is optional. */
export function readPlaces(pack: string): PackPlaces {
  const folder = new URL('places/', packFolder(pack));
  const read = <T>(name: string, none: T): T => {
    const file = new URL(name, folder);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : none;
  };
  const admin = read<Pick<PackPlaces, 'regions' | 'districts'>>('admin.json', { regions: [], districts: [] });
  return {
    ...admin,
    places: read('places.json', []),
    towns: read('towns.json', []),
    shops: read('shops.json', []),
    sites: read('sites.json', []),
  };
}

interface Land {
  features: { geometry: { type: string; coordinates: [lng: number, lat: number][][] } }[];
}

/** In degrees, some 300 m: the data are no more exact than that. */
const apart = 0.003;

/** The coastline, as fine as a map of a town needs it: rings of longitude and latitude. */
export function readOutline(pack: string): [lng: number, lat: number][][] {
  const file = new URL('places/shapes/coastline.geojson', packFolder(pack));
  if (!existsSync(file)) return [];
  const { features } = JSON.parse(readFileSync(file, 'utf8')) as Land;
  return features
    .filter(({ geometry }) => geometry.type === 'Polygon')
    .map(({ geometry }) => {
      const kept: [number, number][] = [];
      for (const [lng, lat] of geometry.coordinates[0] ?? []) {
        const last = kept.at(-1);
        if (!last || Math.hypot(lng - last[0], lat - last[1]) >= apart) kept.push([rounded(lng), rounded(lat)]);
      }
      return kept;
    })
    .filter((ring) => ring.length > 2);
}

const rounded = (degrees: number) => Math.round(degrees * 10_000) / 10_000;
