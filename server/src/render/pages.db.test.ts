import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callPath } from '@portal/contract/calls.ts';
import type { RenderPage } from '@portal/contract/render-page.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { paths, paymentMethodPath } from '@portal/domain/paths.ts';
import { offeredPaths } from '@portal/domain/screens.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Content, createContent } from '../content/content.service.ts';
import type { Database } from '../db/database.ts';
import { createLogger } from '../http/logging.ts';
import { sealedTokens } from '../http/sealed-token.ts';
import { addSecurityHeaders, createSecurityHeaders } from '../http/security-headers.ts';
import { createVisits } from '../http/visits.ts';
import { testDatabase } from '../testing/database.ts';
import { registerPages } from './pages.routes.ts';
import type { WebBuild } from './web-build.ts';

const pack = await loadPack('mg');
const visits = createVisits({ secret: 'a secret of pages', isSecure: true });
let database: Database;
let folder: string;
let time: number;
let content: Content;
let renders: number;

beforeAll(async () => {
  database = await testDatabase();
  folder = await mkdtemp(join(tmpdir(), 'portal-pages-'));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  time = Date.parse('2026-03-02T08:00:00Z');
  renders = 0;
  await database.db.deleteFrom('content_packages').execute();
  content = createContent(database.db, pack, () => new Date(time));
  await content.importPack();
});

/** Renders the title of the home page; below /mine also a response for this visitor only. */
const render: RenderPage = async ({ path, transport, nonce }) => {
  renders += 1;
  const query = { opco: pack.opco, pageUrl: '/translation' };
  const words = await transport({ method: 'GET', path: callPath('activePackage'), query });
  const { packageHtml } = words.body as { packageHtml: string };
  const mine = path === '/mine' ? ((await transport({ method: 'GET', path: '/visit' })).body as string) : '';
  const title = (JSON.parse(packageHtml) as Record<string, string>)['home.title'];
  const html = `<style nonce="${nonce}"></style><h1>${title}</h1><p>${mine}</p><script nonce="${nonce}"></script>`;
  return { kind: 'page', status: 200, html, language: 'EN', remember: false, cacheable: true };
};

async function portal(isDirect: boolean): Promise<FastifyInstance> {
  const app = Fastify();
  const options = { production: true, checkoutOrigins: [], popupOrigins: [], tileOrigins: [] };
  addSecurityHeaders(app, createSecurityHeaders(options));
  const isCall = { config: { call: 'test' } };
  app.get(callPath('activePackage'), isCall, async (request) => {
    const body = await content.activePackage((request.query as { pageUrl: string }).pageUrl);
    return { packageHtml: JSON.stringify(body) };
  });
  app.get('/visit', isCall, async (request) => JSON.stringify(visits.inCookie(request.headers.cookie)));
  const web = {
    folder,
    renderPage: render,
    entryScript: '',
    assetsOf: () => ({ scripts: [], styles: '', styleFiles: [] }),
  };
  await registerPages(app, {
    pack,
    web: web as unknown as WebBuild,
    tokens: sealedTokens('a secret for tests, long enough to be one', () => new Date(time)),
    limits: { take: async () => null, giveBack: () => {}, settle: async () => {} },
    visits,
    log: createLogger('silent'),
    production: true,
    sandbox: false,
    publicUrl: 'https://portal.example',
    serviceWorker: false,
    ...(isDirect ? { activePackage: content.activePackage } : {}),
    questions: async () => [],
    describe: () => '',
  });
  return app;
}

const titleOf = async (app: FastifyInstance) => /<h1>(.*)<\/h1>/.exec((await app.inject('/')).body)?.[1];

/** Activates in another process, as the command does. */
async function activate(title: string): Promise<void> {
  const { editing } = createContent(database.db, pack, () => new Date(time));
  const words = (await editing.show('/translation')) as object;
  const version = await editing.draft('/translation', JSON.stringify({ ...words, 'home.title': title }), 'Rina');
  await editing.activate('/translation', version, 'Rina');
}

test.each([
  ['/prepaid-recharge/', '/prepaid-recharge'],
  ['/prepaid-recharge///?amount=500&x=/', '/prepaid-recharge?amount=500&x=/'],
  ['/sw/', '/sw'],
  ['/gethelp/codes/', '/gethelp/codes'],
])('D22 %s redirects to %s', async (address, location) => {
  const app = await portal(true);
  for (const method of ['GET', 'POST'] as const) {
    const answer = await app.inject({ method, url: address });
    expect([answer.statusCode, answer.headers.location]).toEqual([308, location]);
  }
});

test.each(['/', '//', '//evil.example/', '/?x=/'])('D22 %s redirects nowhere', async (address) => {
  const answer = await (await portal(true)).inject(address);
  expect([answer.statusCode, answer.headers.location]).toEqual([200, undefined]);
});

