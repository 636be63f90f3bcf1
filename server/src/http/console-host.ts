import { consoleRoot } from '@portal/contract/console/calls.ts';
import type { FastifyInstance } from 'fastify';
import { reportsPath } from './policy-reports.ts';
import { PortalError } from './portal-error.ts';

/** What answers at every address: whoever watches the machine, and what browsers report about a policy. */
const everywhere = ['/healthz', '/readyz', '/metrics', reportsPath];

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

/** Whether the console has an origin of its own. */
const isSeparate = ({ publicUrl, origin }: { publicUrl: string; origin: string }): boolean =>
  new URL(origin).host !== new URL(publicUrl).host;

/** Where the customers' pages are, seen from the console; empty where that is the same place. */
export const pagesOriginOf = ({
  publicUrl,
  console,
}: {
  publicUrl: string;
  console: { origin: string } | null;
}): string => (console && isSeparate({ publicUrl, origin: console.origin }) ? new URL(publicUrl).origin : '');

/** Where the console has an origin of its own it answers there alone, and nothing of the customers' does. */
export function separateConsole(
  app: FastifyInstance,
  { publicUrl, origin }: { publicUrl: string; origin: string },
): void {
  if (!isSeparate({ publicUrl, origin })) return;
  const { host } = new URL(origin);
  app.addHook('onRequest', (request, reply, done) => {
    const [path = '/'] = request.url.split('?');
    const isThere = request.host === host;
    if (isThere && path === '/') return void reply.redirect(consoleRoot, 302);
    if (everywhere.includes(path) || isThere === isBelow(path, consoleRoot)) return done();
    done(new PortalError('nothingHere'));
  });
}
