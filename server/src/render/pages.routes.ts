import formbody from '@fastify/formbody';
import fastifyStatic from '@fastify/static';
import type { ResultOf } from '@portal/contract/contract.ts';
import type { PageAnswer, PageRequest } from '@portal/contract/render-page.ts';
import { type OperatorPack, type PackLanguage, publicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedEncoding, compress } from '../http/compress.ts';
import { sendErrorPage, toPortalError } from '../http/error-map.ts';
import type { Logger } from '../http/logging.ts';
import { PortalError } from '../http/portal-error.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import { cookieOf, type Visits } from '../http/visits.ts';
import { registerManifest } from './manifest.routes.ts';
import { type CachedPage, pageCache } from './page-cache.ts';
import { type Ask, answerOf, contentAnswers } from './page-calls.ts';
import { plainErrorPage } from './plain-error-page.ts';
import { registerServiceWorker } from './service-worker.routes.ts';
import { registerSitemap } from './sitemap.routes.ts';
import { visitTokens } from './visit-tokens.ts';
import type { WebBuild } from './web-build.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for a browser without cookies. */
    visit: string | null;
  }
}

export interface PageOptions {
  pack: OperatorPack;
  web: WebBuild;
  tokens: SealedTokens;
  limits: RateLimits;
  visits: Visits;
  log: Logger;
  production: boolean;
  sandbox: boolean;
  publicUrl: string;
  serviceWorker: boolean;
  /**
   * The active package of a page, directly from the content service. Without it pages use the call, which costs more.
   */
  activePackage?: (page: string) => Promise<unknown>;
  /** All questions of the help centre. */
  questions(): Promise<ResultOf<'faqs'>>;
  /** A description of the portal in one sentence. */
  describe(language: PackLanguage): string;
}

// Scripts and images need no policy, and a kilobyte of headers for each is noticeable on a slow connection.
const pageOnlyHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'referrer-policy',
  'x-frame-options',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
  'origin-agent-cluster',
  'permissions-policy',
];
// Files named by content hash are immutable: they need no revalidation and no range requests.
const revalidationHeaders = ['etag', 'last-modified', 'accept-ranges', 'x-request-id'];
const languageCookie = 'selectedLanguage';
const askedCookie = 'askedLanguage';

