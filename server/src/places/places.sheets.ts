import { type CoverageSite, type Generation, generations } from '@portal/domain/coverage.ts';
import { isInside, otherSign } from '@portal/domain/geo.ts';
import { openingHoursExample, readOpeningHours } from '@portal/domain/opening-hours.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { PackPlaces, PackShop, PackTown } from '@portal/operators/places.ts';
import { CellReader, column, type Sheet, type Sheets, type Table } from '../sheets/sheets.service.ts';
import { removeShops, type StoredShop, storeShops } from './places.store.ts';

export interface PlaceTables {
  shops: Table<StoredShop>;
  sites: Table<CoverageSite>;
  towns: Table<PackTown>;
  /** Imports the pack's tables; returns the number of changed entries. */
  importPack(): Promise<number>;
}

type Within = Pick<OperatorPack, 'map'>;

/** Places as tables that are edited in the console. */
export function createPlaceTables(sheets: Pick<Sheets, 'keep'>, pack: Within, data: PackPlaces): PlaceTables {
  const tables = {
    shops: sheets.keep(shopSheet(pack), data.shops.map(storedShop)),
    sites: sheets.keep(siteSheet(pack), data.sites),
    towns: sheets.keep(townSheet(pack), data.towns),
  };
  return {
    ...tables,
    async importPack() {
      let count = 0;
      for (const table of Object.values(tables)) count += (await table.importPack())?.changed.length ?? 0;
      return count;
    },
  };
}

const pointColumns = [
  column('latitude', { kind: 'number', isRequired: true, isListed: true }),
  column('longitude', { kind: 'number', isRequired: true, isListed: true }),
];

function pointIn(reader: CellReader, { map }: Within): { lat: number; lng: number } {
  const known = reader.problems.length;
  const lat = reader.decimal('latitude', { least: -90, most: 90 });
  const lng = reader.decimal('longitude', { least: -180, most: 180 });
  if (reader.problems.length > known || isInside({ lat, lng }, map.bounds)) return { lat, lng };
  const meant = otherSign({ lat, lng }, map.bounds);
  if (!meant) reader.refuse('latitude', 'outsideCountry');
  if (meant && meant.lat !== lat) reader.refuse('latitude', 'otherSign', String(meant.lat));
  if (meant && meant.lng !== lng) reader.refuse('longitude', 'otherSign', String(meant.lng));
  return { lat, lng };
}

const named = (reader: CellReader, name: string) => reader.text(name, { isRequired: true, most: 120 });

/** It becomes a tel: link, so it must be diallable. */
function phoneIn(reader: CellReader): string {
  const phone = reader.text('phone', { most: 40 });
  const isDialled = /^\+?[\d\s().\-/\u00a0\u202f]+$/.test(phone) && /\d.*\d.*\d/.test(phone);
  if (phone && !isDialled) reader.refuse('phone', 'notPhone', '034 12 345 67');
  return phone;
}

const shopKinds = ['shop', 'dealer'] as const;

function shopSheet(pack: Within): Sheet<StoredShop> {
  return {
    name: 'shops',
    approval: 'places',
    hasTimes: false,
    columns: [
      column('id', { isRequired: true }),
      column('kind', { kind: 'choice', choices: [...shopKinds], isRequired: true, isListed: true }),
      column('title', { isRequired: true, isListed: true, isName: true }),
      column('name', { isRequired: true }),
      ...pointColumns.map((one) => ({ ...one, isListed: false })),
      column('address', { isRequired: true, isListed: true }),
      column('phone'),
      column('town', { isRequired: true, isListed: true }),
      column('region', { isRequired: true }),
      column('opening_hours'),
    ],
    cellsOf: ({ id, kind, title, name, lat, lng, address, phone, city, region, hours }) => ({
      ...{ id, kind, title, name, latitude: String(lat), longitude: String(lng), address, phone, town: city, region },
      // Shops stored earlier have no opening hours.
      opening_hours: hours ?? '',
    }),
    read(cells) {
      const reader = new CellReader(cells);
      const id = reader.text('id', { isRequired: true, most: 30 });
      if (id && !/^[A-Za-z0-9._-]+$/.test(id)) reader.refuse('id', 'notCode', 'S0001');
      const hours = reader.text('opening_hours');
      if (hours && !readOpeningHours(hours)) reader.refuse('opening_hours', 'notHours', openingHoursExample);
      const entry = {
        id,
        kind: reader.choice('kind', shopKinds) ?? 'shop',
        title: named(reader, 'title'),
        name: named(reader, 'name'),
        ...pointIn(reader, pack),
        address: reader.text('address', { isRequired: true }),
        phone: phoneIn(reader),
        city: named(reader, 'town'),
        region: named(reader, 'region'),
        hours,
      };
      return reader.problems.length > 0 ? { problems: reader.problems } : { entry };
    },
    /** Updates the table with the spatial index for the nearest shops. */
    async changed(transaction, changed, { isFirst }) {
      if (isFirst) await transaction.deleteFrom('shops').execute();
      const gone = changed.filter(({ entry }) => entry === null).map(({ key }) => key);
      await removeShops(transaction, gone);
      await storeShops(
        transaction,
        changed.flatMap(({ entry }) => (entry ? [entry] : [])),
      );
    },
  };
}

