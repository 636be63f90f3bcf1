import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { cacheAnswers } from '../http/cached-answers.ts';
import { compressAnswers } from '../http/compress-answers.ts';
import { pagesOriginOf, separateConsole } from '../http/console-host.ts';
import { refuseCrossSiteWrites } from '../http/cross-site.ts';
import { type ErrorWords, mapErrors } from '../http/error-map.ts';
import { logRequests } from '../http/operational.routes.ts';
import { guardRedirects } from '../http/redirects.ts';
import { addSecurityHeaders, createSecurityHeaders } from '../http/security-headers.ts';
import { traceRequests } from '../http/tracing.ts';
import { refuseUnaddressed, unreadableRequestOptions } from '../http/unreadable-requests.ts';
import { plainErrorPage } from '../render/plain-error-page.ts';
import type { Areas } from './areas.ts';
import type { Foundation } from './foundation.ts';

const requestLimitMs = 30_000;

/** The HTTP server with everything that applies to all requests, before any route. */
export function createHttp(
  { config, pack, log, metrics }: Foundation,
  { content }: Areas,
  stopping: AbortSignal,
): FastifyInstance {
  const checkout = checkoutOrigins(config);
  const headers = createSecurityHeaders({
    production: config.production,
    ...checkout,
    tileOrigins: pack.map.tiles ? [tileOrigin(pack.map.tiles.url)] : [],
    previewSource: pagesOriginOf(config) || "'self'",
  });
  const words: ErrorWords = {
    // Without a language in the request, the message is the specification's.
    say: ({ headers }, { message, refusal, parameters }) =>
      headers.lang === undefined
        ? message
        : content.text(content.languageOf(headers).locale, `errors.${refusal}`, parameters),
    page: (error, { nonce }) => plainErrorPage(error, pack, nonce),
  };
  const http = Fastify({
    ...unreadableRequestOptions(headers, words),
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    bodyLimit: 64 * 1024,
    requestTimeout: requestLimitMs,
    connectionTimeout: 60_000,
    forceCloseConnections: 'idle',
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 500 },
  });
  addSecurityHeaders(http, headers);
  // Another site can post plain text without a CORS preflight, but not JSON.
  http.removeContentTypeParser('text/plain');
  http.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  http.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping.aborted) reply.header('connection', 'close');
    done();
  });
  if (config.tracing) traceRequests(http);
  cacheAnswers(http);
  compressAnswers(http);
  logRequests(http, log, metrics);
  guardRedirects(http, {
    publicUrl: config.publicUrl,
    elsewhere: [...checkout.checkoutOrigins, ...(config.openid ? [new URL(config.openid.issuer).origin] : [])],
  });
  if (config.console) separateConsole(http, { publicUrl: config.publicUrl, origin: config.console.origin });
  refuseUnaddressed(http);
  refuseCrossSiteWrites(http, config);
  mapErrors(http, log, words);
  return http;
}

/** The origin of map tiles. Servers that rotate by subdomain become a wildcard. */
function tileOrigin(url: string): string {
  const { protocol, host } = new URL(url.replace('{s}', 'tile-host'));
  return `${protocol}//${host.replace(/^tile-host\./, '*.')}`;
}

const popupHosts: Record<string, string[]> = {
  'https://js.paystack.co': ['https://checkout.paystack.com', 'https://api.paystack.co'],
};

/** The origins that a payment may redirect to, and whose popup may open. Allowed only on the pages that need them. */
function checkoutOrigins({ paystack, cardCheckout, orangeMoney }: Config) {
  const script = paystack ? new URL(paystack.scriptUrl).origin : null;
  return {
    checkoutOrigins: [...(cardCheckout?.checkoutOrigins ?? []), ...(orangeMoney?.checkoutOrigins ?? [])],
    popupOrigins: script ? [script, ...(popupHosts[script] ?? [])] : [],
  };
}
