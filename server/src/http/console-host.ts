import { consoleRoot } from '@portal/contract/console/calls.ts';
import type { FastifyInstance } from 'fastify';
import { reportsPath } from './policy-reports.ts';
import { PortalError } from './portal-error.ts';

/** Served on every host: health checks, metrics and policy reports. */
const servedOnEveryHost = ['/healthz', '/readyz', '/metrics', reportsPath];

const isBelow = (path: string, root: string) => path === root || path.startsWith(`${root}/`);

/** Whether the console has its own origin. */
const isSeparate = ({ publicUrl, origin }: { publicUrl: string; origin: string }): boolean =>
  new URL(origin).host !== new URL(publicUrl).host;

/** The origin of the customers' pages as the console needs it; empty if it is the console's own. */
export const pagesOriginOf = ({
  publicUrl,
  console,
}: {
  publicUrl: string;
  console: { origin: string } | null;
}): string => (console && isSeparate({ publicUrl, origin: console.origin }) ? new URL(publicUrl).origin : '');

/** If the console has its own origin, it is served only there, and the customers' pages are not. */
export function separateConsole(
  app: FastifyInstance,
  { publicUrl, origin }: { publicUrl: string; origin: string },
): void {
  if (!isSeparate({ publicUrl, origin })) return;
  const { host } = new URL(origin);
  app.addHook('onRequest', (request, reply, done) => {
    const [path = '/'] = request.url.split('?');
    const isConsoleHost = request.host === host;
    if (isConsoleHost && path === '/') return void reply.redirect(consoleRoot, 302);
    if (servedOnEveryHost.includes(path) || isConsoleHost === isBelow(path, consoleRoot)) return done();
    done(new PortalError('nothingHere'));
  });
}
