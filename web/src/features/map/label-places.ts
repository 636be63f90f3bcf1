import type { BaseMap, Box, WorldLine } from './base-map.ts';
import { type LabelRank, labelZooms } from './shape-code.ts';

export type LabelStyle = 'region' | 'place' | 'road' | 'water';

export interface PlacedLabel extends Box {
  text: string;
  style: LabelStyle;
  rank: number;
  /** Where the text begins: its left end, vertically centred. */
  textX: number;
  textY: number;
  /** The dot of a place. */
  dotX: number;
  dotY: number;
}

export type MeasureText = (text: string, style: LabelStyle, rank: number) => number;

interface Wanted {
  text: string;
  style: LabelStyle;
  rank: number;
  x: number;
  y: number;
}

const lineHeight = 18;
const cellSize = 128;
/** A number or a name is repeated along a line after so many pixels. */
const repeatPixels: Record<'road' | 'water', number> = { road: 320, water: 560 };
const lastLineZoom = 13;

/** Labels by the grid cells they touch, so that a tile finds its own quickly. */
export class LabelGrid {
  readonly #cells = new Map<string, PlacedLabel[]>();

  #cellsOf({ minX, minY, maxX, maxY }: Box): string[] {
    const keys: string[] = [];
    for (let x = Math.floor(minX / cellSize); x <= Math.floor(maxX / cellSize); x += 1)
      for (let y = Math.floor(minY / cellSize); y <= Math.floor(maxY / cellSize); y += 1) keys.push(`${x}:${y}`);
    return keys;
  }

  within(box: Box): PlacedLabel[] {
    const found = new Set(this.#cellsOf(box).flatMap((key) => this.#cells.get(key) ?? []));
    return [...found].filter(
      (label) => label.minX < box.maxX && label.maxX > box.minX && label.minY < box.maxY && label.maxY > box.minY,
    );
  }

  add(label: PlacedLabel): void {
    for (const key of this.#cellsOf(label)) {
      const cell = this.#cells.get(key);
      if (cell) cell.push(label);
      else this.#cells.set(key, [label]);
    }
  }
}

/**
 * Places all labels of one zoom without overlaps, in world pixels at that zoom. They are placed for the whole map
 * rather than for the view, so that no label jumps when the map is moved.
 */
export function placeLabels(base: BaseMap, zoom: number, measure: MeasureText): LabelGrid {
  const size = 256 * 2 ** zoom;
  const grid = new LabelGrid();
  for (const wanted of wantedLabels(base, zoom, size)) {
    const width = measure(wanted.text, wanted.style, wanted.rank);
    const free = positions(wanted, width).find((label) => grid.within(label).length === 0);
    if (free) grid.add(free);
  }
  return grid;
}

/** Most important first: the first label that fits keeps its place. */
function wantedLabels(base: BaseMap, zoom: number, size: number): Wanted[] {
  const isShown = (rank: number) => {
    // Names of regions would cover everything once the map is zoomed into them.
    if (rank === 0) return zoom >= labelZooms[0] && zoom <= 8;
    return zoom >= (labelZooms[rank as LabelRank] ?? 11);
  };
  const named = base.labels
    .filter(({ rank }) => isShown(rank))
    .map(
      ({ name, rank, x, y }): Wanted => ({
        text: name,
        style: rank === 0 ? 'region' : 'place',
        rank,
        x: x * size,
        y: y * size,
      }),
    );
  const places = named.filter(({ style }) => style === 'place').sort((one, other) => one.rank - other.rank);
  const regions = named.filter(({ style }) => style === 'region');
  const roads = zoom >= 7 ? base.shapes.roads.filter(({ rank }) => zoom >= 6 + rank) : [];
  const rivers = zoom >= 8 ? base.shapes.rivers.filter(({ name, rank }) => name && zoom >= 7 + rank) : [];
  const along = (shapes: typeof roads, style: 'road' | 'water') =>
    shapes.flatMap(({ name, rank, lines }) =>
      lines.flatMap((line) =>
        pointsAlong(line, repeatPixels[style] / (256 * 2 ** Math.min(zoom, lastLineZoom))).map(
          ([x, y]): Wanted => ({ text: name, style, rank, x: x * size, y: y * size }),
        ),
      ),
    );
  const lakes = zoom >= 8 ? base.shapes.lakes.filter(({ name }) => name) : [];
  const onLakes = lakes.map(({ name, minX, minY, maxX, maxY }): Wanted => {
    return { text: name, style: 'water', rank: 1, x: ((minX + maxX) / 2) * size, y: ((minY + maxY) / 2) * size };
  });
  const first = places.filter(({ rank }) => rank <= 2);
  const rest = places.filter(({ rank }) => rank > 2);
  return [...first, ...along(roads, 'road'), ...rest, ...regions, ...onLakes, ...along(rivers, 'water')];
}

/** Points along a line at equal distances, the first one at half a distance. */
function pointsAlong({ points }: WorldLine, every: number): [number, number][] {
  const found: [number, number][] = [];
  let next = every / 2;
  let gone = 0;
  for (let index = 2; index < points.length; index += 2) {
    const [x, y] = [points[index] ?? 0, points[index + 1] ?? 0];
    const [fromX, fromY] = [points[index - 2] ?? 0, points[index - 1] ?? 0];
    const length = Math.hypot(x - fromX, y - fromY);
    while (gone + length >= next) {
      const part = (next - gone) / length;
      found.push([fromX + (x - fromX) * part, fromY + (y - fromY) * part]);
      next += every;
    }
    gone += length;
  }
  return found;
}

/** A place's label stands beside its dot, where there is room; every other label is centred on its point. */
function positions({ text, style, rank, x, y }: Wanted, width: number): PlacedLabel[] {
  const at = (textX: number, textY: number): PlacedLabel => {
    const box = {
      minX: textX - 4,
      maxX: textX + width + 4,
      minY: textY - lineHeight / 2,
      maxY: textY + lineHeight / 2,
    };
    const dot = style === 'place' ? 4 : 0;
    return {
      minX: Math.min(box.minX, x - dot),
      maxX: Math.max(box.maxX, x + dot),
      minY: Math.min(box.minY, y - dot),
      maxY: Math.max(box.maxY, y + dot),
      text,
      style,
      rank,
      textX,
      textY,
      dotX: x,
      dotY: y,
    };
  };
  if (style !== 'place') return [at(x - width / 2, y)];
  return [at(x + 8, y), at(x - 8 - width, y), at(x - width / 2, y - 14), at(x - width / 2, y + 14)];
}
