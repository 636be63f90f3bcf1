import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { foreignTarget, strangeAddresses } from '../testing/strange-addresses.ts';
import { mapErrors } from './error-map.ts';
import { createLogger } from './logging.ts';
import { guardRedirects, mayRedirectTo } from './redirects.ts';

const publicUrl = 'https://portal.example';
const targets = { publicUrl, elsewhere: ['https://checkout.example'] };

describe('SEC-20 a redirect', () => {
  test.each([
    '/',
    '/sw/about?q=a%20b',
    './api/static/index.html',
    'https://portal.example/payment/status?id=1',
    'https://checkout.example/pay/1?x=//y',
  ])('may lead to %s', (location) => expect(mayRedirectTo(location, targets)).toBe(true));

  test.each([
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    ' //evil.example',
    '///evil.example',
    'https:evil.example',
    'https://evil.example',
    'https://portal.example@evil.example/',
    'https://portal.example.evil.example/',
    'https://portal.example:8443/',
    'http://portal.example/',
    'https://checkout.example.evil.example/',
    'https://evil.example#https://checkout.example',
    'blob:https://portal.example/1',
    'javascript:alert(1)',
    'data:text/html,x',
    '/x\r\nset-cookie: a=b',
    '/€',
    '',
  ])('may not lead to %j', (location) => expect(mayRedirectTo(location, targets)).toBe(false));

  test('never leaves the site in a browser, however the location is written', () => {
    const decoded = strangeAddresses(['', '/sw']).flatMap((address) => {
      try {
        return [address, decodeURIComponent(address)];
      } catch {
        return [address];
      }
    });
    const allowed = decoded.filter((address) => mayRedirectTo(address, targets));
    expect(allowed.length).toBeGreaterThan(100);
    expect(allowed.filter((address) => foreignTarget(address, publicUrl) !== null)).toEqual([]);
  });

  test('that leads elsewhere becomes a 404, whoever made it', async () => {
    const app = Fastify();
    guardRedirects(app, targets);
    mapErrors(app, createLogger('silent'), { say: (_request, { message }) => message, page: ({ message }) => message });
    app.get('/to', (request, reply) => reply.redirect((request.query as { url: string }).url, 303));
    const to = (url: string) => app.inject({ url: '/to', query: { url } });
    expect(await to('/about')).toMatchObject({ statusCode: 303, headers: { location: '/about' } });
    for (const url of ['//evil.example', '/\\evil.example', 'https://evil.example/', '/x\r\nset-cookie: a=b']) {
      const answer = await to(url);
      expect([url, answer.statusCode, answer.headers.location]).toEqual([url, 404, undefined]);
      expect(answer.json()).toMatchObject({ message: 'There is nothing at this address.' });
    }
  });
});
