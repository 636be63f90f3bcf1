import type { FastifyInstance } from 'fastify';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Payments } from '../payments.service.ts';

/** More than the callbacks that we know take. One that is refused costs a hint: the sweep finds out by asking. */
const mostBytes = 4096;

/** Where providers call. The raw bytes are kept as they came, because a signature is over bytes and not over meaning. */
export async function registerCallbacks(
  app: FastifyInstance,
  options: { payments: Payments; limits: RateLimits },
): Promise<void> {
  await app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers();
    callbacks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    for (const url of ['/callbacks/:provider', '/callbacks/:provider/*'])
      callbacks.route<{ Params: { provider: string; '*'?: string } }>({
        method: ['POST', 'PUT'],
        url,
        config: { access: { limit: 'callback', proof: 'none' } },
        schema: { hide: true },
        handler: async (request, reply) => {
          const wait = await options.limits.take('callback', request.ip);
          if (wait !== null) throw new PortalError('tooManyCallbacks');
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const { provider, '*': path = '' } = request.params;
          await options.payments.receiveCallback({ provider, path, body, headers: request.headers });
          // The words that the strictest of the providers wants to read; the others look at the status alone.
          return reply.send({ ResultCode: 0, ResultDesc: 'Success' });
        },
      });
  });
}
