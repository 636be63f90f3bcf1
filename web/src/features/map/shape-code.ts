/**
 * The base map's format: each line is one text, in which every point is stored as its difference from the previous
 * point, in units of 1/`scale` degree. A character holds five bits and a sixth that says whether more follow.
 */
const shapeScale = 10_000;

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$';
/** Indexed by character code: a map has a hundred thousand of them. */
const values = new Int8Array(128).fill(-1);
for (let value = 0; value < digits.length; value += 1) values[digits.charCodeAt(value)] = value;

type Position = readonly [lng: number, lat: number];

export function encodeLine(line: readonly Position[]): string {
  let text = '';
  let before = [0, 0];
  const write = (difference: number) => {
    let rest = difference < 0 ? -difference * 2 - 1 : difference * 2;
    while (rest >= 32) {
      text += digits[(rest % 32) + 32];
      rest = Math.floor(rest / 32);
    }
    text += digits[rest];
  };
  for (const [lng, lat] of line) {
    const point = [Math.round(lng * shapeScale), Math.round(lat * shapeScale)];
    write((point[0] ?? 0) - (before[0] ?? 0));
    write((point[1] ?? 0) - (before[1] ?? 0));
    before = point;
  }
  return text;
}

/** Longitude and latitude alternating, in degrees. */
export function decodeLine(text: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let weight = 1;
  for (let index = 0; index < text.length; index += 1) {
    const read = values[text.charCodeAt(index)] ?? -1;
    if (read < 0) throw new RangeError('the base map holds a line that cannot be read');
    value += (read % 32) * weight;
    weight *= 32;
    if (read >= 32) continue;
    const difference = value % 2 === 1 ? -(value + 1) / 2 : value / 2;
    numbers.push((numbers[numbers.length - 2] ?? 0) + difference);
    value = 0;
    weight = 1;
  }
  return numbers.map((number) => number / shapeScale);
}

export const areaKinds = ['land', 'lakes'] as const;
export const lineKinds = ['borders', 'rivers', 'roads'] as const;
export type ShapeKind = (typeof areaKinds)[number] | (typeof lineKinds)[number];

/** Rank 1 is visible first; further texts are holes. */
export type CodedShape = [rank: number, name: string, ...lines: string[]];

export interface BaseMapFile {
  attribution: string;
  shapes: Record<ShapeKind, CodedShape[]>;
  /** Names and ranks of places, in the order of the points in `at`. */
  labels: { names: string[]; ranks: number[]; at: string };
}

export type LabelRank = 0 | 1 | 2 | 3 | 4 | 5;
/** Rank 0 is a region's name; the others are places by size. Gives the zoom from which each is shown. */
export const labelZooms: Record<LabelRank, number> = { 0: 6, 1: 4, 2: 7, 3: 8, 4: 10, 5: 11 };
