import { distanceKilometres, mercator } from '@portal/domain/geo.ts';
import { expect, test } from 'vitest';
import {
  clipRing,
  closestZoom,
  decimalsAt,
  isShown,
  metresAway,
  metresPerPixel,
  moved,
  pixelOf,
  pointAt,
  roundDown,
  viewAround,
  viewOf,
  withRoom,
  zoomed,
} from './map-view.ts';

const size = { width: 600, height: 300 };
const bounds = { south: -26.2, west: 42.6, north: -11.5, east: 51.2 };
const shop = { lat: -18.8792, lng: 47.5079 };

test('the whole country is shown, as large as it fits', () => {
  const view = viewOf(bounds, size);
  const corners = [
    { lat: bounds.south, lng: bounds.west },
    { lat: bounds.north, lng: bounds.east },
  ].map((corner) => pixelOf(mercator(corner), view, size));
  for (const corner of corners) expect(isShown(corner, size)).toBe(true);
  expect(Math.abs((corners[0]?.y ?? 0) - (corners[1]?.y ?? 0)) * 2).toBeGreaterThan(size.height);
});

test('a pixel is the point that it shows', () => {
  const view = viewAround(shop, 13);
  const at = pixelOf(mercator({ lat: -18.88, lng: 47.51 }), view, size);
  const point = pointAt(at, view, size);
  expect(point.lat).toBeCloseTo(-18.88, 9);
  expect(point.lng).toBeCloseTo(47.51, 9);
});

test('what is under the pointer stays there when the map comes closer, down to some metres a pixel', () => {
  const at = { x: 500, y: 40 };
  const view = viewAround(shop, 8);
  const before = pointAt(at, view, size);
  const closer = zoomed(view, 3, at, size, 4);
  expect(closer.zoom).toBe(11);
  const after = pointAt(at, closer, size);
  expect(after.lat).toBeCloseTo(before.lat, 9);
  expect(after.lng).toBeCloseTo(before.lng, 9);
  const closest = zoomed(view, 99, at, size, 4);
  expect(closest.zoom).toBe(closestZoom);
  expect(metresPerPixel(closest, size)).toBeLessThan(3);
  expect(zoomed(view, -99, at, size, 4).zoom).toBe(4);
});

test('the map moves by pixels', () => {
  const view = viewAround(shop, 10);
  expect(pixelOf(mercator(shop), moved(view, { x: 100, y: 50 }), size)).toEqual({
    x: expect.closeTo(200, 6),
    y: expect.closeTo(100, 6),
  });
});

test('coordinates have as many decimals as a pixel is wide', () => {
  expect(decimalsAt(viewAround(shop, 4))).toBe(2);
  expect(decimalsAt(viewAround(shop, closestZoom))).toBe(5);
});

test('a distance is rounded down to one that people say', () => {
  expect([1, 1.9, 2, 4.9, 5, 9, 10, 123, 0.3].map(roundDown)).toEqual([1, 1, 2, 2, 5, 5, 10, 100, 0.2]);
});

test('fifty metres away are fifty metres, in each direction', () => {
  for (const [east, north] of [
    [50, 0],
    [0, -50],
  ] as const)
    expect(distanceKilometres(shop, metresAway(shop, east, north))).toBeCloseTo(0.05, 4);
});

test('a ring is cut at the window, and one around the window fills it', () => {
  const around = [
    { x: -5000, y: -5000 },
    { x: 5000, y: -5000 },
    { x: 5000, y: 5000 },
    { x: -5000, y: 5000 },
  ];
  const cut = clipRing(around, size, 10);
  expect(new Set(cut.map(({ x }) => x))).toEqual(new Set([-10, 610]));
  expect(new Set(cut.map(({ y }) => y))).toEqual(new Set([-10, 310]));
  const inside = [
    { x: 10, y: 10 },
    { x: 20, y: 10 },
    { x: 20, y: 20 },
  ];
  expect(clipRing(inside, size)).toEqual(inside);
  expect(
    clipRing(
      inside.map(({ x, y }) => ({ x: x + 1000, y })),
      size,
    ),
  ).toEqual([]);
});

const named = (name: string, x: number, y: number) => ({ name, x, y });
const namesOf = (labels: ReturnType<typeof named>[], point: { x: number; y: number } | null = null) =>
  withRoom(labels, size, { gap: 0, point }).map(({ name }) => name);

test('a name that would cover an earlier one, the point or the scale is left out', () => {
  const labels = [named('Antananarivo', 0, 100), named('Ivato', 30, 105), named('Itaosy', 0, 140)];
  expect(namesOf(labels)).toEqual(['Antananarivo', 'Itaosy']);
  expect(namesOf(labels, { x: 20, y: 143 })).toEqual(['Antananarivo']);
  expect(namesOf([named('Ivato', 30, 5), named('Itaosy', 0, 290)])).toEqual([]);
});

test('a name that would end outside of the window stands before its mark, and is left out where it fits on neither side', () => {
  const [left, right] = withRoom([named('Toliara', 20, 50), named('Toamasina', 590, 100)], size, {
    gap: 0,
    point: null,
  });
  expect(left?.start).toBeGreaterThan(20);
  expect(right?.start).toBeLessThan(590 - 9 * 6);
  expect(namesOf([named('A name as long as the window '.repeat(3), 300, 50)])).toEqual([]);
});
