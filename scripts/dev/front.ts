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

/** Listens where browsers look for the portal, while portals behind it come and go. */
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

/** Hands a request on to the portal, as it came. */
export async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  address: () => Promise<string>,
): Promise<void> {
  try {
    const { method, headers, url } = request;
    const passed = send((await address()) + url, { method, headers });
    request.pipe(passed);
    // A browser that goes away wants no answer.
    response.on('close', () => passed.destroy());
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 502, withReconnecting(answer.headers));
    answer.pipe(response);
  } catch (error) {
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { 'content-type': 'text/html; charset=utf-8' }).end(waitingPage(error as Error));
  }
}

/** Vite's client waits in a worker of its own making for a server that was stopped to come back. */
function withReconnecting(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const name = 'content-security-policy';
  const policy = headers[name];
  if (typeof policy !== 'string') return headers;
  return { ...headers, [name]: policy.replace("worker-src 'self'", "worker-src 'self' blob:") };
}

/** Loads itself anew when the portal runs again. */
const waitingPage = ({ message }: Error) =>
  `<!doctype html><title>No portal</title><p>${message}</p><script type="module" src="/@vite/client"></script>`;
