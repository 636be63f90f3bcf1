import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createSecurityHeaders } from './security-headers.ts';
import { unreadableRequestOptions } from './unreadable-requests.ts';

const headers = createSecurityHeaders({ production: true, checkoutOrigins: [], popupOrigins: [], tileOrigins: [] });
const words = { say: (_request: unknown, { message }: Error) => message, page: ({ message }: Error) => message };
const { clientErrorHandler } = unreadableRequestOptions(headers, words);

/** What is written to a socket that fails with this code. */
function written(code: string, state: object = {}): string {
  const parts: string[] = [];
  const socket = { writable: true, write: (more: string) => parts.push(more), destroy: vi.fn(), ...state };
  clientErrorHandler(Object.assign(new Error('inner word'), { code }), socket as unknown as Socket);
  expect(socket.destroy).toHaveBeenCalledOnce();
  return parts.join('');
}

describe('SEC-20 a request that cannot be parsed', () => {
  test.each([
    ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout', 'The request did not arrive in time.'],
    ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large', 'The headers of the request are too large.'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Content Too Large', 'The request is too large.'],
    ['HPE_INVALID_METHOD', '400 Bad Request', 'The request could not be read.'],
  ])('%s gets our message and our headers', (code, status, sentence) => {
    const [head = '', body] = written(code).split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual(
      expect.arrayContaining([
        `HTTP/1.1 ${status}`,
        'x-content-type-options: nosniff',
        'strict-transport-security: max-age=31536000; includeSubDomains',
        expect.stringMatching(/^content-security-policy: default-src 'none'/),
        `content-length: ${sentence.length}`,
        'connection: close',
      ]),
    );
    expect(body).toBe(sentence);
  });

  test('gets no response in the middle of another response or on a closed connection', () => {
    expect(written('HPE_INVALID_CHUNK_SIZE', { _httpMessage: { headersSent: true } })).toBe('');
    expect(written('HPE_INVALID_METHOD', { writable: false })).toBe('');
    expect(written('ECONNRESET')).toBe('');
  });
});
