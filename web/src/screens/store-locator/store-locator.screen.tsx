import { mapDefaults } from '@portal/domain/constants.ts';
import { paths, shopsPath, withQuery } from '@portal/domain/paths.ts';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { shopsQuery } from '../../features/map/find-shops.ts';
import { KeptResults } from '../../features/map/kept-results.tsx';
import { lastPlace } from '../../features/map/last-place.ts';
import { type MapLayers, MapView } from '../../features/map/map-view.tsx';
import { PlaceSearch } from '../../features/map/place-search.tsx';
import { TownLinks, useTowns } from '../../features/map/town-links.tsx';
import { useToast } from '../../features/toast/use-toast.ts';
import { useHydrated } from '../../lib/hydrated.ts';
import { Link } from '../../lib/link.tsx';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { useLatestSignal } from '../../lib/use-call.ts';
import { retrying } from '../../loading/deferred.ts';
import { keepAnswer } from '../../offline/keep-answer.ts';
import { Button } from '../../ui/button.tsx';
import { MapPinIcon } from '../../ui/page-icons.tsx';
import { StoreList } from './store-list.tsx';
import styles from './store-locator.module.css';
import { StoreNotice } from './store-notice.tsx';
import { foundIn, locate, type StoreSearch, type StoresLoaded, searchStores, storesAround } from './store-search.ts';

/** Lazy, because few people choose a place on the map. */
const LocationDialog = lazy(() =>
  retrying(() => import('../../features/map/location-dialog.tsx')).then((module) => ({
    default: module.LocationDialog,
  })),
);

