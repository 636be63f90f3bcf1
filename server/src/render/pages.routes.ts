import formbody from '@fastify/formbody';
import fastifyStatic from '@fastify/static';
import type { ResultOf } from '@portal/contract/contract.ts';
import type { PageAnswer, PageRequest } from '@portal/contract/page.ts';
import { type OperatorPack, type PackLanguage, publicPack } from '@portal/domain/operator.ts';
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
    /** Null for a browser that refuses cookies. */
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
  /** The active package of a page, from the content service itself; without it pages ask by the call, which costs more. */
  activePackage?: (page: string) => Promise<unknown>;
  /** Everything that can be asked in the help centre. */
  questions(): Promise<ResultOf<'faqs'>>;
  /** The portal in a sentence. */
  describe(language: PackLanguage): string;
}

// A script or a picture has no use for a policy, and on a slow line a kilobyte of headers for each is felt.
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
// What is named by its content is never asked for a second time, nor in parts.
const revalidationHeaders = ['etag', 'last-modified', 'accept-ranges', 'x-request-id'];
const languageCookie = 'selectedLanguage';
const askedCookie = 'askedLanguage';

/** Everything that is not a call is a page of the web app, rendered here with the calls made in-process. */
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
    pages.route({
      method: ['GET', 'POST'],
      url: '/*',
      config: { access: { limit: 'page', proof: 'none' } },
      schema: { hide: true },
      handler: async (request, reply) => {
        const wait = await options.limits.take('page', request.ip);
        if (wait !== null) {
          reply.header('retry-after', String(wait));
          throw new PortalError('tooManyRequests', {}, { seconds: wait });
        }
        const bare = withoutSlash(request.url);
        if (bare !== null) return reply.redirect(bare, 308);
        request.visit = visitOf(request);
        return send(request, reply, await cache.render(pageRequest(request), askFor(request)));
      },
    });
  });

  /** A form comes from a page that gave a visit: where none comes back with it, the browser keeps no cookies. */
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
        // The customer's own visit, so that a form posted without script is bound to it as well.
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
    const { seal, open } = visitTokens(tokens, visits.inCookie(request.headers.cookie));
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
      // A tab keeps its language whatever another one chose; what an address asked for was chosen in this one.
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

/** The one address of a page has no slash at its end. What begins with two would name another site, and is nobody's. */
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

/** Repeated fields count once; anything that is not short text is left out. */
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
