import { expect, test } from 'vitest';
import { isInWater, nearestTo, placesNamed } from './known-places.ts';

const place = (name: string, region: string, lat: number, lng: number, otherNames: string[] = []) => ({
  ...{ name, region, lat, lng, otherNames },
});
const places = [
  place('Antananarivo', 'Analamanga', -18.91, 47.54, ['Tana']),
  place('Toamasina', 'Atsinanana', -18.15, 49.4, ['Tamatave']),
  place('Mahabo', 'Menabe', -20.38, 44.66),
  place('Mahabo', 'Atsimo-Atsinanana', -23.19, 47.68),
];
/** A square of land, and an island. */
const land = [
  [
    [44, -25],
    [49.42, -25],
    [49.42, -13],
    [44, -13],
  ],
  [
    [49.8, -17],
    [50, -17],
    [50, -16.7],
  ],
] as const;

test('a town is found by each of its names, whatever its case', () => {
  expect(placesNamed(places, 'tamatave').map(({ name }) => name)).toEqual(['Toamasina']);
  expect(placesNamed(places, '  ')).toEqual([]);
  expect(placesNamed(places, 'Nowhere')).toEqual([]);
});

test('of several places with a name, the region chooses', () => {
  expect(placesNamed(places, 'Mahabo')).toHaveLength(2);
  expect(placesNamed(places, 'Mahabo', 'menabe').map(({ region }) => region)).toEqual(['Menabe']);
  expect(placesNamed(places, 'Mahabo', 'no such region')).toHaveLength(2);
});

test('the nearest place is told with its distance', () => {
  expect(nearestTo({ lat: -18.91, lng: 47.54 }, places)).toMatchObject({
    place: { name: 'Antananarivo' },
    kilometres: 0,
  });
  expect(nearestTo({ lat: 0, lng: 0 }, [])).toBeNull();
});

test('the sea is water; the land, an island, the kilometre before the coast, and an operator without a coast are not', () => {
  expect(isInWater({ lat: -18.9, lng: 47.5 }, land)).toBe(false);
  expect(isInWater({ lat: -16.9, lng: 49.95 }, land)).toBe(false);
  expect(isInWater({ lat: -18.15, lng: 49.425 }, land)).toBe(false);
  expect(isInWater({ lat: -18.15, lng: 49.6 }, land)).toBe(true);
  expect(isInWater({ lat: -18.15, lng: 43 }, land)).toBe(true);
  expect(isInWater({ lat: -18.15, lng: 43 }, [])).toBe(false);
});
