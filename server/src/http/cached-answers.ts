import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Content is requested often and changes rarely: an ETag saves sending it again. */
export function cacheAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const { config } = request.routeOptions;
    const isContent = config?.call !== undefined && config.access?.limit === 'read' && request.url.startsWith('/cms/');
    if (!isContent || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload);
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
    reply.header('etag', tag).header('cache-control', 'public, no-cache').header('vary', 'lang, accept-encoding');
    if (!String(request.headers['if-none-match'] ?? '').includes(tag)) return done(null, payload);
    reply.status(304);
    done(null, '');
  });
}
