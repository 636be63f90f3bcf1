import * as errorCodes from '@portal/contract/error-codes.ts';
import {
  type Coverage,
  type CoverageSite,
  coverageAt,
  type Generation,
  generations,
  offeredGenerations,
  offers,
  usableSites,
} from '@portal/domain/coverage.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { findPlace, type Place, type PlaceAnswer } from '../../features/map/find-place.ts';
import { townsWithShops } from '../../features/map/find-towns.ts';
import type { Answer, Api } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';

export interface CoverageLoaded {
  query: string;
  answer: PlaceAnswer | null;
  /** The coverage at the place; without script this is everything. */
  coverage: Coverage | null;
  offered: Generation[];
  /** The coverage of the larger towns; only when no place is searched. */
  towns: TownCoverage[];
}

export interface TownCoverage {
  town: string;
  /** The newest generation with reliable coverage. */
  generation: Generation | null;
}

export const sitesQuery = (opco: string) => ({ opco, pageUrl: '/fetch-sites-data-5g' });

/** Or why the content service did not return them. */
export async function fetchSites(
  api: Api,
  { opco }: Pick<Page['operator'], 'opco'>,
  signal?: AbortSignal,
): Promise<Answer<CoverageSite[]>> {
  const answer = await api('activePackage', {
    query: sitesQuery(opco),
    ...(signal ? { signal } : {}),
  });
  // An operator may have no sites: that is a valid answer.
  if (!answer.ok) return answer.code === errorCodes.notFound ? { ok: true, result: [] } : answer;
  try {
    return { ok: true, result: usableSites(JSON.parse(answer.result.packageHtml)), keptAt: answer.keptAt };
  } catch {
    return { ok: false, code: 'UNKNOWN', message: 'Something Went Wrong!' };
  }
}

export const readGeneration = (text: string | undefined): Generation | null =>
  generations.find((generation) => generation === text) ?? null;

export const coverageAddress = (query: string, generation: Generation | null): string =>
  withQuery(paths.openNetworks, { q: query, technology: generation });

/** The coverage at a place, with the nearest sites that match the filter. */
export function coverageOf(place: Place, sites: readonly CoverageSite[], generation: Generation | null): Coverage {
  const whole = coverageAt(place, sites);
  if (!generation) return whole;
  const fitting = sites.filter((site) => offers(site, generation));
  return { ...whole, nearest: coverageAt(place, fitting).nearest };
}

/** Each town at the point its own link searches, so that the list and the page behind it never differ. */
async function townCoverage(
  api: Api,
  operator: Pick<Page['operator'], 'opco'>,
  sites: readonly CoverageSite[],
): Promise<TownCoverage[]> {
  const towns = await townsWithShops(api, operator);
  return Promise.all(
    towns.map(async (town) => {
      const answer = await findPlace(api, town);
      const best = answer.kind === 'place' ? coverageAt(answer.place, sites).best : null;
      return { town, generation: best && best.reception !== 'edge' ? best.generation : null };
    }),
  );
}

export async function loadCoverage(
  api: Api,
  operator: Pick<Page['operator'], 'opco'>,
  query: Readonly<Record<string, string>>,
): Promise<CoverageLoaded> {
  const text = query.q?.trim() ?? '';
  const [found, answer] = await Promise.all([fetchSites(api, operator), text === '' ? null : findPlace(api, text)]);
  const sites = found.ok ? found.result : null;
  const place = answer?.kind === 'place' ? answer.place : null;
  return {
    query: text,
    answer,
    coverage: place && sites ? coverageOf(place, sites, readGeneration(query.technology)) : null,
    towns: text === '' && sites ? await townCoverage(api, operator, sites) : [],
    offered: sites ? offeredGenerations(sites) : [],
  };
}
