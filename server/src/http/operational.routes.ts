import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { Logger } from './logging.ts';
import type { Metrics } from './metrics.ts';
import { PortalError } from './portal-error.ts';

const access = { limit: 'none', proof: 'none' } as const;

/** Liveness, readiness and metrics. */
export function registerOperational(
  app: FastifyInstance,
  options: { db: Kysely<Schema>; metrics: Metrics; metricsKey: string | null; isStopping: () => boolean },
): void {
  app.get('/healthz', { config: { access }, schema: { hide: true } }, async () => ({ alive: true }));
  app.get('/readyz', { config: { access }, schema: { hide: true } }, async (_request, reply) => {
    if (options.isStopping()) return reply.status(503).send({ ready: false, reason: 'stopping' });
    try {
      await sql`select 1`.execute(options.db);
      return { ready: true };
    } catch {
      return reply.status(503).send({ ready: false, reason: 'the database does not answer' });
    }
  });
  app.get('/metrics', { config: { access }, schema: { hide: true } }, async (request, reply) => {
    // The client address proves nothing: behind a local proxy every request comes from this machine.
    if (!isKey(request.headers.authorization, options.metricsKey)) throw new PortalError('nothingHere');
    return reply.type(options.metrics.contentType).send(await options.metrics.text());
  });
}

function isKey(given: string | undefined, key: string | null): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return key !== null && timingSafeEqual(digest(given ?? ''), digest(`Bearer ${key}`));
}

/** Logs one line for each request, with the declared route: the URL as sent may contain a token. */
export function logRequests(app: FastifyInstance, log: Logger, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const status = String(reply.statusCode);
    if (request.routeOptions.config.isStream && reply.statusCode === 200) return done();
    metrics.requestSeconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (route === '/healthz' || route === '/readyz' || route === '/metrics') return done();
    const milliseconds = Math.round(reply.elapsedTime);
    log.info(
      { requestId: request.id, method: request.method, route, status: reply.statusCode, milliseconds },
      'request',
    );
    done();
  });
}
