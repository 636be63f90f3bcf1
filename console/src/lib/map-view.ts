import { type Bounds, distanceKilometres, mercator, type Point } from '@portal/domain/geo.ts';

/** The part of the map that is shown: its centre in degrees of the Mercator projection, each 2^zoom pixels wide. */
export interface MapView {
  x: number;
  y: number;
  zoom: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Pixel {
  x: number;
  y: number;
}

/** A pixel is about two metres wide at the equator. */
export const closestZoom = 16;
/** The surroundings of a point, a few kilometres. */
export const pointZoom = 13;
/** A town and its suburbs. */
export const townZoom = 11;

const scaleOf = ({ zoom }: MapView) => 2 ** zoom;

/** The view that shows exactly these bounds. */
export function viewOf({ south, west, north, east }: Bounds, { width, height }: Size): MapView {
  const [low, high] = [mercator({ lat: south, lng: west }), mercator({ lat: north, lng: east })];
  const scale = Math.min(width / (high.x - low.x), height / (high.y - low.y));
  return { x: (low.x + high.x) / 2, y: (low.y + high.y) / 2, zoom: Math.floor(Math.log2(scale)) };
}

export const viewAround = (point: Point, zoom: number): MapView => ({ ...mercator(point), zoom });

export function pixelOf({ x, y }: Pixel, view: MapView, { width, height }: Size): Pixel {
  const scale = scaleOf(view);
  return { x: width / 2 + (x - view.x) * scale, y: height / 2 - (y - view.y) * scale };
}

export function pointAt({ x, y }: Pixel, view: MapView, { width, height }: Size): Point {
  const scale = scaleOf(view);
  const north = view.y - (y - height / 2) / scale;
  return {
    lat: (Math.atan(Math.exp((north * Math.PI) / 180)) * 360) / Math.PI - 90,
    lng: view.x + (x - width / 2) / scale,
  };
}

export const moved = (view: MapView, { x, y }: Pixel): MapView => ({
  ...view,
  x: view.x + x / scaleOf(view),
  y: view.y - y / scaleOf(view),
});

/** Zooms around a pixel: the place at that pixel does not move. */
export function zoomed(view: MapView, by: number, at: Pixel, size: Size, widest: number): MapView {
  const zoom = Math.min(closestZoom, Math.max(widest, view.zoom + by));
  const away = { x: at.x - size.width / 2, y: at.y - size.height / 2 };
  const held = moved(view, away);
  return moved({ ...held, zoom }, { x: -away.x, y: -away.y });
}

export const isShown = ({ x, y }: Pixel, { width, height }: Size, margin = 0): boolean =>
  x >= margin && y >= margin && x <= width - margin && y <= height - margin;

/** As many decimals as a pixel has: more would be false precision. */
export const decimalsAt = ({ zoom }: MapView): number => Math.min(5, Math.ceil(Math.log10(2 ** zoom)));

export function metresPerPixel(view: MapView, size: Size): number {
  const middle = { x: size.width / 2, y: size.height / 2 };
  const [from, to] = [pointAt(middle, view, size), pointAt({ ...middle, x: middle.x + 1 }, view, size)];
  return distanceKilometres(from, to) * 1000;
}

/** The largest of 1, 2, 5, 10, 20, … that is not more. */
export function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([5, 2].find((step) => step * power <= value) ?? 1) * power;
}

/** The point that lies so many metres to the east and the north. */
export function metresAway({ lat, lng }: Point, east: number, north: number): Point {
  const degree = distanceKilometres({ lat: 0, lng: 0 }, { lat: 1, lng: 0 }) * 1000;
  return { lat: lat + north / degree, lng: lng + east / degree / Math.cos((lat * Math.PI) / 180) };
}

/** Clips a ring to the window and a margin, in which its cut edges are out of sight. */
export function clipRing(ring: readonly Pixel[], { width, height }: Size, margin = 20): Pixel[] {
  const sides: [axis: 'x' | 'y', limit: number, sign: 1 | -1][] = [
    ['x', -margin, 1],
    ['x', width + margin, -1],
    ['y', -margin, 1],
    ['y', height + margin, -1],
  ];
  return sides.reduce<readonly Pixel[]>((points, [axis, limit, sign]) => {
    const isIn = (point: Pixel) => (point[axis] - limit) * sign >= 0;
    const kept: Pixel[] = [];
    let before = points.at(-1);
    for (const point of points) {
      if (before && isIn(before) !== isIn(point)) {
        const part = (limit - before[axis]) / (point[axis] - before[axis]);
        kept.push({ x: before.x + (point.x - before.x) * part, y: before.y + (point.y - before.y) * part });
      }
      if (isIn(point)) kept.push(point);
      before = point;
    }
    return kept;
  }, ring) as Pixel[];
}

/** The width of a name in pixels: a letter is about 6.5 wide. */
const nameWidth = (name: string) => name.length * 6.5;
const besideMark = 6;

export interface Label extends Pixel {
  name: string;
}

/** In pixels: the room that the point, the scale and the credits of the map take. */
const free = { aroundPoint: 14, top: 18, bottom: 26 };

/**
 * The labels whose names cover neither an earlier name nor the point, with the pixel at which each name starts: behind
 * its mark, or before it at the edge of the window.
 */
export function withRoom<T extends Label>(
  labels: readonly T[],
  { width, height }: Size,
  { gap, point }: { gap: number; point: Pixel | null },
): (T & { start: number })[] {
  const kept: (T & { start: number })[] = [];
  for (const one of labels) {
    const taken = nameWidth(one.name);
    const start = one.x + besideMark + taken > width ? one.x - besideMark - taken : one.x + besideMark;
    const { aroundPoint } = free;
    const covers =
      start < 0 ||
      one.y < free.top ||
      one.y > height - free.bottom ||
      (point !== null &&
        Math.abs(one.y - point.y) < aroundPoint &&
        start < point.x + aroundPoint &&
        point.x - aroundPoint < start + taken) ||
      kept.some(
        (other) =>
          Math.abs(one.y - other.y) < 13 + gap &&
          start < other.start + nameWidth(other.name) + gap &&
          other.start < start + taken + gap,
      );
    if (!covers) kept.push({ ...one, start });
  }
  return kept;
}