export function Screen({ loaded }: ScreenProps<StoresLoaded>) {
  const page = usePage();
  const { t, api, operator, query, language } = page;
  const hydrated = useHydrated();
  const [search, setSearch] = useState<StoreSearch>(loaded?.search ?? { state: 'none' });
  const [searched, setSearched] = useState(loaded?.query ?? '');
  const [isEmpty, setEmpty] = useState(false);
  const [choice, setChoice] = useState<'never' | 'open' | 'closed'>('never');
  const [active, setActive] = useState<number | null>(null);
  const latest = useLatestSignal();
  const towns = useTowns(loaded?.towns ?? [], search.state === 'none');
  const results = useRef<HTMLDivElement>(null);
  const toast = useToast();
  const onReady = useShopMap(search, active, (index) => {
    setActive(index);
    results.current?.querySelectorAll<HTMLElement>('[data-shop]')[index]?.focus();
  });

  /** A newer search replaces an older one. */
  async function ask(first: StoreSearch, question: (signal: AbortSignal) => Promise<StoreSearch>) {
    const signal = latest.next();
    setEmpty(false);
    setActive(null);
    setSearch(first);
    const next = await question(signal);
    if (signal.aborted) return;
    if (next.state === 'failed') toast.failed(next.failure);
    setSearch(next);
  }

  /** Empty for shops around a point that was not typed: the field must not name another place. */
  function remember(text: string) {
    if (text === searched) return;
    setSearched(text);
    page.navigate(withQuery(page.path, { q: text }), { stay: true });
  }

  function searchFor(text: string) {
    if (text.trim() === '') return setEmpty(true);
    remember(text.trim());
    ask({ state: 'asking' }, (signal) => searchStores(api, operator, text, signal));
  }

  function useCurrentLocation() {
    const before = foundIn(search);
    ask({ state: 'locating', before }, async (signal) => {
      const found = await locate(navigator.geolocation, operator.map.bounds);
      if (found.kind !== 'here') return { state: found.kind, before };
      const around = await storesAround(api, operator, { ...found.point, label: null }, signal);
      if (!signal.aborted && around.state === 'found') remember('');
      return around.state === 'found' ? { ...around, accuracyKilometres: found.accuracyKilometres } : around;
    });
  }

  // Back, forward and links change the search text in the URL.
  const addressed = query.q?.trim() ?? '';
  const follow = useEffectEvent((text: string) => {
    if (text === searched) return;
    setSearched(text);
    if (text === '') ask({ state: 'none' }, async () => ({ state: 'none' }));
    else ask({ state: 'asking' }, (signal) => searchStores(api, operator, text, signal));
  });
  useEffect(() => follow(addressed), [addressed]);

  useEffect(() => lastPlace.write('stores', searched), [searched]);
  // Offline nothing new can be found, so the last result is shown again.
  const opened = useEffectEvent(() => {
    // The page's own result was loaded by the server, so the worker has not cached it yet.
    if (loaded?.search.state === 'found') {
      keepAnswer('suggestPlaces', { q: loaded.query }, language.code);
      keepAnswer('shops', shopsQuery(operator, loaded.search.place), language.code, operator.brand.slug);
    }
    const last = lastPlace.read('stores');
    if (!navigator.onLine && addressed === '' && last)
      page.navigate(withQuery(page.path, { q: last }), { replace: true, stay: true });
  });
  useEffect(() => opened(), []);

  const found = foundIn(search);
  return (
    <div className={styles.page}>
      <div className={styles.search}>
        <h1>{t('stores.title', { brand: operator.brand.name })}</h1>
        <p className={styles.lead}>{t('stores.lead')}</p>
        <PlaceSearch
          label={t('stores.cityPincode')}
          placeholder={t('stores.enter')}
          error={isEmpty ? t('map.empty') : undefined}
          action={page.href(page.path === paths.storeLocatorAlias ? paths.storeLocatorAlias : paths.storeLocator)}
          initial={searched}
          busy={search.state === 'asking'}
          onSearch={searchFor}
          onChoose={(place) => {
            remember(place.label);
            ask({ state: 'asking' }, (signal) => storesAround(api, operator, place, signal));
          }}
        />
        <div className={`${styles.or} needs-script`}>
          <span>{t('stores.or')}</span>
          <Button kind="secondary" disabled={!hydrated} busy={search.state === 'locating'} onClick={useCurrentLocation}>
            <MapPinIcon size={20} />
            {t('stores.useCurrentLocation')}
          </Button>
          <Button kind="quiet" disabled={!hydrated} onClick={() => setChoice('open')}>
            {t('stores.chooseOnMap')}
          </Button>
        </div>
        {choice !== 'never' && (
          <Suspense>
            <LocationDialog
              open={choice === 'open'}
              title={t('stores.chooseTitle')}
              start={found?.place ?? null}
              zoom={found ? mapDefaults.leadZoom : mapDefaults.coverageZoom}
              onClose={() => setChoice('closed')}
              onConfirm={({ lat, lng, address }) => {
                setChoice('closed');
                remember('');
                ask({ state: 'asking' }, (signal) => storesAround(api, operator, { lat, lng, label: address }, signal));
              }}
            />
          </Suspense>
        )}
      </div>
      <div className={styles.notice}>
        <KeptResults since={found?.keptAt} />
        <StoreNotice search={search} query={searched} />
        {search.state === 'none' && (
          <TownLinks heading={t('stores.towns')} towns={towns} hrefOf={(town) => withQuery(page.path, { q: town })}>
            <Link href={shopsPath(operator.brand.slug)}>{t('common.shopList', { brand: operator.brand.name })}</Link>
          </TownLinks>
        )}
      </div>
      <div className={styles.map}>
        <Suspense>
          <MapView
            label={t('stores.mapLabel')}
            view={found ? { centre: found.place, zoom: mapDefaults.coverageZoom } : null}
            onReady={onReady}
          />
        </Suspense>
      </div>
      <div ref={results} className={styles.results}>
        {found && found.shops.length > 0 && <StoreList found={found} active={active} onActive={setActive} />}
      </div>
    </div>
  );
}

/** Synchronises the pins with the list. */
function useShopMap(search: StoreSearch, active: number | null, onChoose: (index: number) => void) {
  const [layer, setLayer] = useState<ReturnType<MapLayers['showShops']> | null>(null);
  const choose = useRef(onChoose);
  useEffect(() => {
    choose.current = onChoose;
  });
  useEffect(() => {
    if (search.state === 'asking' || search.state === 'locating') return;
    const found = foundIn(search);
    const pins = found?.shops.map(({ lat, lng, name }) => ({ lat, lng, title: name })) ?? [];
    layer?.setShops(pins, found?.place ?? null);
  }, [layer, search]);
  useEffect(() => layer?.setActive(active), [layer, active]);
  return (map: Parameters<MapLayers['showShops']>[0], layers: MapLayers) =>
    setLayer(layers.showShops(map, (index) => choose.current(index)));
}