/** Every other GET or form POST is a page of the web app, rendered here with in-process calls. */
export async function registerPages(app: FastifyInstance, options: PageOptions): Promise<void> {
  const { web, tokens, visits } = options;
  const operator = publicPack(options.pack);
  const cache = pageCache(web.renderPage);
  const content = options.activePackage ? contentAnswers(options.activePackage) : null;
  app.decorateRequest('visit', null);

  await app.register(fastifyStatic, {
    root: web.folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      const immutable = path.includes('/assets/');
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600');
      for (const header of immutable ? [...pageOnlyHeaders, ...revalidationHeaders] : pageOnlyHeaders)
        reply.removeHeader(header);
    },
  });

  registerSitemap(app, {
    publicUrl: options.publicUrl,
    operator,
    questionPaths: async () => web.questionPaths(await options.questions().catch(() => [])),
  });
  registerManifest(app, { operator, describe: options.describe });
  registerServiceWorker(app, { web, operator, enabled: options.serviceWorker });

  await app.register(async (pages) => {
    await pages.register(formbody, { bodyLimit: 32 * 1024 });
    pages.setErrorHandler((error: Error, request, reply) => {
      const answer = toPortalError(error);
      if (answer.httpStatus >= 500)
        options.log.error({ requestId: request.id, route: 'page', err: error }, 'page failed');
      return sendErrorPage(answer, reply, plainErrorPage(answer, options.pack, request.nonce));
    });
    const asPage = { config: { access: { limit: 'page', proof: 'none' } }, schema: { hide: true } } as const;
    // The next user of a shared phone is another person: nothing of the ended visit is shown in full or acted on.
    pages.route({
      ...asPage,
      method: 'POST',
      url: paths.leave,
      handler: async (request, reply) => {
        await keepWithinLimit(request, reply);
        reply.header('set-cookie', visits.setCookie(visits.start(request.ip))).header('cache-control', 'no-store');
        return reply.redirect(paths.home, 303);
      },
    });
    pages.route({
      ...asPage,
      method: ['GET', 'POST'],
      url: '/*',
      handler: async (request, reply) => {
        await keepWithinLimit(request, reply);
        const bare = withoutSlash(request.url);
        if (bare !== null) return reply.redirect(bare, 308);
        request.visit = visitOf(request);
        return send(request, reply, await cache.render(pageRequest(request), askFor(request)));
      },
    });
  });

  async function keepWithinLimit({ ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const wait = await options.limits.take('page', ip);
    if (wait === null) return;
    reply.header('retry-after', String(wait));
    throw new PortalError('tooManyRequests', {}, { seconds: wait });
  }

  /** A form comes from a page that set the visit cookie. If the cookie is missing, the browser keeps none. */
  function visitOf({ method, headers, ip }: FastifyRequest): string | null {
    return visits.inCookie(headers.cookie) ?? (method === 'POST' ? null : visits.start(ip));
  }

  function askFor(request: FastifyRequest): Ask {
    return async (call) => {
      const known = await content?.(call);
      if (known) return known;
      const answer = await app.inject({
        method: call.method,
        url: call.path,
        query: call.query ?? {},
        remoteAddress: request.ip,
        // The customer's own visit, so that a form posted without script is bound to it too.
        headers: {
          ...call.headers,
          ...(request.visit ? { cookie: visits.cookie(request.visit) } : {}),
          ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(call.body === undefined ? {} : { payload: JSON.stringify(call.body) }),
      });
      return answerOf(answer.statusCode, answer.payload);
    };
  }

  function pageRequest(request: FastifyRequest): Omit<PageRequest, 'transport'> {
    const [path = '/'] = request.url.split('?');
    const visit = visits.inCookie(request.headers.cookie);
    const { seal, open } = visitTokens(tokens, visit);
    return {
      method: request.method === 'POST' ? 'POST' : 'GET',
      path: safeDecode(path),
      query: textsOnly(request.query),
      form: request.method === 'POST' ? textsOnly(request.body) : null,
      storedLanguage: languageOf(request),
      acceptLanguage: String(request.headers['accept-language'] ?? ''),
      origin: options.publicUrl,
      nonce: request.nonce,
      production: options.production,
      sandbox: options.sandbox,
      worker: options.serviceWorker,
      hasVisit: visit !== null,
      operator,
      seal,
      open,
      entryScript: web.entryScript,
      assetsOf: web.assetsOf,
    };
  }

  async function send(request: FastifyRequest, reply: FastifyReply, given: PageAnswer | CachedPage): Promise<unknown> {
    const cached = 'answer' in given ? given : null;
    const answer = 'answer' in given ? given.answer : given;
    const attributes = `; Path=/; SameSite=Lax${options.production ? '; Secure' : ''}`;
    const cookies = [
      ...(answer.remember ? [`${languageCookie}=${answer.language}${attributes}`] : []),
      // A tab keeps its language even if another tab chose a different one. A language in the URL was chosen in this
      // tab.
      ...(answer.kind === 'redirect' && answer.remember
        ? [`${askedCookie}=${answer.language}; Max-Age=60${attributes}`]
        : []),
      ...(request.visit && !visits.inCookie(request.headers.cookie) ? [visits.setCookie(request.visit)] : []),
    ];
    if (cookies.length > 0) reply.header('set-cookie', cookies);
    if (answer.kind === 'redirect')
      return reply.status(303).header('cache-control', 'no-store').header('location', answer.location).send();
    reply
      .status(answer.status)
      .type('text/html; charset=utf-8')
      .header('cache-control', answer.cacheable ? 'private, no-cache' : 'no-store')
      .header('vary', 'accept-language, cookie, accept-encoding');
    if (cached) reply.header('content-security-policy', request.pagePolicy(cached.inline));
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (!encoding) return reply.send(answer.html);
    reply.header('content-encoding', encoding);
    return reply.send(await (cached ? cached.compressed(encoding) : compress(answer.html, encoding)));
  }
}

/**
 * The canonical URL has no trailing slash. A path that starts with two slashes would name another host, so it is not
 * redirected.
 */
function withoutSlash(url: string): string | null {
  const [path = '/', ...query] = url.split('?');
  if (!/^\/(?!\/).*\/$/.test(path)) return null;
  return [path.replace(/\/+$/, ''), ...query].join('?');
}

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Takes the first of repeated fields, and drops anything that is not short text. */
function textsOnly(fields: unknown): Record<string, string> {
  const pairs = Object.entries((fields ?? {}) as Record<string, unknown>).map(([name, value]) => [
    name,
    Array.isArray(value) ? value[0] : value,
  ]);
  return Object.fromEntries(pairs.filter(([, value]) => typeof value === 'string' && value.length <= 4096));
}

function languageOf(request: FastifyRequest): string | null {
  const value = cookieOf(request.headers.cookie, languageCookie) ?? '';
  return /^[A-Za-z]{2}$/.test(value) ? value : null;
}
