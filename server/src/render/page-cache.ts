import { randomBytes } from 'node:crypto';
import type { PageAnswer, PageRequest, RenderPage, TransportRequest } from '@portal/contract/page.ts';
import { acceptedLanguages, preferredLanguage } from '@portal/domain/language.ts';
import { type Ask, callsOf, type PageCalls, transportOf } from './page-calls.ts';

type RenderedPage = PageAnswer & { kind: 'page' };

interface CachedPage {
  answer: Omit<RenderedPage, 'html'>;
  /** What stands between the places for the nonce. */
  parts: string[];
  /** What it was made from, and what that was. */
  calls: { call: TransportRequest; digest: string }[];
  size: number;
  until: number;
}

export interface CacheLimits {
  milliseconds: number;
  pages: number;
  characters: number;
}

export interface PageCache {
  draw(request: Omit<PageRequest, 'transport'>, ask: Ask): Promise<PageAnswer>;
  size(): { pages: number; characters: number };
}

const usual: CacheLimits = { milliseconds: 10_000, pages: 300, characters: 8_000_000 };

/**
 * Drawing is what a page costs; asking for its data is cheap. So public pages are kept as drawn, and one is handed out
 * again only when each call it was made from answers this visitor, now, just as it did then: it is then what would be
 * drawn, nobody sees another's data, and new content shows as soon as the content service has it. A nonce is never kept:
 * a page is drawn with a stand-in that no answer carries, and each answer gets its own.
 */
export function pageCache(render: RenderPage, now: () => number = Date.now, limits = usual): PageCache {
  const pages = new Map<string, CachedPage>();
  let characters = 0;

  function forget(key: string): void {
    characters -= pages.get(key)?.size ?? 0;
    pages.delete(key);
  }

  /** The one drawn longest ago goes first. */
  function keep(key: string, page: CachedPage): void {
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
    const { html, ...rest } = answer;
    const parts = html.split(nonce);
    const made = await calls.made().catch(() => null);
    // One that was drawn while a call failed is drawn again; that there is no such content is an answer.
    const isWhole = made?.every((each) => each.answer.status === 200 || each.answer.status === 404);
    if (made && isWhole && !hasSealed && rest.cacheable && rest.status === 200)
      keep(key, {
        answer: rest,
        parts,
        calls: made.map((each) => ({ call: each.call, digest: each.answer.digest })),
        size: html.length,
        until: now() + limits.milliseconds,
      });
    return { ...rest, html: parts.join(request.nonce) };
  }

  return {
    async draw(asked, ask) {
      const { key, request } = sharedRequest(asked);
      if (key === null) return render({ ...asked, transport: transportOf(ask) });
      const calls = callsOf(ask);
      const kept = pages.get(key);
      if (kept && kept.until > now() && (await isUnchanged(kept, calls)))
        return { ...kept.answer, html: kept.parts.join(request.nonce) };
      return renderToCache(key, request, calls);
    },
    size: () => ({ pages: pages.size, characters }),
  };
}

const isUnchanged = ({ calls }: CachedPage, { ask }: PageCalls): Promise<boolean> =>
  Promise.all(calls.map(async ({ call, digest }) => (await ask(call)).digest === digest)).then(
    (same) => same.every(Boolean),
    () => false,
  );

/**
 * What a page that may be kept depends on, and no more: of the browser's languages only the one that counts is handed on.
 * A form, a query (an order, a search, a number) or a language nobody speaks here make a page of its own.
 */
function sharedRequest<R extends Omit<PageRequest, 'transport'>>(request: R): { key: string | null; request: R } {
  const { method, path, query, form, storedLanguage, operator } = request;
  const isKnown = storedLanguage === null || operator.languages.some(({ code }) => code === storedLanguage);
  if (method !== 'GET' || form !== null || Object.keys(query).length > 0 || !isKnown) return { key: null, request };
  const { locale } = preferredLanguage(acceptedLanguages(request.acceptLanguage), operator.languages);
  return { key: JSON.stringify([path, storedLanguage, locale]), request: { ...request, acceptLanguage: locale } };
}
