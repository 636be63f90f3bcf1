import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { mercator } from '@portal/domain/geo.ts';
import { useMemo } from 'react';
import {
  clipRing,
  isShown,
  type MapView,
  metresPerPixel,
  type Pixel,
  pixelOf,
  roundDown,
  type Size,
  withRoom,
} from '../lib/map-view.ts';
import { useFormat } from '../lib/use-format.ts';

interface Props {
  country: ConsoleResult<'countryOutline'>;
  landmarks: ConsoleResult<'landmarks'>;
  view: MapView;
  size: Size;
  /** Where the point is. */
  mark: Pixel | null;
}

const mostNames = 40;
/** Of the whole country only the larger places are named. */
const gapOf = (view: MapView) => (view.zoom < 7 ? 18 : 4);

/** The coast, the names that have room, the point and a scale. */
export function MapDrawing({ country, landmarks, view, size, mark }: Props) {
  const rings = useMemo(
    () => country.outline.map((ring) => ring.map(([lng, lat]) => mercator({ lat, lng }))),
    [country],
  );
  const land = rings
    .map((ring) =>
      clipRing(
        ring.map((point) => pixelOf(point, view, size)),
        size,
      ),
    )
    .filter((ring) => ring.length > 2)
    .map((ring) => `M${ring.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`)
    .join('');
  const points = [
    ...landmarks.map((one) => ({ ...one, id: `${one.sheet} ${one.key}`, kind: one.sheet })),
    ...country.places.map((one) => ({ ...one, id: `${one.name} ${one.lat} ${one.lng}`, kind: 'place' as const })),
  ]
    .map((one) => ({ id: one.id, name: one.name, kind: one.kind, ...pixelOf(mercator(one), view, size) }))
    .filter((one) => isShown(one, size));
  // Names of places come first, because people recognise where they are by them; then what is near the point.
  const from = mark ?? { x: size.width / 2, y: size.height / 2 };
  const rank = ({ kind, x, y }: (typeof points)[number]) =>
    kind === 'place' ? -1 : Math.hypot(x - from.x, y - from.y);
  const labels = points.toSorted((one, other) => rank(one) - rank(other)).slice(0, 200);
  const names = withRoom(labels, size, { gap: gapOf(view), point: mark }).slice(0, mostNames);
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a group of shapes takes no focus
    <g aria-hidden="true">
      <path d={land} className="map-land" />
      {points.map(({ id, x, y, kind }) =>
        kind === 'place' ? null : kind === 'shops' ? (
          <rect key={id} x={x - 3} y={y - 3} width={6} height={6} className="map-shop" />
        ) : (
          <path key={id} d={`M${x} ${y - 4}l4 7h-8z`} className="map-site" />
        ),
      )}
      {names.map(({ id, name, kind, x, y, start }) => (
        <g key={id}>
          {kind === 'place' && <circle cx={x} cy={y} r={2.5} className="map-place" />}
          <text x={start} y={y + 4} className="map-name" fontWeight={kind === 'place' ? 600 : 400}>
            {name}
          </text>
        </g>
      ))}
      {mark && (
        <g className="map-mark" data-x={mark.x.toFixed(1)} data-y={mark.y.toFixed(1)}>
          <path d={`M${mark.x - 14} ${mark.y}h9m10 0h9M${mark.x} ${mark.y - 14}v9m0 10v9`} />
          <circle cx={mark.x} cy={mark.y} r={5} />
        </g>
      )}
      <text x={size.width - 6} y={12} textAnchor="end" className="map-name map-source">
        {country.attribution}
      </text>
      <Scale view={view} size={size} />
    </g>
  );
}

function Scale({ view, size }: { view: MapView; size: Size }) {
  const { distance } = useFormat();
  const perPixel = metresPerPixel(view, size);
  const metres = roundDown(100 * perPixel);
  const end = 10 + metres / perPixel;
  const foot = size.height - 12;
  return (
    <g className="map-scale">
      <path d={`M10 ${foot - 6}v6H${end}v-6`} />
      <text x={end + 6} y={foot} className="map-name">
        {distance(metres)}
      </text>
    </g>
  );
}
