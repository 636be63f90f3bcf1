import { randomBytes } from 'node:crypto';
import { isCallAddress } from '@portal/contract/calls.ts';
import { consoleRoot } from '@portal/contract/console/calls.ts';
import { screens } from '@portal/domain/screens.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { reportsPath } from './policy-reports.ts';

declare module 'fastify' {
  interface FastifyRequest {
    nonce: string;
    /** The page's policy for inline sources other than its nonce. */
    pagePolicy: PagePolicy;
  }
}

/** Which inline scripts and styles are allowed: `'nonce-…'` or `'sha256-…'`. */
export interface InlineSources {
  scripts: string;
  styles: string;
}

type PagePolicy = (inline: InlineSources) => string;

/** Matches paths with any language prefix; `end` is what may follow. */
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
  /** Gateways' pages that a posted form may redirect to. */
  checkoutOrigins: readonly string[];
  /** A gateway's popup: its script, its frame and what they call. */
  popupOrigins: readonly string[];
  /** A configured tile server, whose images the maps may load. */
  tileOrigins: readonly string[];
  /** The origin of the customers' pages, which the console frames to preview a draft. */
  previewSource?: string;
}

/** Browser features that pages use: the location, for shops and coverage, and reading the code from an SMS. */
const allowedFeatures = ['geolocation', 'otp-credentials'];
const deniedFeatures = [
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

/** Only a gateway's popup may use the Payment Request API. */
const permissions = (popup: readonly string[]) =>
  [
    ...allowedFeatures.map((name) => `${name}=(self)`),
    ...deniedFeatures.map((name) => `${name}=()`),
    `payment=(${popup.map((origin) => `"${origin}"`).join(' ')})`,
  ].join(', ');

/** The same on every response. Legacy features are switched off explicitly for browsers that still have them. */
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

/** Responses to calls are read by script and never rendered. */
const callPolicy = "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';object-src 'none'";

/** True also for unknown addresses under the prefixes of the calls. */
export const isCall = (request: FastifyRequest): boolean =>
  request.routeOptions.config?.call !== undefined ||
  request.routeOptions.config?.consoleCall !== undefined ||
  isCallAddress(request.url);

/** Where the policies of pages differ. */
interface PolicyExceptions {
  /** Origins whose script and frame may run: only on the card page, which is always a full page load. */
  popup: readonly string[];
  /** Origins that a posted form may redirect to. */
  checkout: readonly string[];
  /** Other sources that may be framed. */
  frames?: readonly string[];
}

/** Built once for each kind of page, since it is on every response and only the inline sources change. */
function pagePolicy(
  { production, tileOrigins }: HeaderOptions,
  { popup, checkout, frames = popup }: PolicyExceptions,
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
    // A gateway's script creates markup from strings. On pages without one, only our own Trusted Types policies may.
    ...(popup.length > 0 ? [] : ["require-trusted-types-for 'script'", 'trusted-types portal default']),
    // The older report directive: every browser supports it. A browser given both uses the newer one, which reports
    // late and not over http.
    `report-uri ${reportsPath}`,
  ].join(';');
  return ({ scripts, styles }) => before + scripts + between + styles + after;
}

/** The single source of these headers, for responses of routes, of the router and of the HTTP parser. */
export interface SecurityHeaders {
  /** Adds them to the response, with a fresh nonce for its page. */
  addTo(request: FastifyRequest, reply: FastifyReply): void;
  /** For responses to what could not be parsed as a request. */
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

/** Must be the first hook, so that responses to later failures have the headers too. */
export function addSecurityHeaders(app: FastifyInstance, headers: SecurityHeaders): void {
  app.decorateRequest('nonce', '');
  app.decorateRequest('pagePolicy', () => callPolicy);
  app.addHook('onRequest', (request, reply, done) => {
    headers.addTo(request, reply);
    done();
  });
}
