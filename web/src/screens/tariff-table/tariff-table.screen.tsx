import type { Bundle } from '@portal/domain/bundle.ts';
import {
  type BundleNeeds,
  type BundleSort,
  fitsNeeds,
  needsFields,
  readNeeds,
  readSort,
  sortBundles,
  sortField,
} from '@portal/domain/bundle-choice.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { Suspense, useEffect, useRef, useState } from 'react';
import { BundleFilter } from '../../features/bundle-list/bundle-filter.tsx';
import { type LoadedBundles, loadBundles, useBundles } from '../../features/bundle-list/use-bundles.ts';
import { usePage } from '../../lib/page.tsx';
import type { LoadContext, Loaded, ScreenProps } from '../../lib/screen.ts';
import type { Loadable } from '../../lib/use-call.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import styles from './tariff-table.module.css';
import { Tariffs } from './tariffs.tsx';

const addressOf = (needs: BundleNeeds, sort: BundleSort | null) =>
  withQuery(paths.tariffTable, { ...needsFields(needs), sort: sort ? sortField(sort) : '' });

export const load = async (context: LoadContext): Promise<Loaded<LoadedBundles | undefined>> => ({
  loaded: await loadBundles(context, {}),
});

/** Every bundle on sale. Filter and sort order are in the URL, so that a table can be shared. */
export function Screen({ loaded }: ScreenProps<Loadable<readonly Bundle[]>>) {
  const page = usePage();
  const { t, query, language } = page;
  const found = useBundles({}, loaded);
  const results = useRef<HTMLDivElement>(null);
  const { needs, sort, change } = useAddressed();

  const bundles = found.state === 'loaded' ? found.bundles : [];
  const fitting = bundles.filter((bundle) => fitsNeeds(bundle, needs));
  const shown = sort ? sortBundles(fitting, sort, language.locale) : fitting;
  const count = shown.length === 1 ? t('bundles.countOne') : t('bundles.count', { count: shown.length });
  return (
    <div className={styles.page}>
      <div>
        <h1>{t('table.title')}</h1>
        <p className={styles.lead}>{t('table.lead')}</p>
      </div>
      {found.state === 'loading' && <Skeleton height={48} lines={12} />}
      {found.state === 'failed' && (
        <Notice
          kind="failure"
          role="alert"
          title={found.message}
          action={<Button onClick={found.retry}>{t('common.tryAgain')}</Button>}
        />
      )}
      {found.state === 'loaded' && (
        <>
          <BundleFilter
            bundles={bundles}
            needs={needs}
            sort={sort}
            onChange={change}
            onSubmit={() => results.current?.focus()}
            action={page.href(paths.tariffTable)}
          />
          <div ref={results} tabIndex={-1} className={styles.results}>
            <p role="status" className={styles.lead}>
              {shown.length === 0 ? t('bundles.noData') : `${count} · ${t('table.hint')}`}
            </p>
            {/* A hundred rows are hydrated when the browser is idle, or at once when one is touched. */}
            <Suspense>
              <Tariffs
                bundles={shown}
                sort={sort}
                sortedBy={(next) => addressOf(readNeeds(query), next)}
                onSort={(next) => change({}, next)}
              />
            </Suspense>
          </div>
        </>
      )}
    </div>
  );
}

/** The URL is the source of truth; the field being typed in is ahead of it for a moment. */
function useAddressed() {
  const page = usePage();
  const address = addressOf(readNeeds(page.query), readSort(page.query.sort));
  const [draft, setDraft] = useState({ needs: readNeeds(page.query), sort: readSort(page.query.sort) });
  // Read from a ref, ahead of the next render: input made before hydration arrives as several changes at once.
  const latest = useRef(draft);
  // URLs that were set and not rendered yet, oldest first: fast typing is ahead of the URL.
  const written = useRef([address]);

  // Going back or forward shows the URL's values.
  useEffect(() => {
    const own = written.current.indexOf(address);
    written.current = own < 0 ? [address] : written.current.slice(own);
    if (own >= 0) return;
    latest.current = { needs: readNeeds(page.query), sort: readSort(page.query.sort) };
    setDraft(latest.current);
  }, [address, page.query]);

  return {
    ...draft,
    change(some: Partial<BundleNeeds>, nextSort?: BundleSort | null) {
      const needs = { ...latest.current.needs, ...some };
      const sort = nextSort === undefined ? latest.current.sort : nextSort;
      latest.current = { needs, sort };
      setDraft(latest.current);
      const next = addressOf(needs, sort);
      written.current.push(next);
      page.navigate(next, { replace: true, stay: true });
    },
  };
}
