import { mapDefaults } from '@portal/domain/constants.ts';
import type { CoverageSite, Generation } from '@portal/domain/coverage.ts';
import { offeredGenerations } from '@portal/domain/coverage.ts';
import type { Point } from '@portal/domain/geo.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import { Suspense, useEffect, useEffectEvent, useMemo, useReducer, useRef, useState } from 'react';
import { countryName, findPlace, type Place, type PlaceAnswer } from '../../features/map/find-place.ts';
import { KeptResults } from '../../features/map/kept-results.tsx';
import { lastPlace } from '../../features/map/last-place.ts';
import { type MapLayers, MapView } from '../../features/map/map-view.tsx';
import { PlaceSearch } from '../../features/map/place-search.tsx';
import type { PortalMap } from '../../features/map/portal-map.ts';
import { TownLinks, useTowns } from '../../features/map/town-links.tsx';
import { useToast } from '../../features/toast/use-toast.ts';
import { messageOr } from '../../lib/api.ts';
import { usePage } from '../../lib/page.tsx';
import type { ScreenProps } from '../../lib/screen.ts';
import { useCall, useLatestSignal } from '../../lib/use-call.ts';
import { keepAnswer } from '../../offline/keep-answer.ts';
import { ChipRow, ChoiceChip } from '../../ui/chip.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CoverageAnswer, NearestSites, SiteSign, signs } from './coverage-answer.tsx';
import {
  type CoverageLoaded,
  coverageAddress,
  coverageOf,
  fetchSites,
  readGeneration,
  sitesQuery,
} from './coverage-page.ts';
import styles from './open-networks.module.css';

const labels: Record<Generation, string> = {
  '2G': 'coverage.two_g',
  '3G': 'coverage.three_g',
  '4G': 'coverage.four_g',
  '5G': 'coverage.five_g',
};
const oldestFirst = (offered: readonly Generation[]) => [...offered].reverse();

const viewAround = (place: Point | null, { map }: PublicPack) =>
  place ? { centre: place, zoom: mapDefaults.searchZoom } : { centre: map.centre, zoom: mapDefaults.coverageZoom };

export function Screen({ loaded }: ScreenProps<CoverageLoaded>) {
  const page = usePage();
  const { t, query, operator, language } = page;
  const [answer, setAnswer] = useState<PlaceAnswer | null>(loaded?.answer ?? null);
  const [searched, setSearched] = useState(loaded?.query ?? '');
  const [asking, setAsking] = useState(false);
  const [isEmpty, setEmpty] = useState(false);
  const [generation, setGeneration] = useState(readGeneration(query.technology));
  const [inView, setInView] = useState<number | null>(null);
  // The page came with its own answer. The sites are for the map, other places and the filter.
  const [areSitesNeeded, needSites] = useReducer(() => true, !loaded?.offered.length);
  const sites = useCall(areSitesNeeded ? 'sites' : null, (signal) => fetchSites(page.api, operator, signal), {
    onFailed: useToast().failed,
  });
  const here = sites.state === 'loaded' ? sites.result : null;
  const place = answer?.kind === 'place' ? answer.place : null;
  const showSites = useSiteMap(here, generation, place, setInView);
  const towns = useTowns(
    (loaded?.towns ?? []).map(({ town }) => town),
    searched === '',
  );
  const latest = useLatestSignal();

  const offered = useMemo(() => (here ? offeredGenerations(here) : (loaded?.offered ?? [])), [here, loaded]);
  const coverage = useMemo(
    () => (place && here ? coverageOf(place, here, generation) : (place && loaded?.coverage) || null),
    [place, here, generation, loaded],
  );

  function show(text: string, next: PlaceAnswer, isAddressed = false) {
    needSites();
    setAnswer(next);
    setSearched(text);
    if (!isAddressed && text !== searched) page.navigate(coverageAddress(text, generation), { stay: true });
  }

  async function search(text: string, isAddressed = false) {
    const signal = latest.next();
    setEmpty(text.trim() === '');
    if (text.trim() === '') return;
    setAsking(true);
    const found = await findPlace(page.api, text, signal);
    if (signal.aborted) return;
    setAsking(false);
    show(text.trim(), found, isAddressed);
  }

  // Back, forward and links change the search text in the URL.
  const addressed = query.q?.trim() ?? '';
  const followed = useRef(searched);
  const follow = useEffectEvent((text: string) => {
    const isFollowed = text === followed.current || text === searched;
    followed.current = text;
    if (isFollowed) return;
    if (text !== '') {
      search(text, true);
      return;
    }
    latest.abort();
    setAsking(false);
    setAnswer(null);
    setSearched('');
  });
  useEffect(() => follow(addressed), [addressed]);

  useEffect(() => lastPlace.write('coverage', searched), [searched]);
  // Offline nothing new can be found, so the last result is shown again.
  const opened = useEffectEvent(() => {
    keepAnswer('activePackage', sitesQuery(operator.opco), language.code);
    // The place that came with the page was looked up by the server.
    if (loaded?.answer?.kind === 'place') keepAnswer('suggestPlaces', { q: loaded.query }, language.code);
    const last = lastPlace.read('coverage');
    if (!navigator.onLine && addressed === '' && last)
      page.navigate(coverageAddress(last, generation), { replace: true, stay: true });
  });
  useEffect(() => opened(), []);

  function filter(next: Generation | null) {
    needSites();
    setGeneration(next);
    page.navigate(coverageAddress(searched, next), { replace: true, stay: true });
  }

  return (
    <div className={styles.page}>
      <div className={styles.search}>
        <h1>{t('coverage.title')}</h1>
        <p className={styles.lead}>{t('coverage.lead')}</p>
        <PlaceSearch
          label={t('coverage.place')}
          placeholder={t('coverage.enter')}
          error={isEmpty ? t('map.empty') : undefined}
          action={page.href(paths.openNetworks)}
          initial={searched}
          busy={asking}
          onSearch={(text) => search(text)}
          onChoose={(chosen) => {
            setEmpty(false);
            show(chosen.label, { kind: 'place', place: chosen });
          }}
        >
          {offered.length > 0 && <GenerationFilter offered={offered} chosen={generation} onChoose={filter} />}
        </PlaceSearch>
      </div>
      <div className={styles.answer} aria-live="polite">
        <KeptResults
          since={(sites.state === 'loaded' && sites.keptAt) || (answer?.kind === 'place' && answer.keptAt) || null}
        />
        <SearchTrouble answer={answer} searched={searched} />
        {sites.state === 'failed' && !coverage && (
          <Notice kind="failure" title={messageOr(sites.failure, t('coverage.sitesFailed'))} />
        )}
        {here?.length === 0 && <Notice kind="info" title={t('coverage.noSites')} />}
        {place && coverage && <CoverageAnswer place={place} coverage={coverage} />}
      </div>
      {answer === null && (
        <div className={styles.towns}>
          <TownLinks
            heading={t('coverage.towns')}
            towns={towns}
            hrefOf={(town) => coverageAddress(town, generation)}
            wordsOf={(town) => loaded?.towns.find((one) => one.town === town)?.generation}
          />
        </div>
      )}
      <div className={styles.map}>
        <Suspense>
          <MapView
            label={t('coverage.mapLabel')}
            view={viewAround(place ?? null, operator)}
            onReady={(...ready) => {
              needSites();
              showSites(...ready);
            }}
          />
        </Suspense>
        <UnderMap inView={inView} hasFifth={offered.includes('5G')} />
      </div>
      <div className={styles.list}>{coverage && <NearestSites coverage={coverage} generation={generation} />}</div>
    </div>
  );
}

