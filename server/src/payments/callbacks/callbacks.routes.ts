import type { FastifyInstance } from 'fastify';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Payments } from '../payments.service.ts';

/** More than any known callback needs. Refusing a larger one only loses a hint: the sweep enquires anyway. */
const maxBytes = 4096;

/** The endpoints for providers' callbacks. The body is kept as raw bytes, because signatures are over bytes. */
export async function registerCallbacks(
  app: FastifyInstance,
  options: { payments: Payments; limits: RateLimits },
): Promise<void> {
  await app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers();
    callbacks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
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
          // The body that the strictest provider expects. The others only check the status.
          return reply.send({ ResultCode: 0, ResultDesc: 'Success' });
        },
      });
  });
}
