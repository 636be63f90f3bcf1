import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HttpClient } from './http-client.ts';
import { isPrivateAddress } from './outbound-guard.ts';

let server: Server;
let port: number;
const asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/away') response.writeHead(302, { location: `http://127.0.0.1:${port}/inside` }).end();
    else response.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => server.close());

const get = (client: HttpClient, url: string) => client.call({ method: 'GET', url });

test('SEC-12 only allowed hosts are called, however the URL is written', async () => {
  const client = new HttpClient({ hosts: ['127.0.0.1'], privateHosts: null });
  expect(await get(client, `http://127.0.0.1:${port}/`)).toMatchObject({ kind: 'answer', status: 200 });
  asked.length = 0;
  const strangers = [
    `http://localhost:${port}/`,
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::1]/',
    'http://127.0.0.1.evil.example/',
    'file:///etc/passwd',
    'gopher://127.0.0.1/',
    'nonsense',
  ];
  for (const url of strangers)
    expect(await get(client, url)).toEqual({
      kind: 'silence',
      detail: 'a host that is not on the list',
      isUnsent: true,
    });
  expect(asked).toEqual([]);
  await client.close();
});

test('SEC-12 a redirect is returned as the response, and not followed', async () => {
  const client = new HttpClient({ hosts: ['127.0.0.1'], privateHosts: null });
  asked.length = 0;
  expect(await get(client, `http://127.0.0.1:${port}/away`)).toMatchObject({ kind: 'answer', status: 302 });
  expect(asked).toEqual(['/away']);
  await client.close();
});

test('SEC-12 an allowed name that resolves to a private address is refused, unless it is listed as private', async () => {
  asked.length = 0;
  const careful = new HttpClient({ hosts: ['localhost'], privateHosts: [] });
  expect(await get(careful, `http://localhost:${port}/`)).toMatchObject({ kind: 'silence', isUnsent: true });
  expect(asked).toEqual([]);
  const told = new HttpClient({ hosts: ['localhost'], privateHosts: ['localhost'] });
  expect(await get(told, `http://localhost:${port}/`)).toMatchObject({ kind: 'answer', status: 200 });
  await Promise.all([careful.close(), told.close()]);
});

test('SEC-12 private addresses are recognised in every notation', () => {
  for (const address of [
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '::1',
    'fe80::1',
    'fd00::1',
  ])
    expect(isPrivateAddress(address), address).toBe(true);
  for (const address of ['::ffff:10.0.0.1', '0.0.0.0', '100.64.0.1'])
    expect(isPrivateAddress(address), address).toBe(true);
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111', '196.192.32.5'])
    expect(isPrivateAddress(address), address).toBe(false);
});
