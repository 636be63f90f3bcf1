import { createHash } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import type { PublicPack } from '@portal/domain/operator.ts';
import { pageCaching } from '@portal/domain/screens.ts';
import type { FastifyInstance } from 'fastify';
import type { WebBuild } from './web-build.ts';

/**
 * If switched off, this worker replaces the old one, deletes all caches and unregisters itself. Browsers always
 * revalidate the worker script, so none keeps the old one.
 */
const unregisterScript = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  const forget = async () => {
    await self.clients.claim();
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.unregister();
  };
  event.waitUntil(forget());
});
`;

/** Serves the worker with the operator's values. The same build for another operator is another version. */
export function registerServiceWorker(
  app: FastifyInstance,
  { web, operator, enabled }: { web: WebBuild; operator: PublicPack; enabled: boolean },
): void {
  const { code, brand, languages } = operator;
  const settings = {
    operator: code,
    slug: brand.slug,
    prefixes: languages.map(({ prefix }) => prefix),
    pages: pageCaching(operator),
    assets: web.precachedFiles,
  };
  const version = createHash('sha256')
    .update(web.worker + web.build + JSON.stringify(settings))
    .digest('base64url')
    .slice(0, 12);
  const script = Buffer.from(
    enabled ? `self.portalSettings=${JSON.stringify({ version, ...settings })};\n${web.worker}` : unregisterScript,
  );
  const small = brotliCompressSync(script);
  app.get(
    '/sw.js',
    { config: { access: { limit: 'none', proof: 'none' } }, schema: { hide: true } },
    async (request, reply) => {
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .header('vary', 'accept-encoding');
      if (!/\bbr\b/.test(String(request.headers['accept-encoding']))) return reply.send(script);
      return reply.header('content-encoding', 'br').send(small);
    },
  );
}
