import { callPath } from '@portal/contract/calls.ts';
import type { ResultOf } from '@portal/contract/contract.ts';
import type { PageRequest, TransportRequest } from '@portal/contract/render-page.ts';
import { languageOfPath } from '@portal/domain/language.ts';
import { type OperatorPack, publicPack } from '@portal/domain/operator.ts';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '../http/portal-error.ts';
import type { RateLimits } from '../http/rate-limit.ts';
import { type Ask, answerOf, contentAnswers, isPublicPath, transportOf } from './page-calls.ts';
import type { WebBuild } from './web-build.ts';

/** A page of the portal with drafts in place of the published content. */
export interface PreviewedPage {
  at: string;
  activePackage: (page: string) => Promise<unknown>;
  faqs: (locale: string) => Promise<ResultOf<'faqs'>>;
}

export interface PreviewOptions {
  path: string;
  /** Null if the token is invalid or expired. */
  open: (token: string) => Promise<PreviewedPage | null>;
  pack: OperatorPack;
  web: Pick<WebBuild, 'renderPage' | 'entryScript' | 'assetsOf'>;
  limits: Pick<RateLimits, 'take'>;
  production: boolean;
  sandbox: boolean;
  publicUrl: string;
  /** The allowed frame ancestor: `'self'`, or the console's origin. */
  framedBy: string;
}

/**
 * The customers' page with drafts in it. It has text and styles without any script: it counts no visit, starts no
 * service worker and sends no form, and script in a draft is never executed, least of all beside the console.
 */
export function registerPreview(app: FastifyInstance, options: PreviewOptions): void {
  const { pack, web } = options;
  const operator = publicPack(pack);

  /** Drafted content comes from the drafts, everything else from the portal's own calls. Nothing is written. */
  function askWith({ activePackage, faqs }: PreviewedPage, ip: string, locale: string): Ask {
    const content = contentAnswers(activePackage);
    return async (call: TransportRequest) => {
      const known = await content(call);
      if (known) return known;
      if (call.path === callPath('faqs', pack.brand)) return answerOf(200, JSON.stringify(await faqs(locale)));
      const { method, path: url, query = {}, headers = {}, body } = call;
      if (method !== 'GET' && !isPublicPath(url, operator)) throw new PortalError('nothingHere');
      const answer = await app.inject({
        ...{ method, url, query, headers, remoteAddress: ip },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return answerOf(answer.statusCode, answer.payload);
    };
  }

  app.get(
    options.path,
    { config: { access: { limit: 'page', proof: 'token' } }, schema: { hide: true } },
    async (request, reply) => {
      const wait = await options.limits.take('page', request.ip);
      if (wait !== null) {
        reply.header('retry-after', String(wait));
        throw new PortalError('tooManyRequests', {}, { seconds: wait });
      }
      reply
        .header('cache-control', 'no-store')
        .header('x-robots-tag', 'noindex')
        .header('referrer-policy', 'no-referrer');
      const { draft } = request.query as { draft?: unknown };
      const preview = typeof draft === 'string' ? await options.open(draft) : null;
      if (!preview) throw new PortalError('nothingHere');
      const { language } = languageOfPath(preview.at, pack.languages);
      const asked: PageRequest = {
        ...{ method: 'GET', path: preview.at, query: {}, form: null, acceptLanguage: '' },
        storedLanguage: language.code,
        ...{ origin: options.publicUrl, nonce: request.nonce, worker: false, hasVisit: false, operator },
        ...{ production: options.production, sandbox: options.sandbox },
        ...{ entryScript: web.entryScript, assetsOf: web.assetsOf },
        transport: transportOf(askWith(preview, request.ip, language.locale)),
        seal: () => '',
        open: () => null,
      };
      const answer = await web.renderPage(asked);
      if (answer.kind !== 'page') throw new PortalError('nothingHere');
      reply
        .removeHeader('x-frame-options')
        .header('content-security-policy', policyOf(request.nonce, options.framedBy))
        .type('text/html; charset=utf-8');
      return reply.status(answer.status).send(withoutScript(answer.html));
    },
  );
}

const policyOf = (nonce: string, framedBy: string) =>
  [
    "default-src 'none'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${framedBy}`,
    // No scripts and no popups; its own images and fonts may load.
    'sandbox allow-same-origin',
  ].join(';');

/** The page as it looks with script, but without the script. Links are disabled, because the sandbox blocks them. */
const withoutScript = (html: string) =>
  html
    .replaceAll(/<(script|noscript)\b[\s\S]*?<\/\1>/g, '')
    .replace(/<link rel="manifest"[^>]*>/, '')
    .replace('<head>', '<head><base target="_blank">');
