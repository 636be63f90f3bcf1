import { type CompassPoint, directionTo, distanceKilometres, type Point } from './geo.ts';

/** A radio site as the content service returns it. */
export interface CoverageSite {
  latitude: number;
  longitude: number;
  title: string;
  _2Gservice: boolean;
  _3Gservice: boolean;
  _4Gservice: boolean;
  _5Gservice: boolean;
}

export const generations = ['5G', '4G', '3G', '2G'] as const;
export type Generation = (typeof generations)[number];

export const offers = (site: CoverageSite, generation: Generation): boolean => site[`_${generation}service`];

/** Only generations that some site offers can be selected. */
export const offeredGenerations = (sites: readonly CoverageSite[]): Generation[] =>
  generations.filter((generation) => sites.some((site) => offers(site, generation)));

export type Reception = 'indoors' | 'outdoors' | 'edge' | 'none';

/**
 * The usual range of a site in kilometres: indoors, outdoors, and at best. For open country at the common frequencies
 * of each generation; hills and walls reduce it. It is an estimate, and the page says so.
 */
const reach: Record<Generation, readonly [indoors: number, outdoors: number, edge: number]> = {
  '5G': [0.15, 0.3, 0.6],
  '4G': [1.2, 4, 7],
  '3G': [1.5, 5, 9],
  '2G': [3, 10, 20],
};

export function receptionAt(generation: Generation, kilometres: number): Reception {
  const [indoors, outdoors, edge] = reach[generation];
  if (kilometres <= indoors) return 'indoors';
  if (kilometres <= outdoors) return 'outdoors';
  return kilometres <= edge ? 'edge' : 'none';
}

export interface NearSite {
  title: string;
  kilometres: number;
  direction: CompassPoint;
  generations: Generation[];
}

export interface GenerationCoverage {
  generation: Generation;
  reception: Reception;
  /** To the nearest site that offers it. */
  kilometres: number;
}

export interface Coverage {
  /** Newest first, only what this operator offers somewhere. */
  byGeneration: GenerationCoverage[];
  /** The main result: the newest reliable generation, else the newest at the edge. */
  best: GenerationCoverage | null;
  nearest: NearSite[];
}

const isUsable = (value: unknown): value is CoverageSite => {
  const site = value as Partial<CoverageSite> | null;
  return Number.isFinite(site?.latitude) && Number.isFinite(site?.longitude);
};

/** The sites from the content service that have valid coordinates. */
export const usableSites = (content: unknown): CoverageSite[] =>
  Array.isArray(content) ? content.filter(isUsable) : [];

export function coverageAt(point: Point, sites: readonly CoverageSite[], most = 5): Coverage {
  const away = sites.map((site) => {
    const at = { lat: site.latitude, lng: site.longitude };
    return { site, at, kilometres: distanceKilometres(point, at) };
  });
  away.sort((one, other) => one.kilometres - other.kilometres);
  const byGeneration = generations.flatMap((generation): GenerationCoverage[] => {
    const nearest = away.find(({ site }) => offers(site, generation));
    if (!nearest) return [];
    return [{ generation, reception: receptionAt(generation, nearest.kilometres), kilometres: nearest.kilometres }];
  });
  const best =
    byGeneration.find(({ reception }) => reception === 'indoors' || reception === 'outdoors') ??
    byGeneration.find(({ reception }) => reception === 'edge') ??
    null;
  return {
    byGeneration,
    best,
    nearest: away.slice(0, most).map(({ site, at, kilometres }) => ({
      title: site.title,
      kilometres,
      direction: directionTo(point, at),
      generations: generations.filter((generation) => offers(site, generation)),
    })),
  };
}
