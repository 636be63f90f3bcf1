import { consoleRoot } from '@portal/contract/console/calls.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PortalError } from './portal-error.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Browsers report where a request comes from. A write from another site's page is not what the user intended (CSRF). */
function isCrossSite(request: FastifyRequest, isSecure: boolean): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  // Browsers that the console supports send one of the two headers with each post; a customer's old browser may not.
  // The route is compared, since the URL may be spelled differently.
  if (origin === undefined) return request.routeOptions.url?.startsWith(`${consoleRoot}/`) ?? false;
  try {
    const from = new URL(origin);
    // The same host under another scheme is another site; an unencrypted page may have been altered by anybody.
    const isWeb = from.protocol === 'https:' || (from.protocol === 'http:' && !isSecure);
    return !isWeb || from.origin !== origin || from.host !== request.host;
  } catch {
    return true;
  }
}

/** Providers' callbacks are exempt: they come from servers and carry a signature. */
export function refuseCrossSiteWrites(app: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  const isSecure = publicUrl.startsWith('https:');
  app.addHook('onRequest', (request, _reply, done) => {
    const isWrite = !safeMethods.has(request.method) && !request.url.startsWith('/callbacks/');
    if (isWrite && isCrossSite(request, isSecure)) done(new PortalError('crossSite'));
    else done();
  });
}
