import type { LoadContext, Loaded } from '../../lib/screen.ts';
import type { HomeLoaded } from './home-content.ts';
import { loadHome } from './load-home.ts';

export async function load(context: LoadContext): Promise<Loaded<HomeLoaded>> {
  return { loaded: await loadHome(context.api, context) };
}
