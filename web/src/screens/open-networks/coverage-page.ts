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
import type { Answer, Api } from '../../lib/api.ts';
import type { Page } from '../../lib/page.tsx';

export interface CoverageLoaded {
  query: string;
  answer: PlaceAnswer | null;
  /** What was worked out for the place; without script this is all there is. */
  coverage: Coverage | null;
  offered: Generation[];
}

export const sitesQuery = (opco: string) => ({ opco, pageUrl: '/fetch-sites-data-5g' });

/** Or why the content service did not give them. */
export async function fetchSites(
  api: Api,
  { opco }: Pick<Page['operator'], 'opco'>,
  signal?: AbortSignal,
): Promise<Answer<CoverageSite[]>> {
  const answer = await api('activePackage', {
    query: sitesQuery(opco),
    ...(signal ? { signal } : {}),
  });
  // An operator may have none to tell of: that is an answer.
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

/** The facts about a place, with the nearest sites that fit the filter. */
export function coverageOf(place: Place, sites: readonly CoverageSite[], generation: Generation | null): Coverage {
  const whole = coverageAt(place, sites);
  if (!generation) return whole;
  const fitting = sites.filter((site) => offers(site, generation));
  return { ...whole, nearest: coverageAt(place, fitting).nearest };
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
    offered: sites ? offeredGenerations(sites) : [],
  };
}
