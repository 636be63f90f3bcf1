import type { CoverageSite } from '@portal/domain/coverage.ts';
import { readPlaces } from '@portal/operators/places.ts';
import { expect, test } from 'vitest';
import { clusterSites, singleFromZoom } from './site-clusters.ts';

const { sites } = readPlaces('mg');
const island = { south: -26, west: 43, north: -11.5, east: 51 };
const counted = (zoom: number, generation: Parameters<typeof clusterSites>[1] = null) =>
  clusterSites(sites, generation)
    .marks(island, zoom)
    .reduce((sum, mark) => sum + (mark.kind === 'cluster' ? mark.count : 1), 0);

test('COV-2 clusters lose no site at any zoom, and the closest zoom shows each site', () => {
  for (const zoom of [5, 7, 9, 12, 13, 15]) expect(counted(zoom)).toBe(1_500);
  const close = clusterSites(sites, null).marks(island, singleFromZoom);
  expect(close.every(({ kind }) => kind === 'site')).toBe(true);
  expect(clusterSites(sites, null).marks(island, 5).length).toBeLessThan(40);
});

test('COV-2 a filter keeps only matching sites', () => {
  expect(counted(9, '5G')).toBe(97);
  expect(counted(9, '4G')).toBe(934);
  expect(clusterSites(sites, '5G').count(island)).toBe(97);
});

test('no sites and a hundred thousand sites', () => {
  expect(clusterSites([], null).marks(island, 9)).toEqual([]);
  const [model] = sites as [CoverageSite];
  const many = Array.from({ length: 100_000 }, (_, index) => ({
    ...model,
    latitude: -12 - (index % 317) / 25,
    longitude: 44 + (index % 293) / 45,
  }));
  expect(clusterSites(many, null).count(island)).toBe(100_000);
});
