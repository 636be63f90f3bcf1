import { cacheSeconds } from '@portal/domain/constants.ts';
import type { Language } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { screenAt, unknownAddress } from '@portal/domain/screens.ts';
import { type Api, browserTransport, createApi, fallbackWords } from '../lib/api.ts';
import { sessionCache } from '../lib/cache.ts';
import { solveChallenge } from '../lib/challenge.ts';
import type { ScreenModule } from '../lib/screen.ts';
import { type Texts, translator } from '../lib/translate.ts';
import { withTimeout } from '../loading/timeout.ts';
import { isDataDear } from '../offline/connection.ts';
import { chromeOf, type FoundChrome } from './chrome.ts';
import type { Announcement, Chrome } from './initial-page.ts';
import { screenModules } from './screens.ts';
import { titleOf } from './title.ts';

type PageLanguage = PublicPack['languages'][number];

/** The target of a navigation. */
interface Target {
  path: string;
  query: Record<string, string>;
  language: PageLanguage;
}

interface Arrival extends Target {
  screen: ScreenModule['Screen'];
  texts: Texts;
  chrome: Chrome;
  title: string;
  /** The data of the screen; undefined where only the server loads it. */
  load(): Promise<unknown> | undefined;
}

interface Site {
  operator: PublicPack;
  gallery: boolean;
}

interface Here {
  language: PageLanguage;
  texts: Texts;
  chrome: Chrome;
}

/** Loads the next screen's script and texts together. Null when either fails: the server then renders the page. */
export async function loadScreen(target: Target, here: Here, { operator, gallery }: Site): Promise<Arrival | null> {
  const { language } = target;
  const screen = screenAt(target.path, operator, { gallery }) ?? unknownAddress;
  const api = createApi(browserTransport, {
    operator,
    language: language.code,
    words: fallbackWords(here.texts),
    solve: solveChallenge,
  });
  const known = here.language.code === language.code ? here : null;
  const has = (namespace: string) => Object.keys(here.texts).some((key) => key.startsWith(`${namespace}.`));
  try {
    const [module, texts, chrome] = await Promise.all([
      withTimeout(screenModules[screen.folder]()),
      known && screen.texts.every(has) ? known.texts : fetchPackage<Texts>(api, operator, language, 'translation'),
      known?.chrome ?? fetchChrome(api, operator, language),
    ]);
    if (!texts) return null;
    const t = translator(texts);
    return {
      ...target,
      screen: module.Screen,
      texts,
      chrome: chromeOf(t, operator, chrome),
      load: () =>
        module.load?.({ api, operator, ...target }).then(
          ({ loaded }) => loaded,
          // The screen then requests it itself.
          () => undefined,
        ),
      title: titleOf(t(screen.title, { brand: operator.brand.name }), operator),
    };
  } catch {
    return null;
  }
}

/** The same as a prefetch into the browser's cache; skipped when data saving is on. */
export async function prepare(...towards: Parameters<typeof loadScreen>): Promise<void> {
  if (!isDataDear()) await loadScreen(...towards);
}

/** A failure is ignored. */
export async function fetchAnnouncements(
  path: string,
  language: string,
  { operator, gallery }: Site,
): Promise<Announcement[]> {
  if (!screenAt(path, operator, { gallery })?.isAnnouncedOn) return [];
  const answer = await createApi(browserTransport, { operator, language, words: fallbackWords({}) })('announcements');
  return answer.ok ? answer.result.announcements : [];
}

async function fetchChrome(api: Api, operator: PublicPack, language: Language): Promise<FoundChrome> {
  const [header, footer] = await Promise.all([
    fetchPackage<Chrome['header']>(api, operator, language, 'header'),
    fetchPackage<Chrome['footer']>(api, operator, language, 'footer'),
  ]);
  return { header, footer };
}

/** Cached by name and language, for an hour by default; null when the content service does not answer. */
export function fetchPackage<T>(
  api: Api,
  operator: PublicPack,
  language: Language,
  name: string,
  seconds: number = cacheSeconds.translations,
): Promise<T | null> {
  return sessionCache.fetch(
    `${name}:${language.code}`,
    async () => {
      const answer = await api('activePackage', {
        query: { opco: operator.opco, pageUrl: `${language.prefix}/${name}` },
      });
      return answer.ok ? (JSON.parse(answer.result.packageHtml) as T) : null;
    },
    { seconds, keep: (data) => data !== null },
  );
}
