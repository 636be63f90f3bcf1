import type { FastifyInstance } from 'fastify';
import { acceptedEncoding, compress } from './compress.ts';

const minBytes = 4_096;

/** Compresses long JSON responses, such as texts and sites; pages and files compress themselves. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < minBytes || reply.hasHeader('content-encoding'))
      return done(null, payload);
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return done(null, payload);
    if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
    const encoding = acceptedEncoding(request.headers['accept-encoding']);
    if (!encoding) return done(null, payload);
    compress(payload, encoding).then(
      (small) => {
        reply.header('content-encoding', encoding).removeHeader('content-length');
        done(null, small);
      },
      (error: Error) => done(error),
    );
  });
}
