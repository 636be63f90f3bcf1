import { type CoverageSite, type Generation, offers } from '@portal/domain/coverage.ts';
import type { Bounds } from '@portal/domain/geo.ts';
import Supercluster from 'supercluster';

/** From this zoom on every site has its own marker. */
export const singleFromZoom = 13;
/** The map's minimum zoom, so nothing is clustered below it. */
const leastZoom = 5;

export type SiteMark =
  | { kind: 'cluster'; id: string; lat: number; lng: number; count: number; expandsAt: number }
  | { kind: 'site'; id: string; site: CoverageSite };

export interface SiteClusters {
  marks(bounds: Bounds, zoom: number): SiteMark[];
  /** Number of sites, not clusters. */
  count(bounds: Bounds): number;
}

/** Sites that offer a generation, or all of them, clustered where they would overlap. */
export function clusterSites(sites: readonly CoverageSite[], generation: Generation | null): SiteClusters {
  const fitting = generation ? sites.filter((site) => offers(site, generation)) : sites;
  const index = new Supercluster<{ index: number }>({ radius: 72, minZoom: leastZoom, maxZoom: singleFromZoom - 1 });
  index.load(
    fitting.map(({ latitude, longitude }, position) => ({
      type: 'Feature',
      properties: { index: position },
      geometry: { type: 'Point', coordinates: [longitude, latitude] },
    })),
  );
  return {
    marks: ({ west, south, east, north }, zoom) =>
      index
        .getClusters([west, south, east, north], Math.round(zoom))
        .flatMap(({ properties, geometry }): SiteMark[] => {
          const [lng = 0, lat = 0] = geometry.coordinates;
          if ('cluster' in properties) {
            const { cluster_id: id, point_count: count } = properties;
            return [{ kind: 'cluster', id: `c${id}`, lat, lng, count, expandsAt: index.getClusterExpansionZoom(id) }];
          }
          const site = fitting[properties.index];
          return site ? [{ kind: 'site', id: `s${properties.index}`, site }] : [];
        }),
    count: ({ west, south, east, north }) =>
      fitting.filter(
        ({ latitude, longitude }) => latitude >= south && latitude <= north && longitude >= west && longitude <= east,
      ).length,
  };
}
