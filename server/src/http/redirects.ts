import type { FastifyInstance } from 'fastify';
import { PortalError } from './portal-error.ts';

/** Where a browser may be sent: this site, the pages of gateways where a payment goes on, and where the operator's people sign in. */
export interface RedirectTargets {
  publicUrl: string;
  elsewhere: readonly string[];
}

/** As a browser would resolve it, which drops tabs and takes a backslash for a slash. */
export function mayRedirectTo(location: string, { publicUrl, elsewhere }: RedirectTargets): boolean {
  // Other characters cannot be sent in a header, or end it.
  if (!/^[\x21-\x7e]+$/.test(location) || !URL.canParse(location, publicUrl)) return false;
  // "https:host" is a path to a page under https, and another host to one that is not.
  const { protocol, origin } = URL.canParse(location) ? new URL(location) : new URL(location, publicUrl);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && [new URL(publicUrl).origin, ...elsewhere].includes(origin);
}

/** The one door for redirects, whoever makes them: one that leads elsewhere is an address that nobody has. */
export function guardRedirects(app: FastifyInstance, targets: RedirectTargets): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const location = reply.getHeader('location');
    if (location === undefined || mayRedirectTo(String(location), targets)) return done(null, payload);
    reply.removeHeader('location');
    done(new PortalError('nothingHere'));
  });
}
