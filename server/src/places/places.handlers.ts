import { distanceKilometres, isInside } from '@portal/domain/geo.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { foldName } from '@portal/domain/place-name-match.ts';
import { type PackPlaces, readOutline } from '@portal/operators/places.ts';
import type { ConsoleHandlers } from '../console/console.service.ts';
import type { PlaceTables } from './places.sheets.ts';

interface PlacesDesk {
  pack: Pick<OperatorPack, 'code' | 'map'>;
  tables: PlaceTables;
  data: Pick<PackPlaces, 'places'>;
}

/** More than a city has within the window at the scale from which they are asked for. */
const mostLandmarks = 500;

/** The data of the console's map. */
export function placeConsoleHandlers({ pack: { code, map }, tables, data }: PlacesDesk) {
  const outline = readOutline(code);
  const places = data.places
    .toSorted((one, other) => (other.population ?? 0) - (one.population ?? 0))
    .map(({ name, altNames = [], region, kind, lat, lng }) => ({
      ...{ name, region, kind, lat, lng },
      otherNames: [...altNames],
    }));
  const known = new Set(places.map(({ name }) => foldName(name)));

  return {
    async countryOutline() {
      const towns = (await tables.towns.current()).flatMap(({ cityName: name, lat, lng, region = '' }) =>
        lat === undefined || lng === undefined || known.has(foldName(name))
          ? []
          : [{ ...{ name, region, lat, lng }, otherNames: [], kind: 'town' as const }],
      );
      return { attribution: map.attribution, bounds: map.bounds, outline, places: [...places, ...towns] };
    },

    async landmarks(asked) {
      const box = {
        ...{ south: Number(asked.south), west: Number(asked.west) },
        ...{ north: Number(asked.north), east: Number(asked.east) },
      };
      const middle = { lat: (box.south + box.north) / 2, lng: (box.west + box.east) / 2 };
      const shops = (await tables.shops.current()).map(({ id, title, lat, lng }) => ({
        ...{ sheet: 'shops' as const, key: id, name: title, lat, lng },
      }));
      const sites = (await tables.sites.current()).map(({ title, latitude, longitude }) => ({
        ...{ sheet: 'sites' as const, key: title, name: title, lat: latitude, lng: longitude },
      }));
      return [...shops, ...sites]
        .filter((point) => isInside(point, box))
        .map((point) => ({ point, away: distanceKilometres(middle, point) }))
        .sort((one, other) => one.away - other.away)
        .slice(0, mostLandmarks)
        .map(({ point }) => point);
    },
  } satisfies ConsoleHandlers;
}
