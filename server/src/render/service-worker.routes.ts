import { createHash } from 'node:crypto';
import { brotliCompressSync } from 'node:zlib';
import type { PublicPack } from '@portal/domain/operator.ts';
import { pageCaching } from '@portal/domain/screens.ts';
import type { FastifyInstance } from 'fastify';
import type { WebBuild } from './web-build.ts';

/**
 * Switched off, it takes the old one's place, so that nothing is cached any more, deletes all caches, and goes.
 * Every browser asks for the script anew, so none is left with the old one.
 */
const farewell = `self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => {
  const forget = async () => {
    await self.clients.claim();
    for (const name of await caches.keys()) await caches.delete(name);
    await self.registration.unregister();
  };
  event.waitUntil(forget());
});
`;

/** The worker at its one address, told which operator it works for; the same build for another one is another version. */
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
    enabled ? `self.portalSettings=${JSON.stringify({ version, ...settings })};\n${web.worker}` : farewell,
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
