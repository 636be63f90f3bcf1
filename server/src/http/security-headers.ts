import { randomBytes } from 'node:crypto';
import { isCallAddress } from '@portal/contract/calls.ts';
import { consoleRoot } from '@portal/contract/console/calls.ts';
import { screens } from '@portal/domain/screens.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reportsPath } from './policy-reports.ts';

declare module 'fastify' {
  interface FastifyRequest {
    nonce: string;
    /** The policy of this page for other sources of what stands in it than its nonce. */
    pagePolicy: PagePolicy;
  }
}

/** What may run and what may style, of all that stands in the page itself: `'nonce-…'` or `'sha256-…'`. */
export interface InlineSources {
  scripts: string;
  styles: string;
}

type PagePolicy = (inline: InlineSources) => string;

/** Of addresses with any language prefix; `end` is what may follow. */
const anyOf = (paths: readonly string[], end: string) => new RegExp(`^(/[a-z]{2})?(${paths.join('|')})(${end})`);
const consolePages = new RegExp(`^${consoleRoot}(/|\\?|$)`);
const checkoutScreens = screens.filter(({ policy }) => policy);
const checkoutPages = anyOf(
  checkoutScreens.flatMap(({ paths }) => paths('')),
  '/|\\?|$',
);
const popupPages = anyOf(
  checkoutScreens.flatMap(({ policy }) => policy?.popup ?? []),
  '\\?|$',
);

export interface HeaderOptions {
  production: boolean;
  /** Gateways' own pages, to which a posted form may lead on. */
  checkoutOrigins: readonly string[];
  /** A gateway's popup: its script, its frame and what they call. */
  popupOrigins: readonly string[];
  /** A configured tile server, whose pictures the maps may show. */
  tileOrigins: readonly string[];
  /** Where the customers' pages are, which the console frames to show a draft. */
  previewSource?: string;
}

/** What a page may ask the phone for: where it is, for shops and coverage, and the code of an SMS. */
const asked = ['geolocation', 'otp-credentials'];
const neverAsked = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'serial',
  'usb',
];

/** A gateway's popup may offer the phone's own way to pay; no other page does. */
const permissions = (popup: readonly string[]) =>
  [
    ...asked.map((name) => `${name}=(self)`),
    ...neverAsked.map((name) => `${name}=()`),
    `payment=(${popup.map((origin) => `"${origin}"`).join(' ')})`,
  ].join(', ');

/** The same on every answer; what they were ten years ago for is switched off in words where browsers still ask. */
const fixed = {
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': permissions([]),
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** What a call answers is read by script and never shown by itself. */
const callPolicy = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';object-src 'none'";

/** Also at an address that is no call's, but could only be one. */
export const isCall = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.call !== undefined ||
  request.routeOptions.config?.consoleCall !== undefined ||
  isCallAddress(request.url);

/** Where a page's policy differs from the next page's. */
interface Openings {
  /** Whose script and frame may run: on the card page alone, which is always loaded anew. */
  popup: readonly string[];
  /** Where a posted form may lead. */
  checkout: readonly string[];
  /** What else may be framed. */
  frames?: readonly string[];
}

/** Written out once for each kind of page: it is on every answer, and only what stands in the page changes. */
function pagePolicy(
  { production, tileOrigins }: HeaderOptions,
  { popup, checkout, frames = popup }: Openings,
): PagePolicy {
  const list = (...sources: string[]) => [...new Set(sources)].join(' ');
  const before = `default-src 'none';script-src ${list("'self'", ...popup)} `;
  const between = `;frame-src ${frames.length > 0 ? list(...frames) : "'none'"};style-src 'self' `;
  const after = [
    '',
    `img-src ${list("'self'", 'data:', ...tileOrigins)}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    `form-action ${list("'self'", ...checkout)}`,
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    ...(production ? ['upgrade-insecure-requests'] : []),
    // A gateway's own script makes markup out of text. Where none may run nobody does, but by the policies of ours.
    ...(popup.length > 0 ? [] : ["require-trusted-types-for 'script'", 'trusted-types portal default']),
    // The older way to report: every browser knows it, and one that is told both uses the newer one, late and not on http.
    `report-uri ${reportsPath}`,
  ].join(';');
  return ({ scripts, styles }) => before + scripts + between + styles + after;
}

/** The one door for headers: whatever answers, a route, the router or the parser, takes them from here. */
export interface SecurityHeaders {
  /** Of an answer that has a request; the nonce of its page is made with them. */
  addTo(request: FastifyRequest, reply: FastifyReply): void;
  /** Of an answer to what could not be read as a request. */
  bare: Record<string, string>;
}

export function createSecurityHeaders(options: HeaderOptions): SecurityHeaders {
  const headers = {
    ...fixed,
    ...(options.production ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  const { checkoutOrigins, popupOrigins } = options;
  const onPages = pagePolicy(options, { popup: [], checkout: [] });
  const onCheckoutPages = pagePolicy(options, { popup: [], checkout: checkoutOrigins });
  const onConsolePages = pagePolicy(options, { popup: [], checkout: [], frames: [options.previewSource ?? "'self'"] });
  const onPopupPages = pagePolicy(options, { popup: popupOrigins, checkout: checkoutOrigins });

  function policyAt(url: string): PagePolicy {
    if (consolePages.test(url)) return onConsolePages;
    if (popupPages.test(url)) return onPopupPages;
    return checkoutPages.test(url) ? onCheckoutPages : onPages;
  }

  return {
    addTo(request, reply) {
      const { url } = request;
      reply.headers(headers);
      if (isCall(request)) {
        reply.header('content-security-policy', callPolicy);
        return;
      }
      request.nonce = randomBytes(16).toString('base64url');
      const policy = policyAt(url);
      const ofNonce = `'nonce-${request.nonce}'`;
      request.pagePolicy = policy;
      reply.header('content-security-policy', policy({ scripts: ofNonce, styles: ofNonce }));
      if (policy === onPopupPages && popupOrigins.length > 0)
        reply.header('permissions-policy', permissions(popupOrigins));
    },
    bare: { ...headers, 'content-security-policy': callPolicy },
  };
}

/** First of all hooks, so that whatever fails after it has them. */
export function addSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.decorateRequest('nonce', '');
  app.decorateRequest('pagePolicy', () => callPolicy);
  app.addHook('onRequest', (request, reply, done) => {
    headers.addTo(request, reply);
    done();
  });
}
