import { pageName } from '@portal/domain/analytics-page-name.ts';
import { languageOfPath, withPrefix } from '@portal/domain/language.ts';
import {
  type ComponentType,
  type ReactNode,
  type RefObject,
  Suspense,
  startTransition,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { navigate as navigateBrowser, useBrowserLocation, useSearch } from 'wouter/use-browser-location';
import { recordEvent } from '../lib/analytics.ts';
import { browserTransport, createApi, fallbackWords } from '../lib/api.ts';
import { solveChallenge } from '../lib/challenge.ts';
import { useOnline } from '../lib/hydrated.ts';
import { hrefIn, type Page, PageContext, usePage } from '../lib/page.tsx';
import type { ScreenProps } from '../lib/screen.ts';
import { session } from '../lib/session.ts';
import { type Texts, translator } from '../lib/translate.ts';
import { retrying, startDeferred, whenIdle } from '../loading/deferred.ts';
import { isPaying } from '../offline/busy-rules.ts';
import { Notice } from '../ui/notice.tsx';
import styles from './app.module.css';
import { ErrorBoundary } from './error-view.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';
import type { Announcement, Chrome, InitialPage } from './initial-page.ts';
import type { LazyParts } from './lazy-parts.ts';
import '../ui/tokens.css';
import '../ui/base.css';

export interface AppProps {
  initial: InitialPage;
  // biome-ignore lint/suspicious/noExplicitAny: each screen knows the type of its own data
  screen: ComponentType<ScreenProps<any>>;
  /** Set on the server, where there is no `location`. */
  serverPage?: { api: Page['api'] };
}

const loaderAfterMs = 250;
const stays = 'stays';

/** The current location as one value, so that a screen and its texts never belong to two different pages. */
interface Place {
  path: string;
  query: Record<string, string>;
  language: Page['language'];
  texts: Texts;
  chrome: Chrome;
  screen: AppProps['screen'];
  loaded: unknown;
  form: Page['form'];
}

const loadLazyParts = () => import('./lazy-parts.ts').then((module) => module.lazyParts);

export function App({ initial, screen, serverPage }: AppProps) {
  const { operator, sandbox } = initial;
  const languages = operator.languages;
  const [place, setPlace] = useState<Place>(() => ({
    path: initial.path,
    query: initial.query,
    language: languages.find(({ code }) => code === initial.language) ?? (languages[0] as Page['language']),
    texts: initial.texts,
    chrome: initial.chrome,
    screen,
    loaded: initial.loaded,
    form: initial.form,
  }));
  const { language } = place;
  // While hydrating, the page for the browser's own address is the one shown: a URL with a query is not fetched
  // again.
  const [address] = useBrowserLocation(serverPage ? { ssrPath: withPrefix(initial.path, language) } : {});
  const wanted = address + useSearch(serverPage ? { ssrSearch: '' } : {});
  const [shownAddress, setShownAddress] = useState(wanted);
  // Updated at once, while the state waits for its transition: navigating to the current address does nothing.
  // The offline page replaces one that could not be loaded, and navigates to it when it is cached.
  const isStandIn = initial.screen === 'offline';
  const arrivedAt = useRef(isStandIn && !/[?&](order|line)=/.test(wanted) ? '' : wanted);
  const aim = useRef(wanted);
  /** By navigation, not by a change of language on the same screen. */
  const navigatedTo = useRef<string | null>(null);
  const main = useRef<HTMLElement>(null);
  const [announced, setAnnounced] = useState({ list: initial.announcements, isFresh: false });
  const [isLoading, setLoading] = useState(false);
  const [lazyParts, setLazyParts] = useState<LazyParts | null>(null);

  const t = translator(place.texts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these two change only with the language
  const api = useMemo(
    () =>
      serverPage?.api ??
      createApi(browserTransport, {
        operator,
        language: language.code,
        words: fallbackWords(place.texts),
        solve: solveChallenge,
      }),
    [serverPage, operator, language],
  );

  /** Shows the unprefixed path in the language `code`. Returns false when the navigation was superseded. */
  async function show(address: string, code: string, mayLeave = !isStandIn): Promise<boolean> {
    aim.current = address;
    const [fullPath = '/', query = ''] = address.split('?');
    const { path, language: named, isPrefixed } = languageOfPath(fullPath, languages);
    const chosen = isPrefixed ? named : (languages.find((one) => one.code === code) ?? named);
    const target = { path, query: Object.fromEntries(new URLSearchParams(query)), language: chosen };
    // Another query is another state of the same screen; nothing has to be loaded for it.
    const arrival =
      path === place.path && chosen.code === language.code
        ? { ...place, ...target, title: document.title, load: () => undefined }
        : await loadLazyParts().then(
            ({ loadScreen }) => loadScreen(target, place, initial),
            () => null,
          );
    // After two taps in a row the second target is shown, whichever loads first.
    if (aim.current !== address) return false;
    if (!arrival) {
      if (mayLeave) window.location.assign(address);
      return false;
    }
    arrivedAt.current = address;
    const { title, load, ...there } = arrival;
    if (path !== place.path || chosen.code !== language.code) readAnnouncements(path, chosen.code).catch(() => {});
    // A screen that stays mounted in another language requests its own data again.
    const loaded = path === place.path ? undefined : load();
    startTransition(() => {
      setPlace({ ...there, loaded, form: null });
      setShownAddress(address);
      // Set together: otherwise the previous screen would be remounted for a moment and lose what was typed.
      setLoading(false);
    });
    session.language.write(there.language.code);
    document.documentElement.lang = there.language.locale;
    document.title = title;
    // The link names the page the server rendered, and the browser's own sharing would send that one.
    document.querySelector('link[rel=canonical]')?.remove();
    return true;
  }

  /** In the background; it is shown once it has loaded. */
  async function readAnnouncements(path: string, code: string): Promise<void> {
    const { fetchAnnouncements } = await loadLazyParts();
    const list = await fetchAnnouncements(path, code, initial);
    setAnnounced({ list, isFresh: true });
  }

  const follow = useEffectEvent((address: string) => {
    if (address === arrivedAt.current) {
      // Ignore a navigation that finishes after the user went back.
      aim.current = address;
      setLoading(false);
      return;
    }
    // A quick navigation shows nothing in between; a slow one shows the loader.
    const slow = setTimeout(setLoading, loaderAfterMs, true);
    navigatedTo.current = address;
    show(address, language.code).then((isThere) => {
      clearTimeout(slow);
      if (aim.current !== address) return;
      if (!isThere) setLoading(false);
    });
    return () => clearTimeout(slow);
  });
  useEffect(() => follow(wanted), [wanted]);

  // After the new screen has mounted, because a dialog of the previous one takes the focus with it. A screen reader
  // then says the heading, and continues from there.
  useEffect(() => {
    if (navigatedTo.current !== shownAddress || window.history.state === stays) return;
    window.scrollTo(0, 0);
    const start = main.current?.querySelector('h1') ?? main.current;
    start?.setAttribute('tabindex', '-1');
    start?.focus({ preventScroll: true });
  }, [shownAddress]);

  const hydrated = useEffectEvent(() => {
    // A tab keeps its language, whatever another tab has chosen; a cached page knows neither.
    const asked = /askedLanguage=(\w+)/.exec(document.cookie)?.[1];
    // biome-ignore lint/suspicious/noDocumentCookie: it applied to this page only
    if (asked) document.cookie = 'askedLanguage=; Path=/; Max-Age=0';
    const chosen = asked ?? session.language.read() ?? /selectedLanguage=(\w+)/.exec(document.cookie)?.[1];
    const isPrefixed = languageOfPath(window.location.pathname, languages).isPrefixed;
    if (!isPrefixed && chosen && chosen !== language.code) changeTo(chosen, false);
    else session.language.write(language.code);
    whenIdle(() => retrying(loadLazyParts).then((found) => startTransition(() => setLazyParts(found))));
  });
  useEffect(() => hydrated(), []);

  function changeLanguage(code: string) {
    // biome-ignore lint/suspicious/noDocumentCookie: for new tabs, and for pages without script
    document.cookie = `selectedLanguage=${code}; Path=/; SameSite=Lax`;
    changeTo(code);
  }

  function changeTo(code: string, mayLeave?: boolean) {
    const chosen = languages.find((one) => one.code === code);
    if (!chosen) return;
    const query = new URLSearchParams(place.query).toString();
    const target = withPrefix(place.path, chosen) + (query ? `?${query}` : '');
    const loaded = place.loaded;
    show(target, code, mayLeave).then(() => {
      setPlace((shown) => ({ ...shown, loaded }));
      window.history.replaceState(window.history.state, '', target);
    });
  }

  const page: Page = {
    operator,
    language,
    t,
    api,
    path: place.path,
    query: place.query,
    form: place.form,
    sandbox,
    href: hrefIn(language),
    navigate: (path, options) => {
      // A response that arrives during a navigation must not bring the user back.
      const isLeft = window.location.pathname !== withPrefix(place.path, language);
      if (!(options?.stay && isLeft))
        navigateBrowser(withPrefix(path, language), { ...options, state: options?.stay ? stays : null });
    },
    prepare: (path) => {
      const target = { path, query: {}, language };
      loadLazyParts()
        .then((found) => found.prepare(target, place, initial))
        .catch(() => {});
    },
    changeLanguage,
    track: (event, flow, outcome) =>
      recordEvent(api, {
        event,
        flow,
        page_name: pageName(place.path, operator.numbering.countryCode),
        ...(outcome ? { outcome: outcome.replaceAll(/\W/g, '_').slice(0, 32) } : {}),
      }),
  };

  const pageTag = pageName(place.path, operator.numbering.countryCode);
  useEffect(() => {
    whenIdle(() => recordEvent(api, { event: 'page_view', page_name: pageTag }));
  }, [api, pageTag]);

  // Only for the page that the server sent.
  const recordTimings = useEffectEvent((parts: LazyParts) => {
    if (operator.features.kpi) parts.recordTimings(api, pageTag);
    // A cached page shows the notices of its time: they are hidden and requested again.
    if (document.documentElement.dataset.kept) readAnnouncements(place.path, language.code).catch(() => {});
  });
  useEffect(() => {
    if (lazyParts) recordTimings(lazyParts);
  }, [lazyParts]);

  return (
    <PageContext value={page}>
      <Frame {...{ initial, place, shownAddress, announced, isLoading, lazyParts, main }} />
    </PageContext>
  );
}

interface FrameProps {
  initial: InitialPage;
  place: Place;
  shownAddress: string;
  announced: { list: readonly Announcement[]; isFresh: boolean };
  isLoading: boolean;
  lazyParts: LazyParts | null;
  main: RefObject<HTMLElement | null>;
}

/** The frame around every screen. */
function Frame({ initial, place, shownAddress, announced, isLoading, lazyParts, main }: FrameProps) {
  const { t, href, sandbox } = usePage();
  const Screen = place.screen;
  const errorTexts = {
    title: t('common.unexpected'),
    retry: t('common.tryAgain'),
    home: t('common.toHome'),
    homeHref: href('/'),
  };
  return (
    <>
      <MarkHydrated />
      <a className="skip-link" href="#main">
        {t('common.skip')}
      </a>
      {sandbox && (
        <aside className={styles.sandbox} aria-label={t('common.sandboxPhone')}>
          {t('common.sandbox')} <a href="/sandbox">{t('common.sandboxPhone')}</a>
        </aside>
      )}
      <Header content={place.chrome.header} />
      <OfflineNotice text={t('common.offline')}>{lazyParts && <lazyParts.TypedKept />}</OfflineNotice>
      <Announcements {...announced} label={t('common.announcement')} />
      {lazyParts && <lazyParts.Bars hasWorker={initial.worker} />}
      {lazyParts && <lazyParts.SharedPhone />}
      {lazyParts && <lazyParts.DialogHistory />}
      <main ref={main} id="main" className={styles.main} tabIndex={-1}>
        <ErrorBoundary place={shownAddress} texts={errorTexts}>
          {isLoading && lazyParts ? <lazyParts.PageLoader /> : <Screen key={place.path} loaded={place.loaded} />}
          {isLoading && !lazyParts && (
            <p className={styles.waiting} role="status">
              {t('common.wait')}
            </p>
          )}
        </ErrorBoundary>
      </main>
      <Suspense>
        <Footer content={place.chrome.footer} />
      </Suspense>
      {lazyParts && <lazyParts.ToastRegion closeLabel={t('common.close')} isPage />}
    </>
  );
}

/** Its effect runs first on the page: from then on the form is hydrated. */
function MarkHydrated() {
  useEffect(() => {
    document.documentElement.dataset.hydrated = '';
    startDeferred();
  }, []);
  return null;
}

function Announcements({ list, isFresh, label }: { list: readonly Announcement[]; isFresh: boolean; label: string }) {
  if (list.length === 0) return null;
  return (
    <aside className={styles.announced} data-fresh={isFresh || undefined} aria-label={label}>
      {list.map(({ kind, text }) => (
        <Notice key={kind} kind={kind === 'maintenance' ? 'process' : 'info'} title={text} />
      ))}
    </aside>
  );
}

function OfflineNotice({ text, children }: { text: string; children: ReactNode }) {
  const online = useOnline();
  const { path } = usePage();
  return online ? null : (
    <div className={styles.offline} data-stays={isPaying(path) || undefined}>
      <Notice
        kind="process"
        role="status"
        title={
          <>
            {text} {children}
          </>
        }
      />
    </div>
  );
}
