import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const leastBytes = 4_096;

/** Long answers of the calls, such as texts and sites; pages and files see to themselves. */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    if (typeof payload !== 'string' || payload.length < leastBytes || reply.hasHeader('content-encoding'))
      return done(null, payload);
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return done(null, payload);
    const accepted = String(request.headers['accept-encoding'] ?? '');
    if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding');
    if (!/\b(br|gzip)\b/.test(accepted)) return done(null, payload);
    const encoding = /\bbr\b/.test(accepted) ? 'br' : 'gzip';
    const compressed =
      encoding === 'br' ? brotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }) : gzipped(payload);
    compressed.then(
      (small) => {
        reply.header('content-encoding', encoding).removeHeader('content-length');
        done(null, small);
      },
      (error: Error) => done(error),
    );
  });
}
