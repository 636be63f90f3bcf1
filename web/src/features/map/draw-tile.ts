import { type BaseMap, type Box, overlaps, type WorldLine, type WorldShape } from './base-map.ts';
import type { LabelGrid, LabelStyle, MeasureText, PlacedLabel } from './label-places.ts';
import type { MapPalette } from './map-palette.ts';

export interface Tile {
  x: number;
  y: number;
  zoom: number;
  size: number;
}

type Pen = CanvasRenderingContext2D;

const family = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif';
const placeFonts = ['', `600 15px ${family}`, `600 13px ${family}`, `500 13px ${family}`, `500 12px ${family}`];
const fonts: Record<Exclude<LabelStyle, 'place'>, string> = {
  region: `600 11px ${family}`,
  road: `600 10px ${family}`,
  water: `italic 500 11px ${family}`,
};
const fontOf = (style: LabelStyle, rank: number) =>
  style === 'place' ? (placeFonts[rank] ?? `400 12px ${family}`) : fonts[style];
const writtenAs = (text: string, style: LabelStyle) => (style === 'region' ? text.toUpperCase() : text);

export function textMeasure(pen: Pen): MeasureText {
  const known = new Map<string, number>();
  return (text, style, rank) => {
    const font = fontOf(style, rank);
    const key = font + text;
    let width = known.get(key);
    if (width === undefined) {
      pen.font = font;
      width = pen.measureText(writtenAs(text, style)).width;
      known.set(key, width);
    }
    return width;
  };
}

/** Everything a tile of the map shows. Coordinates are pixels of the tile. */
export function drawTile(pen: Pen, tile: Tile, base: BaseMap | null, labels: LabelGrid | null, palette: MapPalette) {
  const { size, zoom } = tile;
  pen.fillStyle = base ? palette.water : palette.land;
  pen.fillRect(0, 0, size, size);
  if (!base) return;
  const world = size * 2 ** zoom;
  const left = tile.x * size;
  const top = tile.y * size;
  // Lines have a width, so what lies just outside is drawn too.
  const margin = 8;
  const inSight: Box = {
    minX: (left - margin) / world,
    minY: (top - margin) / world,
    maxX: (left + size + margin) / world,
    maxY: (top + size + margin) / world,
  };
  const path = (line: WorldLine, closed: boolean) => trace(pen, line, inSight, world, left, top, closed);
  const visible = (shapes: readonly WorldShape[]) => shapes.filter((shape) => overlaps(shape, inSight));
  const stroke = (shapes: readonly WorldShape[], color: string, width: number) => {
    pen.beginPath();
    for (const shape of shapes) for (const line of shape.lines) path(line, false);
    pen.strokeStyle = color;
    pen.lineWidth = width;
    pen.stroke();
  };
  const areas = (shapes: readonly WorldShape[], fill: string) => {
    pen.beginPath();
    for (const shape of shapes) for (const line of shape.lines) path(line, true);
    pen.fillStyle = fill;
    pen.fill('evenodd');
    pen.strokeStyle = palette.coast;
    pen.lineWidth = zoom < 7 ? 0.75 : 1.25;
    pen.stroke();
  };

  pen.lineJoin = 'round';
  pen.lineCap = 'round';
  const { land, lakes, rivers, borders, roads } = base.shapes;
  areas(visible(land), palette.land);
  for (const river of visible(rivers)) {
    if (zoom < 4 + river.rank) continue;
    stroke([river], palette.coast, Math.max(0.6, (zoom - 4 - river.rank) * 0.35));
  }
  areas(visible(lakes), palette.water);
  if (zoom >= 6) {
    pen.setLineDash([5, 4]);
    stroke(visible(borders), palette.border, zoom < 9 ? 0.8 : 1.2);
    pen.setLineDash([]);
  }
  const shown = visible(roads).filter(({ rank }) => zoom >= 4 + rank);
  const width = (rank: number) => Math.max(1, (zoom - 3 - rank) * 0.6);
  const ordered = [...shown].sort((one, other) => other.rank - one.rank);
  for (const road of ordered)
    stroke(
      [road],
      road.rank === 1 ? palette.mainRoadEdge : palette.roadEdge,
      width(road.rank) + (zoom < 7 ? 0.4 : 1.6),
    );
  for (const road of ordered) stroke([road], road.rank === 1 ? palette.mainRoad : palette.road, width(road.rank));

  if (!labels) return;
  const box = { minX: left - margin, minY: top - margin, maxX: left + size + margin, maxY: top + size + margin };
  for (const label of labels.within(box)) write(pen, label, left, top, palette, zoom);
}

/** Skips points out of view in one step: the filled area inside the tile stays the same. */
function trace(
  pen: Pen,
  { points, stretches }: WorldLine,
  inSight: Box,
  world: number,
  left: number,
  top: number,
  closed: boolean,
) {
  const x = (index: number) => (points[index * 2] ?? 0) * world - left;
  const y = (index: number) => (points[index * 2 + 1] ?? 0) * world - top;
  let isDown = false;
  for (const stretch of stretches) {
    const isSeen = overlaps(stretch, inSight);
    if (!isSeen && !closed) {
      isDown = false;
      continue;
    }
    if (!isDown) pen.moveTo(x(stretch.from), y(stretch.from));
    isDown = true;
    for (let index = isSeen ? stretch.from + 1 : stretch.to; index <= stretch.to; index += 1)
      pen.lineTo(x(index), y(index));
  }
  if (closed) pen.closePath();
}

const textColors: Record<LabelStyle, keyof MapPalette> = {
  place: 'text',
  region: 'regionText',
  road: 'signText',
  water: 'waterText',
};

function write(pen: Pen, label: PlacedLabel, left: number, top: number, palette: MapPalette, zoom: number) {
  const { style, rank, text } = label;
  const [textX, textY] = [label.textX - left, label.textY - top];
  pen.font = fontOf(style, rank);
  pen.textBaseline = 'middle';
  pen.textAlign = 'left';
  if (style === 'road') {
    pen.fillStyle = palette.sign;
    pen.strokeStyle = palette.mainRoadEdge;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.rect(textX - 3.5, textY - 7.5, label.maxX - label.minX - 1, 15);
    pen.fill();
    pen.stroke();
  } else {
    pen.strokeStyle = palette.halo;
    pen.lineWidth = 3;
    pen.lineJoin = 'round';
    pen.strokeText(writtenAs(text, style), textX, textY);
  }
  if (style === 'place') dot(pen, label.dotX - left, label.dotY - top, rank, palette, zoom);
  pen.fillStyle = palette[textColors[style]];
  pen.fillText(writtenAs(text, style), textX, textY + (style === 'road' ? 0.5 : 0));
}

function dot(pen: Pen, x: number, y: number, rank: number, palette: MapPalette, zoom: number) {
  pen.beginPath();
  pen.arc(x, y, rank === 1 ? 4 : rank <= 3 && zoom > 7 ? 3 : 2.2, 0, Math.PI * 2);
  pen.fillStyle = rank === 1 ? palette.dot : palette.halo;
  pen.fill();
  pen.strokeStyle = palette.dot;
  pen.lineWidth = 1.4;
  pen.stroke();
}
