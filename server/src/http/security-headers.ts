import { randomBytes } from 'node:crypto';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    nonce: string;
  }
}

const paymentPages = /^(\/[a-z]{2})?\/payment(\/|\?|$)/;
const cardPage = /^(\/[a-z]{2})?\/payment\/start\/card(\?|$)/;

const nonceSource = (request: unknown) => `'nonce-${(request as { nonce: string }).nonce}'`;

export interface HeaderOptions {
  production: boolean;
  /** Gateways' own pages, to which a posted form may lead on. */
  checkoutOrigins: readonly string[];
  /** A gateway's popup: its script, its frame and what they call. */
  popupOrigins: readonly string[];
  /** A configured tile server, whose pictures the maps may show. */
  tileOrigins: readonly string[];
}

export async function securityHeaders(app: FastifyInstance, options: HeaderOptions): Promise<void> {
  /** The card page is the only one that lets a stranger's script in, and it is always loaded anew. */
  const onPages = (pattern: RegExp, origins: readonly string[], elsewhere: string) => (request: unknown) =>
    origins.length > 0 && pattern.test(String((request as { url?: string }).url)) ? origins.join(' ') : elsewhere;

  app.decorateRequest('nonce', '');
  app.addHook('onRequest', async (request) => {
    request.nonce = randomBytes(16).toString('base64url');
    // The header's functions are handed the raw request.
    Object.assign(request.raw, { nonce: request.nonce });
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': ["'self'", nonceSource, onPages(cardPage, options.popupOrigins, "'self'")],
        'frame-src': [onPages(cardPage, options.popupOrigins, "'none'")],
        'style-src': ["'self'", nonceSource],
        'img-src': ["'self'", 'data:', ...options.tileOrigins],
        'font-src': ["'self'"],
        'connect-src': ["'self'"],
        'manifest-src': ["'self'"],
        'worker-src': ["'self'"],
        'form-action': ["'self'", onPages(paymentPages, options.checkoutOrigins, "'self'")],
        'base-uri': ["'none'"],
        'object-src': ["'none'"],
        'frame-ancestors': ["'none'"],
        ...(options.production ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: options.production ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    frameguard: { action: 'deny' },
  });
}
