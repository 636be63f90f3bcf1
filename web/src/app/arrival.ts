import { cacheSeconds, chunkTimeoutMilliseconds } from '@portal/domain/constants.ts';
import type { Language } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { type Api, browserTransport, createApi } from '../lib/api.ts';
import { sessionCache } from '../lib/cache.ts';
import type { ScreenModule } from '../lib/screen.ts';
import type { Texts } from '../lib/translate.ts';
import type { Chrome } from './initial-page.ts';
import { type ScreenName, screens } from './screens.ts';

interface Arrival {
  screen: ScreenModule['Screen'];
  texts: Texts;
  chrome: Chrome;
}

/** The script of the next screen and its words, together. Null when either cannot be had: then the server draws the page. */
export async function arriveAt(
  name: ScreenName | null,
  language: Language,
  here: { texts: Texts; chrome: Chrome } | null,
  operator: PublicPack,
): Promise<Arrival | null> {
  const entry = screens[name ?? 'about'];
  const api = createApi(browserTransport, { operator, language: language.code, fallbackMessage: '' });
  const has = (namespace: string) =>
    here !== null && Object.keys(here.texts).some((key) => key.startsWith(`${namespace}.`));
  try {
    const [module, texts, chrome] = await Promise.all([
      withTimeLimit(entry.import()),
      here && entry.texts.every(has) ? here.texts : fetchPackage<Texts>(api, operator, language, 'translation'),
      here?.chrome ?? fetchChrome(api, operator, language),
    ]);
    return texts ? { screen: module.Screen, texts, chrome } : null;
  } catch {
    return null;
  }
}

async function fetchChrome(api: Api, operator: PublicPack, language: Language): Promise<Chrome> {
  const [header, footer] = await Promise.all([
    fetchPackage<Chrome['header']>(api, operator, language, 'header'),
    fetchPackage<Chrome['footer']>(api, operator, language, 'footer'),
  ]);
  return { header, footer };
}

/** Kept by name and language, for an hour unless told otherwise; null when the content service has no answer. */
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

class ChunkLoadError extends Error {
  constructor() {
    super('The page took too long to load.');
    this.name = 'ChunkLoadError';
  }
}

export function withTimeLimit<T>(work: Promise<T>, limitMs = chunkTimeoutMilliseconds): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError()), limitMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
