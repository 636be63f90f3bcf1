import type { PageAnswer, PageRequest, RenderPage } from '@portal/contract/render-page.ts';
import {
  acceptedLanguages,
  languageByCode,
  languageOfPath,
  preferredLanguage,
  withPrefix,
} from '@portal/domain/language.ts';
import { numberMarks } from '@portal/domain/number-format.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { type Screen, screenAt, unknownAddress } from '@portal/domain/screens.ts';
import { encodePath, isSitePath } from '@portal/domain/site-address.ts';
import { renderToString } from 'react-dom/server';
import { type Api, createApi, fallbackWords } from '../lib/api.ts';
import { type FormState, hrefIn } from '../lib/page.tsx';
import { type Loaded, type ScreenModule, type ServerContext, ThrownResponse } from '../lib/screen.ts';
import type { Sealing } from '../lib/sealed.ts';
import { type QueryData, withOrderId } from '../lib/session.ts';
import { type Texts, type Translate, textsOf, translator } from '../lib/translate.ts';
import { App } from './app.tsx';
import { chromeOf } from './chrome.ts';
import { documentOf } from './document.ts';
import { ErrorView } from './error-view.tsx';
import type { Chrome, InitialPage } from './initial-page.ts';
import { serverScreens } from './screens.server.ts';
import { moduleOf, screenModules } from './screens.ts';

export { questionPaths } from '../screens/help/help-model.ts';
export { precachedModules } from './screens.ts';

type PageLanguage = PublicPack['languages'][number];

/** The URL decides, then the session's choice, then the browser's preference. */
function languageFor(request: PageRequest): { language: PageLanguage; path: string; remember: boolean } {
  const { languages } = request.operator;
  // A path that is not plainly ours is put into no link of the page, because it could name another site.
  const asked = isSitePath(request.path) ? request.path : paths.pageNotFound;
  const { language, path, isPrefixed } = languageOfPath(asked, languages);
  if (isPrefixed) return { language, path, remember: request.storedLanguage !== language.code };
  const stored = request.storedLanguage ? languageByCode(request.storedLanguage, languages) : undefined;
  return {
    language: stored ?? preferredLanguage(acceptedLanguages(request.acceptLanguage), languages),
    path,
    remember: false,
  };
}

/** Some browsers of old phones refuse an address of more than 2,000 characters. */
const longestLocation = 1_900;

/** The fields of a flow's first form. None is a PIN or a code, and none is long. */
const firstFields: readonly string[] = [
  'msisdn',
  'amount',
  'accountNo',
  'email',
  'emailId',
  'paymentMobile',
  'gateway',
];
/** With those of later forms, and what their answer shows; no PIN or code either. */
const shownFields: readonly string[] = [
  ...firstFields,
  ...['refId', 'transactionId', 'step', 'asked', 'failure'],
  ...['topic', 'message', 'text'],
];

/**
 * The address at which the answer to a form is shown, so that Back, a reload and another language neither post it again
 * nor lose it. Null where it is answered in place: what a later form shows, such as a bill, is only for this visit,
 * which a browser without cookies does not have.
 */
function shownAt(
  { query, hasVisit }: PageRequest,
  path: string,
  { form, order }: { form: FormState; order: string | undefined },
  { language, seal, open }: ServerContext,
): string | null {
  const isRefused = Object.keys(form.errors).length > 0;
  if (!hasVisit && !isRefused) return null;
  const fields = hasVisit ? shownFields : firstFields;
  if (!Object.keys(form.values).every((name) => fields.includes(name))) return null;
  // An open order is in the URL of its page anyway; anything else lives no longer than the form.
  const isOpenOrder = order !== undefined && open('order', order) !== null;
  const token = seal('postedForm', { path, form, ...(order && !isOpenOrder ? { order } : {}) });
  const shown = { ...query, ...(isOpenOrder ? { order } : {}), form: token };
  const location = hrefIn(language)(withQuery(encodePath(path), shown));
  return location.length <= longestLocation ? location : null;
}

/** Choosing a language redirects to the same page in it; an unknown page answers 404 in place. */
function languageRedirect({ query, path: asked, operator }: PageRequest, path: string): PageAnswer | null {
  const chosen = query.lang ? languageByCode(query.lang, operator.languages) : undefined;
  if (!chosen || !isSitePath(asked)) return null;
  const { lang: _, ...rest } = query;
  const others = new URLSearchParams(rest).toString();
  const location = withPrefix(encodePath(path), chosen) + (others ? `?${others}` : '');
  return { kind: 'redirect', location, language: chosen.code, remember: true };
}

/** The server knows only the kind of a sealed token. */
const sealingOf = ({ seal, open }: PageRequest): Sealing => ({
  seal: (kind, value) => seal(kind, kind === 'order' ? withOrderId(value as QueryData) : value),
  open: (kind, token) => (token ? (open(kind, token) as never) : null),
});

const parsed = new Map<string, unknown>();

/** The same package comes with every page, so it is parsed once. */
async function contentOf<T>(api: Api, operator: PublicPack, language: PageLanguage, name: string): Promise<T | null> {
  const answer = await api('activePackage', { query: { opco: operator.opco, pageUrl: `${language.prefix}/${name}` } });
  if (!answer.ok) return null;
  const { packageHtml } = answer.result;
  if (!parsed.has(packageHtml)) {
    if (parsed.size > 50) parsed.clear();
    parsed.set(packageHtml, JSON.parse(packageHtml));
  }
  return parsed.get(packageHtml) as T;
}

const picked = new WeakMap<Texts, Map<Screen['texts'], Texts>>();

