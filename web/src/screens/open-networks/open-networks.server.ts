import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type CoverageLoaded, loadCoverage } from './coverage-page.ts';

export async function load({ api, operator, query }: LoadContext): Promise<Loaded<CoverageLoaded>> {
  return { loaded: await loadCoverage(api, operator, query) };
}
