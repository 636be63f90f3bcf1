export type Position = readonly [lng: number, lat: number];

export interface Shape {
  properties: Record<string, unknown>;
  /** Of an area its outer ring and then its holes; of a point one line of one position. */
  lines: Position[][];
}

type Kind = 'area' | 'line' | 'point';

const expected: Record<Kind, string[]> = {
  area: ['Polygon', 'MultiPolygon'],
  line: ['LineString', 'MultiLineString'],
  point: ['Point'],
};
const least: Record<Kind, number> = { area: 4, line: 2, point: 1 };

interface Geometry {
  type?: unknown;
  coordinates?: unknown;
}

/** Shapes of an RFC 7946 file, or one sentence that says which feature is wrong and why. */
export function readGeoJson(text: string, kind: Kind, name: string): Shape[] {
  const refuse = (why: string): never => {
    throw new Error(`${name} cannot be used: ${why}.`);
  };
  const json = parse(text) ?? refuse('it is not JSON');
  const { type, features } = json as { type?: unknown; features?: unknown };
  if (type !== 'FeatureCollection' || !Array.isArray(features))
    return refuse('it is not a GeoJSON FeatureCollection with a list of features');
  return features.flatMap((feature: { properties?: unknown; geometry?: Geometry | null } | null, index) => {
    const at = `feature ${index + 1}`;
    const geometry = feature?.geometry;
    if (!geometry || !expected[kind].includes(String(geometry.type)))
      return refuse(`${at} is ${String(geometry?.type ?? 'without geometry')}, not ${expected[kind].join(' or ')}`);
    const properties = (feature?.properties ?? {}) as Record<string, unknown>;
    return partsOf(geometry).map((part) => ({
      properties,
      lines: part.map((line) => {
        if (!Array.isArray(line) || line.length < least[kind])
          return refuse(`${at} has a line of fewer than ${least[kind]} points`);
        const positions = line.map((position) => readPosition(position) ?? refuse(`${at} ${wrong(position)}`));
        return kind === 'area' ? closed(positions) : positions;
      }),
    }));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Every geometry as a list of parts, each a list of lines. */
function partsOf({ type, coordinates }: Geometry): unknown[][] {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [null]);
  if (type === 'Point') return [[[coordinates]]];
  if (type === 'LineString') return [[coordinates]];
  if (type === 'MultiLineString') return list(coordinates).map((line) => [line]);
  return type === 'Polygon' ? [list(coordinates)] : list(coordinates).map(list);
}

function readPosition(value: unknown): Position | null {
  const [lng, lat] = Array.isArray(value) ? value : [];
  if (typeof lng !== 'number' || typeof lat !== 'number') return null;
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 90 ? [lng, lat] : null;
}

function wrong(value: unknown): string {
  const [lng, lat] = Array.isArray(value) ? value : [];
  if (typeof lng !== 'number' || typeof lat !== 'number') return 'has a point that is not two numbers';
  const swapped = Math.abs(lat) <= 180 && Math.abs(lng) <= 90;
  return `has the point ${lng}, ${lat}, which is not on earth${swapped ? ': longitude comes first' : ''}`;
}

function closed(ring: Position[]): Position[] {
  const [first] = ring;
  const last = ring.at(-1);
  return first && last && (first[0] !== last[0] || first[1] !== last[1]) ? [...ring, first] : ring;
}
