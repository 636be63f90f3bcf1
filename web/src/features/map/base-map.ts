import { mercator } from '@portal/domain/geo.ts';
import { areaKinds, type BaseMapFile, type CodedShape, decodeLine, lineKinds, type ShapeKind } from './shape-code.ts';

export interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** A chunk of a line's points with its bounding box, so that chunks out of view are skipped at once. */
interface Stretch extends Box {
  from: number;
  to: number;
}

export interface WorldLine extends Box {
  /** x and y alternating; the world is 1 wide, y grows southwards. */
  points: Float64Array;
  stretches: Stretch[];
}

export interface WorldShape extends Box {
  rank: number;
  name: string;
  lines: WorldLine[];
}

export interface WorldLabel {
  name: string;
  rank: number;
  x: number;
  y: number;
}

export interface BaseMap {
  attribution: string;
  shapes: Record<ShapeKind, WorldShape[]>;
  labels: WorldLabel[];
}

const stretchPoints = 48;

function worldPoint(lng: number, lat: number): [x: number, y: number] {
  const { x, y } = mercator({ lat, lng });
  return [x / 360 + 0.5, 0.5 - y / 360];
}

export const overlaps = (one: Box, other: Box): boolean =>
  one.minX <= other.maxX && one.maxX >= other.minX && one.minY <= other.maxY && one.maxY >= other.minY;

const emptyBox = (): Box => ({
  minX: Number.POSITIVE_INFINITY,
  minY: Number.POSITIVE_INFINITY,
  maxX: Number.NEGATIVE_INFINITY,
  maxY: Number.NEGATIVE_INFINITY,
});

function widen(box: Box, minX: number, minY: number, maxX: number, maxY: number): void {
  if (minX < box.minX) box.minX = minX;
  if (minY < box.minY) box.minY = minY;
  if (maxX > box.maxX) box.maxX = maxX;
  if (maxY > box.maxY) box.maxY = maxY;
}

const widenBy = (box: Box, by: Box) => widen(box, by.minX, by.minY, by.maxX, by.maxY);

function worldLine(text: string): WorldLine {
  const degrees = decodeLine(text);
  const points = new Float64Array(degrees.length);
  for (let index = 0; index < degrees.length; index += 2) {
    const [x, y] = worldPoint(degrees[index] ?? 0, degrees[index + 1] ?? 0);
    points[index] = x;
    points[index + 1] = y;
  }
  const whole = emptyBox();
  const stretches: Stretch[] = [];
  const count = points.length / 2;
  for (let from = 0; from < count - 1; from += stretchPoints) {
    const to = Math.min(from + stretchPoints, count - 1);
    const stretch = { ...emptyBox(), from, to };
    for (let index = from; index <= to; index += 1) {
      const x = points[index * 2] ?? 0;
      const y = points[index * 2 + 1] ?? 0;
      widen(stretch, x, y, x, y);
    }
    widenBy(whole, stretch);
    stretches.push(stretch);
  }
  return { ...whole, points, stretches };
}

function worldShape([rank, name, ...texts]: CodedShape): WorldShape {
  const lines = texts.map(worldLine);
  const box = emptyBox();
  for (const line of lines) widenBy(box, line);
  return { ...box, rank, name, lines };
}

/** Input is handled between two slices. */
const sliceMs = 8;

export async function readBaseMap({ attribution, shapes, labels }: BaseMapFile): Promise<BaseMap> {
  const read: BaseMap['shapes'] = { land: [], lakes: [], borders: [], rivers: [], roads: [] };
  let until = performance.now() + sliceMs;
  for (const kind of [...areaKinds, ...lineKinds]) {
    for (const shape of shapes[kind] ?? []) {
      read[kind].push(worldShape(shape));
      if (performance.now() < until) continue;
      await new Promise((resolve) => setTimeout(resolve));
      until = performance.now() + sliceMs;
    }
  }
  const at = decodeLine(labels.at);
  return {
    attribution,
    shapes: read,
    labels: labels.names.map((name, index) => {
      const [x, y] = worldPoint(at[index * 2] ?? 0, at[index * 2 + 1] ?? 0);
      return { name, rank: labels.ranks[index] ?? 5, x, y };
    }),
  };
}
