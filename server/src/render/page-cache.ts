import { hash, randomBytes } from 'node:crypto';
import type { PageAnswer, PageRequest, RenderPage, TransportRequest } from '@portal/contract/render-page.ts';
import { acceptedLanguages, preferredLanguage } from '@portal/domain/language.ts';
import { compress, type Encoding } from '../http/compress.ts';
import type { InlineSources } from '../http/security-headers.ts';
import { type Ask, callsOf, isPublicPath, type PageCalls, transportOf } from './page-calls.ts';

type RenderedPage = PageAnswer & { kind: 'page' };

/** A page that is served to everybody: without a nonce, and compressed once. */
export interface CachedPage {
  answer: RenderedPage;
  /** Hashes of its scripts and styles, which its policy allows in place of a nonce. */
  inline: InlineSources;
  compressed(encoding: Encoding): Promise<Buffer>;
}

interface Entry {
  page: CachedPage;
  /** The calls it was rendered from, with digests of their responses. */
  calls: { call: TransportRequest; digest: string }[];
  /** Whether all calls are public, so that a check for one visitor holds for the next. */
  isPublic: boolean;
  checkedAt: number;
  size: number;
  until: number;
}

export interface CacheLimits {
  milliseconds: number;
  pages: number;
  characters: number;
}

export interface PageCache {
  /** A cached page, or one rendered for this request. */
  render(request: Omit<PageRequest, 'transport'>, ask: Ask): Promise<PageAnswer | CachedPage>;
  size(): { pages: number; characters: number };
}

const usual: CacheLimits = { milliseconds: 10_000, pages: 300, characters: 8_000_000 };

/** How long a check is valid if all calls are public. New content shows within this time. */
const checkedMs = 1_000;

/**
 * Rendering is the main cost of a page, then compression; its calls are cheap. So public pages are cached. Each use of
 * the cache repeats the page's calls, for this visitor if a response could be personal, and serves the cached page only
 * if all responses are unchanged: it is then what rendering would give, and nobody sees another's data. A nonce is
 * never cached: pages are rendered with a placeholder that no response contains, and the tags that have it are allowed
 * by hash instead.
 */
export function pageCache(render: RenderPage, now: () => number = Date.now, limits = usual): PageCache {
  const pages = new Map<string, Entry>();
  let characters = 0;

  function forget(key: string): void {
    characters -= pages.get(key)?.size ?? 0;
    pages.delete(key);
  }

  /** Evicts the page that was rendered longest ago. */
  function keep(key: string, page: Entry): void {
    forget(key);
    if (page.size > limits.characters) return;
    pages.set(key, page);
    characters += page.size;
    for (const oldest of pages.keys()) {
      if (pages.size <= limits.pages && characters <= limits.characters) return;
      forget(oldest);
    }
  }

  async function renderToCache(key: string, request: Omit<PageRequest, 'transport'>, calls: PageCalls) {
    const nonce = randomBytes(16).toString('base64url');
    let hasSealed = false;
    const answer = await render({
      ...request,
      nonce,
      transport: calls.transport,
      seal: (kind, value) => {
        hasSealed = true;
        return request.seal(kind, value);
      },
      open: (kind, token) => {
        hasSealed = true;
        return request.open(kind, token);
      },
    });
    if (answer.kind !== 'page') return answer;
    const made = await calls.made().catch(() => null);
    // A page with a failed call is not cached. A 404 counts as a response: there is no such content.
    const isWhole = made?.every((each) => each.answer.status === 200 || each.answer.status === 404);
    if (!made || !isWhole || hasSealed || !answer.cacheable || answer.status !== 200)
      return { ...answer, html: answer.html.replaceAll(nonce, request.nonce) };
    const page = cachedPage(answer, nonce);
    keep(key, {
      page,
      calls: made.map((each) => ({ call: each.call, digest: each.answer.digest })),
      isPublic: made.every(({ call }) => isPublicPath(call.path, request.operator)),
      checkedAt: now(),
      size: page.answer.html.length,
      until: now() + limits.milliseconds,
    });
    return page;
  }

  return {
    async render(asked, ask) {
      const { key, request } = sharedRequest(asked);
      if (key === null) return render({ ...asked, transport: transportOf(ask) });
      const cached = pages.get(key);
      const isFresh = cached !== undefined && cached.until > now();
      if (isFresh && cached.isPublic && now() - cached.checkedAt < checkedMs) return cached.page;
      const calls = callsOf(ask);
      if (isFresh && (await isUnchanged(cached, calls))) {
        cached.checkedAt = now();
        return cached.page;
      }
      return renderToCache(key, request, calls);
    },
    size: () => ({ pages: pages.size, characters }),
  };
}

/** Only tags with the placeholder are ours: text injected by a user cannot have it. */
function cachedPage(answer: RenderedPage, nonce: string): CachedPage {
  const mark = ` nonce="${nonce}"`;
  const inline = { script: new Set<string>(), style: new Set<string>() };
  // Data blocks are not executed, so the policy need not allow them.
  for (const [, tag, before, after, text] of answer.html.matchAll(
    new RegExp(`<(script|style)([^>]*)${mark}([^>]*)>([\\s\\S]*?)</\\1>`, 'g'),
  ))
    if (!`${before}${after}`.includes(' type="application/'))
      inline[tag as 'script' | 'style'].add(`'sha256-${hash('sha256', text ?? '', 'base64')}'`);
  const html = answer.html.replaceAll(mark, '');
  const bodies = new Map<Encoding, Promise<Buffer>>();
  return {
    answer: { ...answer, html },
    inline: { scripts: [...inline.script].join(' '), styles: [...inline.style].join(' ') },
    compressed(encoding) {
      const body = bodies.get(encoding) ?? compress(html, encoding);
      bodies.set(encoding, body);
      return body;
    },
  };
}

const isUnchanged = ({ calls }: Entry, { ask }: PageCalls): Promise<boolean> =>
  Promise.all(calls.map(async ({ call, digest }) => (await ask(call)).digest === digest)).then(
    (same) => same.every(Boolean),
    () => false,
  );

/**
 * The inputs of a cacheable page. Of the browser's languages only the one that is used counts. A form, a query (an
 * order, a search, a number) or an unknown language makes the page uncacheable.
 */
function sharedRequest<R extends Omit<PageRequest, 'transport'>>(request: R): { key: string | null; request: R } {
  const { method, path, query, form, storedLanguage, operator } = request;
  const isKnown = storedLanguage === null || operator.languages.some(({ code }) => code === storedLanguage);
  if (method !== 'GET' || form !== null || Object.keys(query).length > 0 || !isKnown) return { key: null, request };
  const { locale } = preferredLanguage(acceptedLanguages(request.acceptLanguage), operator.languages);
  return { key: JSON.stringify([path, storedLanguage, locale]), request: { ...request, acceptLanguage: locale } };
}
