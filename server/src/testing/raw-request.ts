import { connect } from 'node:net';

export interface RawAnswer {
  status: number;
  /** Lower-case names; the last value of a repeated header. */
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends raw bytes, which no HTTP client would send, and reads the first response. Null if the server closed without
 * one. The request should contain `connection: close`.
 */
export function rawRequest(origin: string, text: string): Promise<RawAnswer | null> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(Buffer.from(text, 'latin1')));
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (part) => void parts.push(part));
    socket.on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? undefined : reject(error)));
    socket.on('close', () => resolve(readAnswer(Buffer.concat(parts).toString('utf8'))));
  });
}

/** A request whose path is sent without normalization. */
export const rawGet = (origin: string, path: string, options: { method?: string; headers?: string[] } = {}) =>
  rawRequest(
    origin,
    [
      `${options.method ?? 'GET'} ${path} HTTP/1.1`,
      'host: portal.example',
      'connection: close',
      ...(options.headers ?? []),
      '\r\n',
    ].join('\r\n'),
  );

function readAnswer(text: string): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(headers), body: text.slice(end + 4) };
}
