import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PortalError } from './portal-error.ts';

const reading = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The browser itself says where a request comes from; what another site's page sends is not its visitor's wish. */
function isCrossSite(request: FastifyRequest): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const { origin } = request.headers;
  if (origin === undefined) return false;
  try {
    return new URL(origin).host !== request.host;
  } catch {
    return true;
  }
}

/** Providers call from their own servers and carry a signature instead. */
export function refuseCrossSiteWrites(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const isWrite = !reading.has(request.method) && !request.url.startsWith('/callbacks/');
    if (isWrite && isCrossSite(request)) done(new PortalError('crossSite'));
    else done();
  });
}
