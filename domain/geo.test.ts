import { describe, expect, test } from 'vitest';
import {
  directionTo,
  distanceKilometres,
  insideOrSwapped,
  isInside,
  isOnEarth,
  mercator,
  mercatorDegrees,
  otherSign,
  readCoordinates,
} from './geo.ts';

const bounds = { south: -26.2, west: 42.6, north: -11.5, east: 51.2 };
const tana = { lat: -18.91368, lng: 47.53613 };

/** On the ellipsoid of WGS 84, by the formula of Vincenty. */
function ellipsoidKilometres(from: typeof tana, to: typeof tana): number {
  const [a, f] = [6_378.137, 1 / 298.257223563];
  const b = a * (1 - f);
  const rad = Math.PI / 180;
  const L = (to.lng - from.lng) * rad;
  const [U1, U2] = [Math.atan((1 - f) * Math.tan(from.lat * rad)), Math.atan((1 - f) * Math.tan(to.lat * rad))];
  let lambda = L;
  let [sinS, cosS, sigma, cos2, cosM] = [0, 0, 0, 0, 0];
  for (let turn = 0; turn < 50; turn += 1) {
    sinS = Math.hypot(
      Math.cos(U2) * Math.sin(lambda),
      Math.cos(U1) * Math.sin(U2) - Math.sin(U1) * Math.cos(U2) * Math.cos(lambda),
    );
    cosS = Math.sin(U1) * Math.sin(U2) + Math.cos(U1) * Math.cos(U2) * Math.cos(lambda);
    sigma = Math.atan2(sinS, cosS);
    const sinA = sinS === 0 ? 0 : (Math.cos(U1) * Math.cos(U2) * Math.sin(lambda)) / sinS;
    cos2 = 1 - sinA * sinA;
    cosM = cos2 === 0 ? 0 : cosS - (2 * Math.sin(U1) * Math.sin(U2)) / cos2;
    const C = (f / 16) * cos2 * (4 + f * (4 - 3 * cos2));
    lambda = L + (1 - C) * f * sinA * (sigma + C * sinS * (cosM + C * cosS * (-1 + 2 * cosM * cosM)));
  }
  const u2 = (cos2 * (a * a - b * b)) / (b * b);
  const A = 1 + (u2 / 16_384) * (4_096 + u2 * (-768 + u2 * (320 - 175 * u2)));
  const B = (u2 / 1_024) * (256 + u2 * (-128 + u2 * (74 - 47 * u2)));
  const delta = B * sinS * (cosM + (B / 4) * cosS * (-1 + 2 * cosM * cosM));
  return b * A * (sigma - delta);
}

test('STO-1 distances are right to 1 % against the ellipsoid, near and far, all over the island', () => {
  for (let lat = -26; lat <= -12; lat += 2) {
    for (const [north, east] of [
      [0.001, 0],
      [0, 0.002],
      [0.3, 0.4],
      [-0.9, 0.1],
      [5, -3],
      [-7, 2],
    ] as const) {
      const [from, to] = [
        { lat, lng: 47 },
        { lat: lat + north, lng: 47 + east },
      ];
      const exact = ellipsoidKilometres(from, to);
      expect(Math.abs(distanceKilometres(from, to) - exact) / exact).toBeLessThan(0.01);
    }
  }
  expect(distanceKilometres(tana, tana)).toBe(0);
  expect(distanceKilometres(tana, { lat: -18.1492, lng: 49.40234 })).toBeCloseTo(214, 0);
});

test('directions are those of a compass', () => {
  const from = { lat: -19, lng: 47 };
  expect(directionTo(from, { lat: -18, lng: 47 })).toBe('n');
  expect(directionTo(from, { lat: -18, lng: 48 })).toBe('ne');
  expect(directionTo(from, { lat: -19, lng: 46 })).toBe('w');
  expect(directionTo(from, { lat: -20, lng: 47.01 })).toBe('s');
  expect(directionTo(from, { lat: -20, lng: 46 })).toBe('sw');
});