function SearchTrouble({ answer, searched }: { answer: PlaceAnswer | null; searched: string }) {
  const page = usePage();
  const { t } = page;
  if (answer?.kind === 'none')
    return <Notice kind="info" title={t('map.notFound', { place: searched, country: countryName(page) })} />;
  if (answer?.kind === 'failed')
    return <Notice kind="failure" title={messageOr(answer.failure, t('map.searchFailed'))} />;
  return null;
}

function UnderMap({ inView, hasFifth }: { inView: number | null; hasFifth: boolean }) {
  const { t, operator } = usePage();
  const count = inView === 1 ? t('coverage.countOne') : t('coverage.count', { count: inView ?? 0 });
  return (
    <>
      <p className={styles.under}>
        <span role="status">{inView === null ? '' : count}</span>
        <span>{t('coverage.demo')}</span>
      </p>
      <h2 className={styles.under}>{t('coverage.legend')}</h2>
      <ul className={styles.legend}>
        {signs.map(
          (sign) =>
            (hasFifth || sign === 'site' || sign === 'cluster') && (
              <li key={sign}>
                <SiteSign sign={sign} />
                {t(`coverage.sign.${sign}`)}
              </li>
            ),
        )}
      </ul>
      {operator.map.base && !operator.map.tiles && <p className={styles.sources}>{t('map.sources')}</p>}
    </>
  );
}

interface GenerationFilterProps {
  offered: readonly Generation[];
  chosen: Generation | null;
  onChoose(next: Generation | null): void;
}

function GenerationFilter({ offered, chosen, onChoose }: GenerationFilterProps) {
  const { t } = usePage();
  return (
    <fieldset className={styles.filter}>
      <legend>{t('coverage.filter')}</legend>
      <ChipRow>
        {[null, ...oldestFirst(offered)].map((each) => (
          <ChoiceChip
            key={each ?? 'all'}
            name="technology"
            value={each ?? ''}
            checked={chosen === each}
            onChange={() => onChoose(each)}
          >
            {each ? t(labels[each]) : t('coverage.all')}
          </ChoiceChip>
        ))}
      </ChipRow>
    </fieldset>
  );
}

/** Updates the map when data arrives; each part is independent of the others. */
function useSiteMap(
  sites: CoverageSite[] | null,
  generation: Generation | null,
  place: Place | null,
  onCount: (count: number) => void,
) {
  const { t, language } = usePage();
  const texts = {
    describe: ({ title }: CoverageSite, offered: Generation[]) =>
      t('coverage.site', { title, generations: offered.join(', ') }),
    cluster: (count: number) => t('coverage.cluster', { count }),
  };
  const [drawn, setDrawn] = useState<{ map: PortalMap; layer: ReturnType<MapLayers['showSites']> } | null>(null);
  useEffect(() => drawn?.layer.setGeneration(generation), [drawn, generation]);
  const translate = useEffectEvent((_language: string) => drawn?.layer.setTexts(texts));
  useEffect(() => translate(language.code), [language]);
  useEffect(() => {
    if (sites) drawn?.layer.setSites(sites);
  }, [drawn, sites]);
  useEffect(() => {
    if (!drawn) return;
    drawn.map.setFocus(place);
    if (place) drawn.map.map.setView(place, mapDefaults.searchZoom);
  }, [drawn, place]);

  return (map: PortalMap, layers: MapLayers) => setDrawn({ map, layer: layers.showSites(map, texts, onCount) });
}
