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
}

export interface PackTown {
  cityName: string;
  hbbLeadFeasibility: boolean;
}

export interface PackPlaces {
  places: GazetteerPlace[];
  regions: GazetteerRegion[];
  districts: GazetteerDistrict[];
  towns: PackTown[];
  shops: PackShop[];
  sites: CoverageSite[];
}

/** What a pack knows of its country; an operator that has not brought a file yet simply knows less. */
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
