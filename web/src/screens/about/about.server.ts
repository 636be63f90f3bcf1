import { paths } from '@portal/domain/paths.ts';
import type { LoadContext, Loaded } from '../../lib/screen.ts';
import type { AboutLoaded } from './about.screen.tsx';

export async function load({ path }: LoadContext): Promise<Loaded<AboutLoaded>> {
  const missing = path !== paths.about;
  return { loaded: { missing }, status: missing ? 404 : 200, noindex: missing };
}
