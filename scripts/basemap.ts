import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GazetteerPlace } from '../domain/gazetteer.ts';
import { loadPack } from '../operators/load-pack.ts';
import { readPlaces } from '../operators/places.ts';
import { type BaseMapFile, type CodedShape, encodeLine, type ShapeKind } from '../web/src/features/map/shape-code.ts';
import { brotli } from './build.ts';
import { type Position, readGeoJson, type Shape } from './geojson.ts';
import { root } from './source-files.ts';

/** Which file of a pack's `places/shapes` folder holds what; an operator's own file takes the place of one. */
const sources: Record<ShapeKind, { file: string; is: 'area' | 'line' }> = {
  land: { file: 'coastline.geojson', is: 'area' },
  lakes: { file: 'lakes.geojson', is: 'area' },
  borders: { file: 'region-lines.geojson', is: 'line' },
  rivers: { file: 'rivers.geojson', is: 'line' },
  roads: { file: 'roads.geojson', is: 'line' },
};
const kinds = Object.keys(sources) as ShapeKind[];
const limits = { coarse: 60_000, all: 300_000 };
/** In degrees: what is not to be seen below zoom 8, and what is not to be seen at all. */
const detail = { coarse: 0.004, fine: 0.0002 };
const smallestIslandKm2 = 4;

/** Keeps the points that lie further than `tolerance` from the line between their neighbours. */
export function simplify(line: readonly Position[], tolerance: number): Position[] {
  const kept = new Set([0, line.length - 1]);
  const open: [number, number][] = [[0, line.length - 1]];
  for (let range = open.pop(); range; range = open.pop()) {
    const [first, last] = range;
    let furthest = -1;
    let most = tolerance;
    for (let index = first + 1; index < last; index += 1) {
      const away = distanceToChord(line[index] as Position, line[first] as Position, line[last] as Position);
      if (away > most) [furthest, most] = [index, away];
    }
    if (furthest < 0) continue;
    kept.add(furthest);
    open.push([first, furthest], [furthest, last]);
  }
  return line.filter((_, index) => kept.has(index));
}

function distanceToChord(point: Position, from: Position, to: Position): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : ((point[0] - from[0]) * dx + (point[1] - from[1]) * dy) / length;
  const at = Math.max(0, Math.min(1, along));
  return Math.hypot(point[0] - from[0] - at * dx, point[1] - from[1] - at * dy);
}

const roadRanks: Record<string, number> = { primary: 1, secondary: 2, tertiary: 3 };

function rankOf({ properties }: Shape): number {
  const { rank, class: road } = properties;
  return typeof rank === 'number' ? rank : (roadRanks[String(road)] ?? 1);
}

function coded(shapes: readonly Shape[], kind: ShapeKind, tolerance: number): CodedShape[] {
  const isArea = sources[kind].is === 'area';
  return shapes.flatMap((shape): CodedShape[] => {
    const lines = shape.lines.map((line) => simplify(line, tolerance)).filter((line) => line.length > (isArea ? 3 : 1));
    const name = typeof shape.properties.name === 'string' ? shape.properties.name : '';
    const label = kind === 'roads' ? String(shape.properties.ref ?? name) : name;
    return lines.length > 0 ? [[rankOf(shape), label, ...lines.map(encodeLine)]] : [];
  });
}

interface Label {
  name: string;
  rank: number;
  at: Position;
}

function placeLabels(places: readonly GazetteerPlace[]): Label[] {
  return places.map(({ name, kind, population = 0, lat, lng }) => {
    const ranks = { city: 1, town: population >= 25_000 ? 2 : 3, suburb: 5, locality: population >= 20_000 ? 4 : 5 };
    return { name, rank: ranks[kind], at: [lng, lat] };
  });
}

function codedLabels(labels: readonly Label[]): BaseMapFile['labels'] {
  return {
    names: labels.map(({ name }) => name),
    ranks: labels.map(({ rank }) => rank),
    at: encodeLine(labels.map(({ at }) => at)),
  };
}

async function readShapes(file: string, is: 'area' | 'line' | 'point'): Promise<Shape[]> {
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return [];
  return readGeoJson(text, is, file.slice(root.length));
}

export async function baseMap(code: string): Promise<{ coarse: BaseMapFile; fine: BaseMapFile }> {
  const pack = await loadPack(code);
  const folder = join(root, 'operators', code, 'places/shapes');
  const read = kinds.map(async (kind) => [kind, await readShapes(join(folder, sources[kind].file), sources[kind].is)]);
  const shapes = Object.fromEntries(await Promise.all(read)) as Record<ShapeKind, Shape[]>;
  if (shapes.land.length === 0) throw new Error(`There is no ${sources.land.file} in operators/${code}/places/shapes.`);
  const regions = (await readShapes(join(folder, 'region-labels.geojson'), 'point')).map(
    ({ properties, lines }): Label => ({ name: String(properties.name), rank: 0, at: lines[0]?.[0] as Position }),
  );
  const labels = [...regions, ...placeLabels(readPlaces(code).places)];
  const isSeen = ({ properties }: Shape) => !(Number(properties.areaKm2) < smallestIslandKm2);
  const shapesOf = (tolerance: number, keep: (shape: Shape) => boolean) =>
    Object.fromEntries(
      kinds.map((kind) => [kind, coded(shapes[kind].filter(keep), kind, tolerance)]),
    ) as BaseMapFile['shapes'];
  const { attribution } = pack.map;
  return {
    coarse: {
      attribution,
      shapes: shapesOf(detail.coarse, isSeen),
      labels: codedLabels(labels.filter(({ rank }) => rank <= 3)),
    },
    fine: { attribution, shapes: shapesOf(detail.fine, () => true), labels: codedLabels(labels) },
  };
}

async function main(code: string | undefined): Promise<void> {
  if (!code) throw new Error('Say for which operator pack, such as: node scripts/basemap.ts mg');
  const files = await baseMap(code);
  const folder = join(root, 'web/public/map', code);
  await mkdir(folder, { recursive: true });
  let all = 0;
  for (const [name, content] of Object.entries(files)) {
    const text = JSON.stringify(content);
    await writeFile(join(folder, `${name}.json`), text);
    const { length } = await brotli(Buffer.from(text));
    all += length;
    console.log(`${name}: ${Math.round(text.length / 1000)} kB, ${Math.round(length / 1000)} kB on the wire`);
    if (name === 'coarse' && length > limits.coarse)
      throw new Error('The coarse map is larger than 60 kB: simplify it.');
  }
  if (all > limits.all) throw new Error('The base map is larger than 300 kB: simplify it.');
}

if (import.meta.main)
  await main(process.argv[2]).catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
