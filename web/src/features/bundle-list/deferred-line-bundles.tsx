import { Suspense } from 'react';
import { deferred } from '../../loading/deferred.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { LineBundlesProps } from './line-bundles.tsx';

const load = () => import('./line-bundles.tsx').then((module) => module.LineBundles);
// The server renders the list with the page where it knows the line; in the browser its script loads after the
// form's.
const Loaded = import.meta.env.SSR ? await load() : deferred(load);

export function LineBundles(props: LineBundlesProps) {
  return (
    <Suspense fallback={<Skeleton height={48} lines={6} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
