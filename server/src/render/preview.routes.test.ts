import { callPath } from '@portal/contract/calls.ts';
import type { RenderPage } from '@portal/contract/render-page.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { pagesOriginOf } from '../http/console-host.ts';
import { addSecurityHeaders, createSecurityHeaders } from '../http/security-headers.ts';
import { registerPreview } from './preview.routes.ts';

const pack = await loadPack('mg');
const origins = { publicUrl: 'https://portal.example', console: { origin: 'https://desk.example' } };

/** Renders the footer's note, the first question and the response of a call. */
const renderPage: RenderPage = async ({ path, transport, nonce, storedLanguage }) => {
  const get = (name: 'activePackage' | 'faqs' | 'announcements', query = {}) =>
    transport({ method: 'GET', path: callPath(name, pack.brand), query });
  const footer = (await get('activePackage', { opco: 'MG', pageUrl: '/sw/footer' })).body as { packageHtml: string };
  const [faq] = (await get('faqs')).body as { question: string }[];
  const { told } = (await get('announcements')).body as { told: string };
  const post = (name: 'bundles' | 'vote') =>
    transport({ method: 'POST', path: callPath(name, pack.brand), body: { a: 1 } }).then(
      ({ body }) => JSON.stringify(body),
      () => 'refused',
    );
  const posted = [await post('bundles'), await post('vote')];
  const { note } = JSON.parse(footer.packageHtml);
  const words = [path, storedLanguage, note, faq?.question, told, ...posted].join('|');
  const html = `<html><head><style nonce="${nonce}"></style><noscript>none</noscript></head><p>${words}</p>
    <script type="application/json" nonce="${nonce}">{"a":"\\u003c/script>"}</script><script nonce="${nonce}">run()</script></html>`;
  return { kind: 'page', status: 200, html, language: 'FR', remember: true, cacheable: true };
};

let app: FastifyInstance;
afterEach(() => app.close());

async function portal(framedBy: string) {
  app = Fastify();
  const previewSource = pagesOriginOf(origins);
  addSecurityHeaders(
    app,
    createSecurityHeaders({ production: true, checkoutOrigins: [], popupOrigins: [], tileOrigins: [], previewSource }),
  );
  app.get(callPath('announcements', pack.brand), async () => ({ told: 'a banner' }));
  for (const name of ['bundles', 'vote'] as const)
    app.post(callPath(name, pack.brand), async ({ body }) => ({ [name]: body }));
  app.get('/console/content', async () => 'the console');
  registerPreview(app, {
    ...{ path: '/content-preview', pack, production: true, sandbox: false, publicUrl: origins.publicUrl, framedBy },
    web: { renderPage, entryScript: '/entry.js', assetsOf: () => ({ scripts: [], styles: '', styleFiles: [] }) },
    limits: { take: async () => null },
    open: async (token) =>
      token === 'good'
        ? {
            at: '/sw/gethelp',
            activePackage: async () => ({ note: 'drafted' }),
            faqs: async () => [{ question: 'Drafted?' }] as never,
          }
        : null,
  });
  await app.ready();
}

test('CNS-10 (the preview) is the page with the draft in it, in its language, and writes nothing', async () => {
  await portal("'self'");
  const { statusCode, body } = await app.inject({ url: '/content-preview', query: { draft: 'good' } });
  expect(statusCode).toBe(200);
  expect(body).toContain('<p>/sw/gethelp|FR|drafted|Drafted?|a banner|{"bundles":{"a":1}}|refused</p>');
});

test('CNS-10 (the preview) runs no script, is not cached, and can be framed only by the console’s origin', async () => {
  await portal(origins.console.origin);
  const { headers, body } = await app.inject({ url: '/content-preview', query: { draft: 'good' } });
  expect(body).not.toMatch(/<(no)?script/);
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'x-robots-tag': 'noindex',
    'referrer-policy': 'no-referrer',
  });
  expect(headers['x-frame-options']).toBeUndefined();
  expect(headers['set-cookie']).toBeUndefined();
  const policy = String(headers['content-security-policy']).split(';');
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", 'frame-ancestors https://desk.example', 'sandbox allow-same-origin']),
  );
  expect(policy.some((part) => part.startsWith('script-src') || part.includes('allow-scripts'))).toBe(false);

  const desk = await app.inject('/console/content');
  expect(desk.headers['content-security-policy']).toContain('frame-src https://portal.example;');
  expect(desk.headers['x-frame-options']).toBe('DENY');
});

test('CNS-10 (the preview) is not shown without a valid token, and that response cannot be framed', async () => {
  await portal(origins.console.origin);
  for (const query of [{ draft: 'made up' }, {}, { draft: ['good', 'good'] }] as Record<string, string>[]) {
    const { statusCode, headers } = await app.inject({ url: '/content-preview', query });
    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(headers['x-frame-options']).toBe('DENY');
  }
});

test('the customers’ pages have the console’s origin, unless the console has its own', () => {
  expect(pagesOriginOf(origins)).toBe('https://portal.example');
  expect(pagesOriginOf({ ...origins, console: { origin: 'https://portal.example' } })).toBe('');
  expect(pagesOriginOf({ ...origins, console: null })).toBe('');
});