/** A screen's texts are picked out of the package once, as long as the same package is active. */
function textsFor({ texts: namespaces }: Screen, all: Texts): Texts {
  const known = picked.get(all) ?? new Map<Screen['texts'], Texts>();
  picked.set(all, known);
  const texts = known.get(namespaces) ?? textsOf(all, namespaces);
  known.set(namespaces, texts);
  return texts;
}

/** The page's own description for search results, or the portal's. */
function descriptionOf(texts: Texts, name: string | null, t: Translate, operator: PublicPack): string {
  const own = texts[`meta.${name}`];
  const brand = { brand: operator.brand.name };
  return own ? translator({ own })('own', brand) : t('common.description', brand);
}

/** For pages without script only, because no script brings these texts. */
function leaveWords(all: Texts): { why: string; button: string } {
  const t = translator(all);
  return { why: t('leave.why'), button: t('leave.button') };
}

/** Error boundaries do not work on the server: a thrown response is caught here and rendered as the error view. */
function bodyOf(
  initial: InitialPage,
  Screen: ScreenModule['Screen'],
  { api, t, language }: { api: Api; t: Translate; language: PageLanguage },
): { body: string; thrown: ThrownResponse | null } {
  const render = (component: typeof Screen) =>
    renderToString(<App initial={initial} screen={component} serverPage={{ api }} />);
  try {
    return { body: render(Screen), thrown: null };
  } catch (error) {
    if (!(error instanceof ThrownResponse)) throw error;
    const texts = {
      title: t('common.unexpected'),
      retry: t('common.tryAgain'),
      home: t('common.toHome'),
      homeHref: hrefIn(language)('/'),
    };
    return { body: render(() => <ErrorView error={error} texts={texts} />), thrown: error };
  }
}

export const renderPage: RenderPage = async (request) => {
  const { operator, nonce } = request;
  const { language, path, remember } = languageFor(request);
  const elsewhere = languageRedirect(request, path);
  if (elsewhere) return elsewhere;

  const found = screenAt(path, operator, { gallery: !request.production });
  const screen = found ?? unknownAddress;
  const server = serverScreens[screen.folder];
  const apiWith = (known: Texts) =>
    createApi(request.transport, { operator, language: language.code, words: fallbackWords(known) });
  const content = apiWith({});
  const [allTexts, header, footer, announced, module] = await Promise.all([
    contentOf<Texts>(content, operator, language, 'translation'),
    contentOf<Chrome['header']>(content, operator, language, 'header'),
    contentOf<Chrome['footer']>(content, operator, language, 'footer'),
    screen.isAnnouncedOn ? content('announcements') : null,
    screenModules[screen.folder](),
  ]);

  const api = apiWith(allTexts ?? {});
  const context: ServerContext = {
    api,
    operator,
    language,
    path,
    query: request.query,
    ...sealingOf(request),
  };
  const posted = request.form ? null : context.open('postedForm', request.query.form);
  let form: FormState | null = null;
  if (posted?.path === path) {
    form = posted.form;
    if (posted.order) context.query = { ...context.query, order: posted.order };
  }
  if (request.form && server?.action) {
    const acted = await server.action({ ...context, form: request.form });
    if (!('form' in acted)) {
      const location = 'leave' in acted ? acted.leave : hrefIn(language)(acted.redirect);
      return { kind: 'redirect', location, language: language.code, remember };
    }
    form = acted.form;
    const order = acted.order ?? request.form.order;
    const location = shownAt(request, path, { form, order }, context);
    if (location) return { kind: 'redirect', location, language: language.code, remember };
    if (order) context.query = { ...context.query, order };
  }
  const loaded: Loaded = (await (server?.load ?? module.load)?.(context)) ?? { loaded: undefined };

  const texts = textsFor(screen, allTexts ?? {});
  const t = translator(texts);
  const assets = request.assetsOf(moduleOf(screen.folder), screen.parts ?? []);
  const initial: InitialPage = {
    operator,
    language: language.code,
    texts,
    chrome: chromeOf(t, operator, { header, footer }),
    announcements: announced?.ok ? announced.result.announcements : [],
    screen: found?.name ?? null,
    script: assets.scripts.at(-1) ?? '',
    marks: numberMarks(language.formats),
    path,
    query: request.query,
    loaded: loaded.loaded,
    form,
    sandbox: request.sandbox,
    gallery: !request.production,
    worker: request.worker,
  };
  const { body, thrown } = bodyOf(initial, module.Screen, { api, t, language });
  const status = thrown?.status ?? (form && Object.keys(form.errors).length > 0 ? 422 : (loaded.status ?? 200));
  const html = documentOf({
    body,
    initial,
    nonce,
    styles: assets.styles,
    styleFiles: assets.styleFiles,
    scripts: { entry: request.entryScript, all: assets.scripts },
    title: thrown ? t('common.unexpected') : (loaded.title ?? t(screen.title, { brand: operator.brand.name })),
    language,
    origin: request.origin,
    noindex: screen.noindex ?? loaded.noindex ?? status !== 200,
    refreshSeconds: loaded.refreshSeconds,
    description: descriptionOf(allTexts ?? {}, found?.name ?? null, t, operator),
    structuredData: loaded.structuredData,
    leave: allTexts && (screen.cache === 'never' || path === paths.home) ? leaveWords(allTexts) : null,
  });
  return {
    kind: 'page',
    status,
    html,
    language: language.code,
    remember,
    cacheable: screen.cache !== 'never' && !loaded.noindex && !form,
  } satisfies PageAnswer;
};