describe.each([
  ['from the content service itself', true],
  ['by its call', false],
])('content that comes %s', (_how, isDirect) => {
  test('CMS-1 shows within ten seconds of its activation, though pages are cached that long', async () => {
    const app = await portal(isDirect);
    const before = await titleOf(app);
    time += 5_000;
    await activate('Recharge for the holidays');
    expect([await titleOf(app), await titleOf(app)]).toEqual([before, before]);
    expect(renders).toBe(1);
    time += 5_001;
    await expect.poll(() => titleOf(app), { timeout: 60_000 }).toBe('Recharge for the holidays');
  });

  test('SEC-9 a cached page has no nonce, its policy allows scripts and styles by hash, and each response has its own visit', async () => {
    const app = await portal(isDirect);
    const answers = [await app.inject('/'), await app.inject('/'), await app.inject('/')];
    expect(renders).toBe(1);
    for (const { headers, body } of answers) {
      expect(body).not.toContain('nonce');
      expect(String(headers['content-security-policy'])).toContain(`script-src 'self' ${ofNothing};`);
    }
    expect(new Set(answers.map(({ headers }) => String(headers['set-cookie']))).size).toBe(3);
  });

  test('SEC-9 a page that is not cached has its own nonce in its policy and in every place', async () => {
    const app = await portal(isDirect);
    const answers = [await app.inject('/?a=1'), await app.inject('/?a=1')];
    const nonces = answers.map(({ headers, body }) => {
      const named = /'nonce-([\w-]{22})'/.exec(String(headers['content-security-policy']))?.[1];
      expect([...body.matchAll(/nonce="([^"]*)"/g)].map(([, nonce]) => nonce)).toEqual([named, named]);
      return named;
    });
    expect(new Set(nonces).size).toBe(2);
  });
});

/** Every path of the route tables (APP-1, APP-2), each way to pay, and an unknown one. */
const pages = [
  ...offeredPaths(publicPack(pack)),
  ...pack.methods.map(({ route }) => paymentMethodPath(route)),
  ...[paths.pageNotFound, '/nobody'],
];

/** The hash of an empty script or style. */
const ofNothing = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='";

test('SEC-9 in production every page has a strict policy with its nonce or hashes, HSTS, nosniff, no framing and a referrer policy', async () => {
  const app = await portal(true);
  for (const page of pages)
    for (const prefix of ['', '/sw', '/mg']) {
      const { headers, body, statusCode } = await app.inject(page === '/' && prefix ? prefix : prefix + page);
      expect(statusCode, page).toBe(200);
      expect(headers, page).toMatchObject({
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'strict-origin-when-cross-origin',
      });
      const rules = String(headers['content-security-policy']).split(';');
      const nonce = /nonce="([\w-]{22})"/.exec(body)?.[1];
      const inline = nonce ? `'nonce-${nonce}'` : ofNothing;
      expect(rules, page).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          `script-src 'self' ${inline}`,
          `style-src 'self' ${inline}`,
          "base-uri 'none'",
          "object-src 'none'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(String(rules)).not.toContain('unsafe');
    }
});

test('SEC-27 a form without a visit comes from a browser without cookies: its calls have no visit, and it gets none', async () => {
  const app = await portal(true);
  const shownTo = async (method: 'GET' | 'POST', cookie?: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...(cookie ? { cookie } : {}) };
    const answer = await app.inject({
      method,
      url: '/mine',
      headers,
      ...(method === 'POST' ? { payload: 'a=b' } : {}),
    });
    return { visit: /<p>(.*)<\/p>/.exec(answer.body)?.[1], given: answer.headers['set-cookie'] };
  };
  const kept = visits.start('203.0.113.1');
  expect(await shownTo('POST')).toEqual({ visit: 'null', given: undefined });
  expect(await shownTo('POST', visits.cookie('made up'))).toEqual({ visit: 'null', given: undefined });
  expect(await shownTo('POST', visits.cookie(kept))).toEqual({ visit: kept, given: undefined });
  const { visit = '', given } = await shownTo('GET');
  expect(given).toEqual([visits.setCookie(visit)]);
  for (const madeUp of ['made up', 'a'.repeat(22), 'a'.repeat(55)]) {
    const replaced = await shownTo('GET', visits.cookie(madeUp));
    expect(replaced.given).toEqual([visits.setCookie(replaced.visit ?? '')]);
  }
});

test('SEC-30 who leaves a shared phone begins a new visit: at home, with a cookie that has nothing of the one before', async () => {
  const app = await portal(true);
  const kept = visits.start('203.0.113.1');
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const headers of [form, {}]) {
    const left = await app.inject({
      method: 'POST',
      url: paths.leave,
      headers: { ...headers, cookie: visits.cookie(kept) },
    });
    expect([left.statusCode, left.headers.location]).toEqual([303, paths.home]);
    expect(left.headers['cache-control']).toBe('no-store');
    const given = visits.inCookie(String(left.headers['set-cookie']));
    expect(given).toMatch(/^[\w-]{55}$/);
    expect(given?.slice(0, 22)).not.toBe(kept.slice(0, 22));
  }
});

test('a page with a response for one visitor is rendered for each', async () => {
  const app = await portal(true);
  const shownTo = async (visit: string) =>
    /<p>(.*)<\/p>/.exec((await app.inject({ url: '/mine', headers: { cookie: visits.cookie(visit) } })).body)?.[1];
  const [one, other] = [visits.start('203.0.113.1'), visits.start('203.0.113.1')];
  expect([await shownTo(one), await shownTo(other), await shownTo(one)]).toEqual([one, other, one]);
});
