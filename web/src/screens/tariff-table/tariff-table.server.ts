import { bundlesBody, type LoadedBundles } from '../../features/bundle-list/use-bundles.ts';
import type { LoadContext, Loaded } from '../../lib/screen.ts';

export async function load({ api, language }: LoadContext): Promise<Loaded<LoadedBundles | null>> {
  const wanted = {};
  const answer = await api('bundles', { body: bundlesBody(wanted) });
  return { loaded: answer.ok ? { language: language.code, wanted, bundles: answer.result } : null };
}
