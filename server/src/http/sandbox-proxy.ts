import type { FastifyInstance } from 'fastify';
import { request as send } from 'undici';

/** The sandbox phone under the portal's own address, for whoever tries the portal. Absent without a sandbox. */
export async function proxySandbox(app: FastifyInstance, sandboxUrl: string): Promise<void> {
  await app.register(async (proxy) => {
    proxy.removeAllContentTypeParsers();
    proxy.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    proxy.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/sandbox',
      handler: (request, reply) =>
        forward(request.method, request.url, request.body, request.headers['content-type'], reply),
      config: { access: { limit: 'none', proof: 'none' } },
      schema: { hide: true },
    });
    proxy.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/sandbox/*',
      handler: (request, reply) =>
        forward(request.method, request.url, request.body, request.headers['content-type'], reply),
      config: { access: { limit: 'none', proof: 'none' } },
      schema: { hide: true },
    });
  });

  async function forward(
    method: string,
    url: string,
    body: unknown,
    type: string | undefined,
    reply: import('fastify').FastifyReply,
  ) {
    const answer = await send(sandboxUrl + url, {
      method: method as 'GET',
      headers: type ? { 'content-type': type } : {},
      body: Buffer.isBuffer(body) ? body : null,
    });
    const answerType = answer.headers['content-type'];
    if (typeof answerType === 'string') reply.header('content-type', answerType);
    return reply
      .status(answer.statusCode)
      .header('cache-control', 'no-store')
      .send(Buffer.from(await answer.body.arrayBuffer()));
  }
}