const cellOf = (generation: Generation) => generation.toLowerCase();
const oldestFirst = generations.toReversed();

function siteSheet(pack: Within): Sheet<CoverageSite> {
  return {
    name: 'sites',
    approval: 'places',
    hasTimes: false,
    columns: [
      column('title', { isRequired: true }),
      ...pointColumns,
      ...oldestFirst.map((one) => column(cellOf(one), { kind: 'choice', choices: ['no', 'yes'], isListed: true })),
    ],
    cellsOf: (site) => ({
      title: site.title,
      latitude: String(site.latitude),
      longitude: String(site.longitude),
      ...Object.fromEntries(oldestFirst.map((one) => [cellOf(one), site[`_${one}service`] ? 'yes' : 'no'])),
    }),
    read(cells) {
      const reader = new CellReader(cells);
      const title = named(reader, 'title');
      const { lat, lng } = pointIn(reader, pack);
      const entry: CoverageSite = {
        latitude: lat,
        longitude: lng,
        title,
        _2Gservice: reader.truth('2g'),
        _3Gservice: reader.truth('3g'),
        _4Gservice: reader.truth('4g'),
        _5Gservice: reader.truth('5g'),
      };
      return reader.problems.length > 0 ? { problems: reader.problems } : { entry };
    },
  };
}

function townSheet(pack: Within): Sheet<PackTown> {
  return {
    name: 'towns',
    approval: 'places',
    hasTimes: false,
    columns: [
      column('town', { isRequired: true }),
      column('served', { kind: 'choice', choices: ['no', 'yes'], isListed: true }),
      ...pointColumns.map((one) => ({ ...one, isRequired: false })),
      column('region', { isListed: true }),
      column('postal_code'),
    ],
    cellsOf: ({ cityName, hbbLeadFeasibility, lat, lng, region, postalCode }) => ({
      town: cityName,
      served: hbbLeadFeasibility ? 'yes' : 'no',
      latitude: String(lat ?? ''),
      longitude: String(lng ?? ''),
      region: region ?? '',
      postal_code: postalCode ?? '',
    }),
    read(cells) {
      const reader = new CellReader(cells);
      const cityName = named(reader, 'town');
      const region = reader.text('region', { most: 120 });
      const postalCode = reader.text('postal_code', { most: 20 });
      const entry: PackTown = {
        cityName,
        hbbLeadFeasibility: reader.truth('served'),
        ...(cells.latitude || cells.longitude ? pointIn(reader, pack) : {}),
        ...(region ? { region } : {}),
        ...(postalCode ? { postalCode } : {}),
      };
      return reader.problems.length > 0 ? { problems: reader.problems } : { entry };
    },
  };
}

function storedShop({
  id,
  kind,
  shop,
  title,
  location,
  phyLocation,
  phNumber,
  city,
  region,
  hours = '',
}: PackShop): StoredShop {
  return {
    id,
    kind,
    name: shop,
    title,
    lat: location.latitue,
    lng: location.longitude,
    address: phyLocation,
    phone: phNumber,
    city,
    region,
    hours,
  };
}
