import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { request as send } from 'undici';
import { PortalError } from './portal-error.ts';

/** Serves the sandbox phone under the portal's own address. Not registered without a sandbox. */
export async function proxySandbox(app: FastifyInstance, sandboxUrl: string): Promise<void> {
  await app.register(async (proxy) => {
    proxy.removeAllContentTypeParsers();
    proxy.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    for (const url of ['/sandbox', '/sandbox/*'])
      proxy.route({
        method: ['GET', 'POST', 'DELETE'],
        url,
        config: { access: { limit: 'none', proof: 'none' } },
        schema: { hide: true },
        handler: forward,
      });
  });

  async function forward(request: FastifyRequest, reply: FastifyReply) {
    const type = request.headers['content-type'];
    const target = new URL(request.url, sandboxUrl);
    // `/sandbox/..` would reach the sandbox's other endpoints.
    if (!/^\/sandbox(\/|$)/.test(target.pathname)) throw new PortalError('nothingHere');
    const answer = await send(target, {
      method: request.method as 'GET',
      headers: type ? { 'content-type': type } : {},
      body: Buffer.isBuffer(request.body) ? request.body : null,
    });
    const answerType = answer.headers['content-type'];
    if (typeof answerType === 'string') reply.header('content-type', answerType);
    return reply
      .status(answer.statusCode)
      .header('cache-control', 'no-store')
      .send(Buffer.from(await answer.body.arrayBuffer()));
  }
}
