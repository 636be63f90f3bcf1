import type { FastifyInstance } from 'fastify';
import { PortalError } from './portal-error.ts';

/** Where a browser may be redirected: this site, the gateways' payment pages, and the sign-in of the operator's people. */
export interface RedirectTargets {
  publicUrl: string;
  elsewhere: readonly string[];
}

/** Resolves the location as a browser does, which drops tabs and reads a backslash as a slash. */
export function mayRedirectTo(location: string, { publicUrl, elsewhere }: RedirectTargets): boolean {
  // Other characters are not allowed in a header, or would end it.
  if (!/^[\x21-\x7e]+$/.test(location) || !URL.canParse(location, publicUrl)) return false;
  // "https:host" is a relative path on a page under https, and another host on one under http.
  const { protocol, origin } = URL.canParse(location) ? new URL(location) : new URL(location, publicUrl);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && [new URL(publicUrl).origin, ...elsewhere].includes(origin);
}

/** Checks every redirect, whoever made it. One that leads elsewhere becomes a 404. */
export function guardRedirects(app: FastifyInstance, targets: RedirectTargets): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location');
    if (location === undefined || mayRedirectTo(String(location), targets)) return done(null, payload);
    reply.removeHeader('location');
    done(new PortalError('nothingHere'));
  });
}
