import { readFile } from 'node:fs/promises';
import fastifyStatic from '@fastify/static';
import { consoleRoot } from '@portal/contract/console/calls.ts';
import type { FastifyInstance } from 'fastify';
import { PortalError } from '../http/portal-error.ts';
import type { RateLimits } from '../http/rate-limit.ts';

const dist = new URL('../../../console/dist/', import.meta.url);

/** The console's bundle: one document for all its pages, without data until the user is signed in. */
export async function registerConsolePages(
  app: FastifyInstance,
  { limits, signIn }: { limits: Pick<RateLimits, 'take'>; signIn: 'openid' | 'passkeys' },
): Promise<void> {
  const built = await readFile(new URL('index.html', dist), 'utf8').catch(() => {
    throw new Error('The console has not been built: run "npm run build".');
  });
  const document = built.replace('__SIGN_IN__', signIn);
  await app.register(fastifyStatic, {
    root: new URL('assets/', dist).pathname,
    prefix: `${consoleRoot}/assets/`,
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply) => void reply.header('cache-control', 'public, max-age=31536000, immutable'),
  });
  for (const url of [consoleRoot, `${consoleRoot}/*`])
    app.get(
      url,
      { config: { access: { limit: 'page', proof: 'none' } }, schema: { hide: true } },
      async (request, reply) => {
        const wait = await limits.take('page', request.ip);
        if (wait !== null) {
          reply.header('retry-after', String(wait));
          throw new PortalError('tooManyRequests', {}, { seconds: wait });
        }
        return reply
          .header('cache-control', 'no-store')
          .header('x-robots-tag', 'noindex')
          .type('text/html; charset=utf-8')
          .send(document.replace('__NONCE__', request.nonce));
      },
    );
}
