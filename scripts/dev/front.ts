import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import { Refusal } from '../progress.mjs';

/** Listens on the portal's public port while portals behind it are restarted. */
export async function listenInFront(port: number, host: string): Promise<{ http: Server; url: string }> {
  const http = createServer();
  http.listen(port, host);
  await once(http, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`The portal cannot listen on ${host}:${port} (${error.code}): choose another port with PORT.`);
  });
  const address = http.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  return { http, url: `http://${host === '0.0.0.0' ? 'localhost' : host}:${actual}` };
}

/** Forwards a request to the portal unchanged. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  address: () => Promise<string>,
): Promise<void> {
  try {
    const { method, headers, url } = request;
    const passed = send((await address()) + url, { method, headers });
    request.pipe(passed);
    // Abort the forwarded request if the browser disconnects.
    response.on('close', () => passed.destroy());
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 502, withReconnecting(answer.headers));
    answer.pipe(response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end(waitingPage(error as Error));
  }
}

/** Vite's client polls for a restarted server from a worker, which our policy must allow. */
function withReconnecting(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const name = 'content-security-policy';
  const policy = headers[name];
  if (typeof policy !== 'string') return headers;
  return { ...headers, [name]: policy.replace("worker-src 'self'", "worker-src 'self' blob:") };
}

/** Reloads itself when the portal runs again. */
const waitingPage = ({ message }: Error) =>
  `<!doctype html><title>No portal</title><p>${message}</p><script type="module" src="/@vite/client"></script>`;
