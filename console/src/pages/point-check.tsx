import { Alert, Text } from '@mantine/core';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { isInside, mercator, otherSign, type Point } from '@portal/domain/geo.ts';
import { useQuery } from '@tanstack/react-query';
import { call } from '../lib/api.ts';
import { isInWater, nearestTo, placesNamed } from '../lib/known-places.ts';
import { useLanguage } from '../lib/language.tsx';
import { pixelOf, pointZoom, viewAround } from '../lib/map-view.ts';
import { pointOf, written } from '../lib/read-point.ts';
import { useFormat } from '../lib/use-format.ts';
import { MapDrawing } from './map-drawing.tsx';

export type Country = ConsoleResult<'countryOutline'>;

const farKilometres = 30;
const mapSize = { width: 280, height: 180 };

export function useCountry(): Country | undefined {
  const found = useQuery({
    queryKey: ['countryOutline'],
    queryFn: () => call('countryOutline'),
    staleTime: 300_000,
  });
  return found.data;
}

interface Props {
  /** Of one entry, as it is stored. */
  cells: Readonly<Record<string, string>>;
  hasMap: boolean;
}

/** Where the point of an entry is, in words and on a map: nobody can judge two numbers. */
export function PointCheck({ cells, hasMap }: Props) {
  const { say } = useLanguage();
  const { distance } = useFormat();
  const country = useCountry();
  const { latitude = '', longitude = '', town = '', region = '' } = cells;
  const point = pointOf({ latitude, longitude });
  if (!country || !point) return null;
  const nearest = nearestTo(point, country.places);
  return (
    <>
      {nearest && (
        <Text size="sm">
          {say('sheet.pointNear', { distance: distance(nearest.kilometres * 1000), name: nearest.place.name })}
        </Text>
      )}
      <Doubts country={country} point={point} towns={placesNamed(country.places, town, region)} />
      {hasMap && <StillMap country={country} point={point} />}
    </>
  );
}

function StillMap({ country, point }: { country: Country; point: Point }) {
  const { say } = useLanguage();
  const view = viewAround(point, pointZoom - 3);
  return (
    <svg
      role="img"
      aria-label={say('sheet.map')}
      className="map"
      viewBox={`0 0 ${mapSize.width} ${mapSize.height}`}
      style={{ width: `min(${mapSize.width}px, 50vw)` }}
    >
      <MapDrawing
        country={country}
        landmarks={[]}
        view={view}
        size={mapSize}
        mark={pixelOf(mercator(point), view, mapSize)}
      />
    </svg>
  );
}

interface DoubtsProps {
  country: Country;
  point: Point;
  /** Those with the name of the entry's town. */
  towns: Country['places'];
}

/** What is odd about a point; the people who propose and approve decide. */
export function Doubts({ country, point, towns }: DoubtsProps) {
  const { say } = useLanguage();
  const { distance } = useFormat();
  const isOutside = !isInside(point, country.bounds);
  const far = nearestTo(point, towns);
  const meant = otherSign(point, country.bounds);
  const doubts = [
    isOutside &&
      (meant
        ? say('sheet.doubtOtherSign', { lat: written(meant.lat, 6), lng: written(meant.lng, 6) })
        : say('sheet.doubtOutside')),
    !isOutside && isInWater(point, country.outline) && say('sheet.doubtWater'),
    far &&
      far.kilometres > farKilometres &&
      say('sheet.doubtFar', { distance: distance(far.kilometres * 1000), town: far.place.name }),
  ].filter((one) => one !== false && one !== null);
  return doubts.map((one) => (
    <Alert key={one} color="yellow" variant="light" mb="xs">
      {one}
    </Alert>
  ));
}
