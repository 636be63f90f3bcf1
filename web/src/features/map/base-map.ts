import { mercator } from '@portal/domain/geo.ts';
import { areaKinds, type BaseMapFile, type CodedShape, decodeLine, lineKinds, type ShapeKind } from './shape-code.ts';

export interface Box {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Some of a line's points, and the box around them: what is out of sight is passed over in one step. */
interface Stretch extends Box {
  from: number;
  to: number;
}

export interface WorldLine extends Box {
  /** x and y in turn; the world is 1 wide, y growing southwards. */
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

function widen(box: Box, by: Box): void {
  box.minX = Math.min(box.minX, by.minX);
  box.minY = Math.min(box.minY, by.minY);
  box.maxX = Math.max(box.maxX, by.maxX);
  box.maxY = Math.max(box.maxY, by.maxY);
}

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
      const [x, y] = [points[index * 2] ?? 0, points[index * 2 + 1] ?? 0];
      widen(stretch, { minX: x, minY: y, maxX: x, maxY: y });
    }
    widen(whole, stretch);
    stretches.push(stretch);
  }
  return { ...whole, points, stretches };
}

function worldShape([rank, name, ...texts]: CodedShape): WorldShape {
  const lines = texts.map(worldLine);
  const box = emptyBox();
  for (const line of lines) widen(box, line);
  return { ...box, rank, name, lines };
}

export function readBaseMap({ attribution, shapes, labels }: BaseMapFile): BaseMap {
  const at = decodeLine(labels.at);
  return {
    attribution,
    shapes: Object.fromEntries(
      [...areaKinds, ...lineKinds].map((kind) => [kind, (shapes[kind] ?? []).map(worldShape)]),
    ) as BaseMap['shapes'],
    labels: labels.names.map((name, index) => {
      const [x, y] = worldPoint(at[index * 2] ?? 0, at[index * 2 + 1] ?? 0);
      return { name, rank: labels.ranks[index] ?? 5, x, y };
    }),
  };
}