describe('coordinates as people type them', () => {
  test.each([
    ['-18.91, 47.53', { lat: -18.91, lng: 47.53 }],
    [' -18.91 47.53 ', { lat: -18.91, lng: 47.53 }],
    ['-18.91°; 47.53°', { lat: -18.91, lng: 47.53 }],
    ['501', null],
    ['12 501', null],
    ['Lot 12.5, 47.1 Analakely', null],
    ['', null],
    ['1e9,5.5', null],
  ])('%j', (text, point) => {
    expect(readCoordinates(text)).toEqual(point);
  });

  test('swapped ones are corrected, others outside the bounds are null', () => {
    expect(insideOrSwapped({ lat: 47.53, lng: -18.91 }, bounds)).toEqual({ lat: -18.91, lng: 47.53 });
    expect(insideOrSwapped({ lat: 48.85, lng: 2.35 }, bounds)).toBeNull();
  });
});

test('the Mercator projection keeps nearby distances in proportion, and is finite at the poles', () => {
  const { x, y } = mercator(tana);
  const other = { lat: -18.2, lng: 47.9 };
  const away = Math.hypot(mercator(other).x - x, mercator(other).y - y);
  expect(away / mercatorDegrees(distanceKilometres(tana, other), tana.lat)).toBeCloseTo(1, 1);
  expect(Number.isFinite(mercator({ lat: -90, lng: 0 }).y)).toBe(true);
});

test('a place on an edge of the bounds is inside, one beyond any of them is not', () => {
  const { south, west, north, east } = bounds;
  const [lat, lng] = [-20, 45];
  for (const point of [
    { lat: south, lng },
    { lat: north, lng },
    { lat, lng: west },
    { lat, lng: east },
  ])
    expect(isInside(point, bounds), JSON.stringify(point)).toBe(true);
  for (const point of [
    { lat: south - 0.1, lng },
    { lat: north + 0.1, lng },
    { lat, lng: west - 0.1 },
    { lat, lng: east + 0.1 },
  ])
    expect(isInside(point, bounds), JSON.stringify(point)).toBe(false);
});

test('coordinates are limited to the poles and the date line', () => {
  for (const [lat, lng] of [
    [90, 180],
    [-90, -180],
    [0, 0],
  ] as const)
    expect(isOnEarth({ lat, lng })).toBe(true);
  for (const [lat, lng] of [
    [90.1, 0],
    [-90.1, 0],
    [0, 180.1],
    [0, -180.1],
  ] as const)
    expect(isOnEarth({ lat, lng })).toBe(false);
});

test('directions allow for shorter degrees of longitude far from the equator', () => {
  const from = { lat: 60, lng: 10 };
  expect(directionTo(from, { lat: 61, lng: 10.7 })).toBe('n');
  expect(directionTo(from, { lat: 61, lng: 12 })).toBe('ne');
});

test('north is up on the map', () => {
  expect(mercator({ lat: -18, lng: 47 }).y).toBeGreaterThan(mercator({ lat: -19, lng: 47 }).y);
  expect(mercator({ lat: 45, lng: 0 }).y).toBeCloseTo(50.5, 1);
  expect(mercator({ lat: -18, lng: 47 }).x).toBe(47);
});

test.each([
  ['18.5 47', { lat: 18.5, lng: 47 }],
  ['-18, 47.5', { lat: -18, lng: 47.5 }],
  ['+18.5, -47.5', { lat: 18.5, lng: -47.5 }],
  ['-18.91 , 47.53 !', null],
  ['-18.91, 47.53x', null],
  ['-18.91, 47.53°x', null],
  ['x-18.91, 47.53', null],
  ['-18.91, x47.53', null],
])('%j typed as coordinates gives %j', (text, point) => {
  expect(readCoordinates(text)).toEqual(point);
});

test('CNS-12 a point outside whose sign was forgotten is found inside with the other sign, and nothing else is guessed', () => {
  const point = { lat: -18.8792, lng: 47.5079 };
  expect(otherSign({ ...point, lat: 18.8792 }, bounds)).toEqual(point);
  expect(otherSign({ ...point, lng: -47.5079 }, bounds)).toEqual(point);
  expect(otherSign({ lat: 18.8792, lng: -47.5079 }, bounds)).toEqual(point);
  expect(otherSign({ lat: 48.85, lng: 2.35 }, bounds)).toBeNull();
  // What is inside has the right sign.
  expect(otherSign({ lat: 1, lng: 2 }, { south: -5, west: 0, north: 5, east: 5 })).toBeNull();
});
