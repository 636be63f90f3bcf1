import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

/** Content is asked for again and again and seldom changes: what a client has already is not sent a second time. */
export function cacheAnswers(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const { config } = request.routeOptions;
    const isContent = config?.call !== undefined && config.access?.limit === 'read' && request.url.startsWith('/cms/');
    if (!isContent || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
    reply.header('etag', tag).header('cache-control', 'public, no-cache').header('vary', 'lang, accept-encoding');
    if (!String(request.headers['if-none-match'] ?? '').includes(tag)) return payload;
    reply.status(304);
    return '';
  });
}
