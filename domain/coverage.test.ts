import { describe, expect, test } from 'vitest';
import { type CoverageSite, coverageAt, offeredGenerations, receptionAt, usableSites } from './coverage.ts';

const at = { lat: -19, lng: 47 };
/** A site this many kilometres to the north. */
const site = (kilometres: number, ...offered: number[]): CoverageSite => ({
  latitude: at.lat + kilometres / 111.195,
  longitude: at.lng,
  title: `at ${kilometres} km`,
  _2Gservice: offered.includes(2),
  _3Gservice: offered.includes(3),
  _4Gservice: offered.includes(4),
  _5Gservice: offered.includes(5),
});

test('COV-1 the result has the newest reliable generation, and its nearest site', () => {
  const { best, byGeneration, nearest } = coverageAt(at, [site(2.1, 2, 3, 4), site(0.5, 2), site(30, 5)]);
  expect(best).toMatchObject({ generation: '4G', reception: 'outdoors' });
  expect(best?.kilometres).toBeCloseTo(2.1, 2);
  expect(byGeneration.map(({ generation, reception }) => `${generation} ${reception}`)).toEqual([
    '5G none',
    '4G outdoors',
    '3G outdoors',
    '2G indoors',
  ]);
  expect(nearest[0]).toMatchObject({ title: 'at 0.5 km', direction: 'n', generations: ['2G'] });
});

test('edge coverage is the result if nothing better is there; far from all sites there is none', () => {
  expect(coverageAt(at, [site(6, 4), site(15, 2)]).best).toMatchObject({ generation: '4G', reception: 'edge' });
  expect(coverageAt(at, [site(6, 4), site(9, 2)]).best).toMatchObject({ generation: '2G', reception: 'outdoors' });
  expect(coverageAt(at, [site(60, 2, 3, 4)]).best).toBeNull();
});

test('5G reaches as far as its circle is drawn', () => {
  expect(receptionAt('5G', 0.3)).toBe('outdoors');
  expect(receptionAt('5G', 0.301)).toBe('edge');
});

describe('sites as they come', () => {
  test('may be none at all', () => {
    expect(coverageAt(at, [])).toEqual({ byGeneration: [], best: null, nearest: [] });
    expect(offeredGenerations([])).toEqual([]);
  });

  test('COV-2 only generations that some site has are offered', () => {
    expect(offeredGenerations([site(1, 2), site(2, 2, 4)])).toEqual(['4G', '2G']);
  });

  test('without valid coordinates are left out', () => {
    const broken = [null, {}, { latitude: 'x', longitude: 47 }, { latitude: Number.NaN, longitude: 1 }, 'site'];
    expect(usableSites([...broken, site(1, 2)])).toHaveLength(1);
    expect(usableSites({ sites: [] })).toEqual([]);
    expect(usableSites(null)).toEqual([]);
  });

  test('may be a hundred thousand', () => {
    const many = Array.from({ length: 100_000 }, (_, index) => site((index % 900) / 3, 2, 4));
    expect(coverageAt(at, many).nearest).toHaveLength(5);
  });
});

test('the exact range of a site counts as covered', () => {
  expect([0.15, 0.6, 0.601].map((kilometres) => receptionAt('5G', kilometres))).toEqual(['indoors', 'edge', 'none']);
});

test('a newer generation that is only at the edge gives way to an older one indoors', () => {
  expect(coverageAt(at, [site(6, 4), site(1, 2)]).best).toMatchObject({ generation: '2G', reception: 'indoors' });
});
