import { type CallName, callPath } from '@portal/contract/calls.ts';
import { paths } from '@portal/domain/paths.ts';
import type { PageCaching } from '@portal/domain/screens.ts';

/** What the worker does about a request. Whatever no rule here names is the browser's own business, and never cached. */
export type Plan =
  | { kind: 'pass' }
  /** Cached once, then never requested again: the name changes with the content. */
  | { kind: 'asset' }
  /** The network first; then the cached copy, where one may be cached; then the page that says that there is no network. */
  | { kind: 'page'; keep: boolean }
  /** The network first, then the cached response. */
  | { kind: 'content'; store: 'content' | 'places' };

export interface Site {
  origin: string;
  slug: string;
  prefixes: readonly string[];
  /** By path. */
  pages: Readonly<Record<string, PageCaching>>;
}

/** Of a Request, what the rules look at. */
export interface Asked {
  method: string;
  url: string;
  mode: string;
  headers: { get(name: string): string | null };
}

/** Answers that are the same for everybody. A call that is not here is never cached: money and persons need no rule. */
const cachedCalls: Partial<Record<CallName, 'content' | 'places'>> = {
  activePackage: 'content',
  faqs: 'content',
  shopList: 'content',
  shops: 'places',
  suggestPlaces: 'places',
};

/** Query parameters with which a call gives another response than the one that is worth caching. */
const uncachedQuery: Partial<Record<CallName, string>> = { faqs: 'questionId' };

const assets = /^\/(assets|map|device)\/[\w./-]+$|^\/icon\.svg$/;
const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** A path without the prefix of its language. */
export function unprefixed(path: string, prefixes: readonly string[]): string {
  const prefix = prefixes.find((one) => one !== '' && isBelow(path, one));
  return prefix ? path.slice(prefix.length) || '/' : path;
}

export function planFor({ method, url, mode, headers }: Asked, site: Site): Plan {
  const { origin, pathname, searchParams } = new URL(url);
  const pass: Plan = { kind: 'pass' };
  // A page may request that a response is not cached, as for the place where somebody stands.
  if (method !== 'GET' || origin !== site.origin || headers.get('cache-control') === 'no-store') return pass;
  if (headers.get('range')) return pass;
  if (mode === 'navigate') return pagePlan(unprefixed(pathname, site.prefixes), searchParams, site);
  if (assets.test(pathname)) return { kind: 'asset' };
  for (const [name, store] of Object.entries(cachedCalls) as [CallName, 'content' | 'places'][]) {
    if (pathname !== callPath(name, site)) continue;
    return searchParams.has(uncachedQuery[name] ?? '') ? pass : { kind: 'content', store };
  }
  return pass;
}

function pagePlan(path: string, query: URLSearchParams, { pages }: Site): Plan {
  const above = Object.keys(pages).find((page) => pages[page]?.hasPagesBelow && isBelow(path, page));
  const page = pages[path] ?? (above ? pages[above] : undefined);
  if (!page) return { kind: 'pass' };
  const { query: allowed } = page;
  // Somebody who reloads where they pay is told that there is no network, and finds the order where it was.
  return { kind: 'page', keep: allowed !== null && [...query.keys()].every((name) => allowed.includes(name)) };
}

/** What a response itself says about caching it; `no-store` is the last word. */
export function mayKeep(answer: Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>): boolean {
  const isOwn = answer.type === 'basic' && !answer.redirected;
  return isOwn && answer.status === 200 && !/no-store/i.test(answer.headers.get('cache-control') ?? '');
}

/** The cache key: the order of query parameters says nothing, the language of a response does. */
export function keyOf(url: string, language: string | null): string {
  const key = new URL(url);
  key.hash = '';
  key.searchParams.sort();
  if (language) key.searchParams.append('lang', language);
  return key.href;
}

/** The address of the page without network, in the language of the address that could not be loaded. */
export function offlineAddresses(path: string, { prefixes }: Pick<Site, 'prefixes'>): string[] {
  const own = prefixes.filter((prefix) => prefix !== '' && isBelow(path, prefix));
  return [...own, '', ...prefixes].map((prefix) => prefix + paths.offline);
}
