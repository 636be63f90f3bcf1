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
  features: { properties: { areaKm2?: number }; geometry: { type: string; coordinates: number[][][] } }[];
}

const smallestKm2 = 50;
/** In degrees: closer points coincide on a map the width of a hand. */
const apart = 0.04;

/** The coastline, as coarse as a small map needs it: rings of longitude and latitude. */
export function readOutline(pack: string): [lng: number, lat: number][][] {
  const file = new URL('places/shapes/coastline.geojson', packFolder(pack));
  if (!existsSync(file)) return [];
  const { features } = JSON.parse(readFileSync(file, 'utf8')) as Land;
  return features
    .filter(({ properties, geometry }) => geometry.type === 'Polygon' && (properties.areaKm2 ?? 0) >= smallestKm2)
    .map(({ geometry }) => {
      const kept: [number, number][] = [];
      for (const [lng = 0, lat = 0] of geometry.coordinates[0] ?? []) {
        const last = kept.at(-1);
        if (!last || Math.hypot(lng - last[0], lat - last[1]) >= apart) kept.push([lng, lat]);
      }
      return kept;
    });
}
