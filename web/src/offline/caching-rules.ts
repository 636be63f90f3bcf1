import { type CallName, callPath } from '@portal/contract/calls.ts';
import { paths } from '@portal/domain/paths.ts';
import type { PageCaching } from '@portal/domain/screens.ts';

/** How the worker handles a request. Requests that match no rule are left to the browser and never cached. */
export type Plan =
  | { kind: 'pass' }
  /** Cached once, then never requested again: the file name changes with its content. */
  | { kind: 'asset' }
  /** Network first; then the cached copy, where caching is allowed; then the offline page. */
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

/** The properties of a Request that the rules use. */
export interface Asked {
  method: string;
  url: string;
  mode: string;
  headers: { get(name: string): string | null };
}

/** Responses that are the same for everybody. Any other call is never cached: money and personal data need no rule. */
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
  // A page may request that a response is not cached, such as the name of the visitor's position.
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
  // A reload while paying shows the offline page, and the order is still there afterwards.
  return { kind: 'page', keep: allowed !== null && [...query.keys()].every((name) => allowed.includes(name)) };
}

/** The response's own cache-control; `no-store` always wins. */
export function mayKeep(answer: Pick<Response, 'status' | 'type' | 'redirected' | 'headers'>): boolean {
  const isOwn = answer.type === 'basic' && !answer.redirected;
  return isOwn && answer.status === 200 && !/no-store/i.test(answer.headers.get('cache-control') ?? '');
}

/** The cache key: independent of the order of query parameters, dependent on the language. */
export function keyOf(url: string, language: string | null): string {
  const key = new URL(url);
  key.hash = '';
  key.searchParams.sort();
  if (language) key.searchParams.append('lang', language);
  return key.href;
}

/** URL of the offline page, in the language of the page that could not be loaded. */
export function offlineAddresses(path: string, { prefixes }: Pick<Site, 'prefixes'>): string[] {
  const own = prefixes.filter((prefix) => prefix !== '' && isBelow(path, prefix));
  return [...own, '', ...prefixes].map((prefix) => prefix + paths.offline);
}
