import { describe, expect, test } from 'vitest';
import { readBaseMap } from '../web/src/features/map/base-map.ts';
import { decodeLine, encodeLine } from '../web/src/features/map/shape-code.ts';
import { baseMap, simplify } from './basemap.ts';
import { readGeoJson } from './geojson.ts';

const collection = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features });
const feature = (type: string, coordinates: unknown) => ({
  type: 'Feature',
  properties: {},
  geometry: { type, coordinates },
});
const square = [
  [47, -19],
  [48, -19],
  [48, -18],
  [47, -18],
];

describe('MAP-1 the importer of an operator’s own GeoJSON', () => {
  test('accepts polygons of one or several parts, and closes their rings', () => {
    const shapes = readGeoJson(
      collection(feature('Polygon', [square]), feature('MultiPolygon', [[square], [square, square]])),
      'area',
      'land.geojson',
    );
    expect(shapes.map(({ lines }) => lines.length)).toEqual([1, 1, 2]);
    expect(shapes[0]?.lines[0]).toHaveLength(5);
  });

  test.each([
    ['not JSON at all', 'it is not JSON', 'area'],
    ['{"type":"Topology"}', 'not a GeoJSON FeatureCollection', 'area'],
    [collection(null), 'feature 1 is without geometry', 'area'],
    [collection(feature('Polygon', [square]), feature('Point', [47, -19])), 'feature 2 is Point, not Polygon', 'area'],
    [collection(feature('Polygon', [[[47, -19]]])), 'feature 1 has a line of fewer than 4 points', 'area'],
    [
      collection(
        feature('LineString', [
          [47, -19],
          ['a', 3],
        ]),
      ),
      'a point that is not two numbers',
      'line',
    ],
    [
      collection(
        feature('LineString', [
          [-19, 147],
          [0, 0],
        ]),
      ),
      'longitude comes first',
      'line',
    ],
    [collection(feature('LineString', null)), 'fewer than 2 points', 'line'],
    [collection(feature('MultiPolygon', 7)), 'fewer than 4 points', 'area'],
  ] as const)('refuses %j in words', (text, words, kind) => {
    const read = () => readGeoJson(text, kind, 'own.geojson');
    expect(read).toThrow(words);
    expect(read).toThrow(/^own\.geojson cannot be used: .*\.$/);
  });
});

test('encoding a line is accurate to a ten-thousandth of a degree', () => {
  const line: [number, number][] = [
    [47.12345, -18.98765],
    [47.1234, -18.9877],
    [-0.5, 89.9999],
    [179.9999, -90],
  ];
  const back = decodeLine(encodeLine(line));
  for (const [index, [lng, lat]] of line.entries()) {
    expect(back[index * 2]).toBeCloseTo(lng, 3);
    expect(back[index * 2 + 1]).toBeCloseTo(lat, 3);
  }
  expect(() => decodeLine('A B')).toThrow(RangeError);
});

test('simplifying keeps ends and corners, and moves no point further than the tolerance', () => {
  const line: [number, number][] = Array.from({ length: 200 }, (_, index) => [index, Math.sin(index / 9) * 10]);
  const kept = simplify(line, 0.5);
  expect(kept.length).toBeLessThan(80);
  expect([kept[0], kept.at(-1)]).toEqual([line[0], line.at(-1)]);
});

test('MAP-1 the files that browsers load are generated from the shapes, including land and names', async () => {
  const { readFile } = await import('node:fs/promises');
  for (const code of ['mg', 'ng', 'cd'])
    for (const [name, file] of Object.entries(await baseMap(code))) {
      const committed = await readFile(new URL(`../web/public/map/${code}/${name}.json`, import.meta.url), 'utf8');
      expect(committed === JSON.stringify(file), `run: node scripts/basemap.ts ${code} (${name} is stale)`).toBe(true);
    }
  const { coarse, fine } = await baseMap('mg');
  const world = await readBaseMap(fine);
  expect(world.labels).toHaveLength(858 + 22);
  expect(world.shapes.land[0]?.name).toBe('Madagascar');
  expect(world.attribution).toContain('GSHHG');
  expect(coarse.labels.names).toContain('Antananarivo');
  expect(coarse.labels.names.length).toBeLessThan(150);
});
