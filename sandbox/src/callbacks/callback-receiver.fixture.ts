import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedCallback {
  path: string;
  body: string;
  headers: IncomingHttpHeaders;
}

/** Receives callbacks in the portal's place and records them. */
export async function startCallbackReceiver(statusFor: (count: number) => number = () => 200) {
  const received: ReceivedCallback[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ path: request.url ?? '', body, headers: request.headers });
    response.writeHead(statusFor(received.length)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
