import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);
const worthCompressing = 1_400;
const mostKept = 50;

/** Content is asked for again and again and seldom changes: what the client has is not sent twice, the rest is packed. */
export function cacheAnswers(app: FastifyInstance): void {
  const packed = new Map<string, Buffer>();

  app.addHook('onSend', async (request, reply, payload) => {
    const { config } = request.routeOptions;
    const isContent = config?.call !== undefined && config.access?.limit === 'read' && request.url.startsWith('/cms/');
    if (!isContent || request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string')
      return payload;
    const tag = `W/"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
    reply.header('etag', tag).header('cache-control', 'public, no-cache').header('vary', 'lang, accept-encoding');
    if (String(request.headers['if-none-match'] ?? '').includes(tag)) {
      reply.status(304);
      return '';
    }
    const accepted = String(request.headers['accept-encoding'] ?? '');
    const encoding = ['br', 'gzip'].find((one) => new RegExp(`\\b${one}\\b`).test(accepted));
    if (!encoding || payload.length < worthCompressing) return payload;
    const key = `${encoding} ${tag}`;
    const body = packed.get(key) ?? (await pack(encoding, payload));
    if (packed.size >= mostKept) packed.clear();
    packed.set(key, body);
    reply.header('content-encoding', encoding).removeHeader('content-length');
    return body;
  });
}

function pack(encoding: string, text: string): Promise<Buffer> {
  if (encoding === 'gzip') return gzipped(text);
  return brotli(text, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
  });
}
