import { createHash } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { callPath } from '@portal/contract/calls.ts';
import type { PageAnswer, PageRequest, RenderPage } from '@portal/contract/render-page.ts';
import { acceptedLanguages, languageByCode, languageOfPath, preferredLanguage } from '@portal/domain/language.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { type CacheLimits, pageCache } from './page-cache.ts';
import { type Ask, answerOf } from './page-calls.ts';

const operator = publicPack(pack);
const limits: CacheLimits = { milliseconds: 10_000, pages: 8, characters: 100_000 };
type Request = Omit<PageRequest, 'transport'>;

/** Renders its input: the language, the URL, the response of its one call, and the nonce in two places. */
function world(
  page: Partial<PageAnswer & { kind: 'page' }> = {},
  rendering: (request: PageRequest) => void = () => {},
  path = '/data',
) {
  const seen = { renders: 0, calls: 0, time: 0, content: 'old' };
  const render: RenderPage = async (request) => {
    seen.renders += 1;
    rendering(request);
    const { language, isPrefixed } = languageOfPath(request.path, operator.languages);
    const stored = request.storedLanguage ? languageByCode(request.storedLanguage, operator.languages) : undefined;
    const wanted = stored ?? preferredLanguage(acceptedLanguages(request.acceptLanguage), operator.languages);
    const { code } = isPrefixed ? language : wanted;
    const { body } = await request.transport({ method: 'GET', path });
    const html = `<p lang="${code}" nonce="${request.nonce}">${request.path} ${body}</p>${inPage(request.nonce)}`;
    return { kind: 'page', status: 200, html, language: code, remember: false, cacheable: true, ...page };
  };
  const cache = pageCache(render, () => seen.time, limits);
  const ask: Ask = async () => {
    seen.calls += 1;
    return answerOf(200, JSON.stringify(seen.content));
  };
  let nonces = 0;
  const shown = async (changes: Partial<Request> = {}, by: Ask = ask) => {
    nonces += 1;
    const given = await cache.render({ ...request, nonce: `nonce-${nonces}`, ...changes }, by);
    const answer = 'answer' in given ? given.answer : given;
    return answer.kind === 'page' ? answer.html : '';
  };
  return { seen, shown, size: cache.size, render: (by: Ask = ask) => cache.render(request, by) };
}

/** A style, one for browsers without script, data, a script, and one injected by a user. */
function inPage(nonce: string | null) {
  const mark = nonce === null ? '' : ` nonce="${nonce}"`;
  return `<style${mark} data-files="a">p{}</style><style${mark}>b{}</style><script type="application/json"${mark}>{}</script><script${mark}>start()</script><script>alert(1)</script>`;
}

const request: Request = {
  method: 'GET',
  path: '/',
  query: {},
  form: null,
  storedLanguage: null,
  acceptLanguage: 'en',
  origin: '',
  nonce: '',
  production: false,
  sandbox: true,
  worker: true,
  hasVisit: false,
  operator,
  seal: () => 'sealed',
  open: () => null,
  entryScript: '',
  assetsOf: () => ({ scripts: [], styles: '', styleFiles: [] }),
};

test('SEC-9 a cached page has no nonce, and its policy allows its scripts and styles by hash', async () => {
  const { seen, shown, render } = world();
  expect([await shown(), await shown()]).toEqual([1, 2].map(() => `<p lang="EN">/ old</p>${inPage(null)}`));
  expect(seen.renders).toBe(1);
  const cached = await render();
  if (!('answer' in cached)) throw new Error('it was not cached');
  const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  // Neither data blocks nor injected tags get a hash.
  expect(cached.inline).toEqual({ scripts: hashOf('start()'), styles: `${hashOf('p{}')} ${hashOf('b{}')}` });
});

test('SEC-9 a page that is not cached has the nonce of its response in every place', async () => {
  const { shown } = world({ cacheable: false });
  for (const n of [1, 2])
    expect(await shown()).toBe(`<p lang="EN" nonce="nonce-${n}">/ old</p>${inPage(`nonce-${n}`)}`);
});

test('PRF-7 (what its rate is made of; the rate by npm run bench:rendering) a cached page is rendered, compressed and checked once for all requests within a second', async () => {
  const { seen, render } = world({}, undefined, callPath('faqs'));
  const bodies = new Set<Buffer | null>();
  for (let visitors = 0; visitors < 100; visitors += 1) {
    const given = await render();
    bodies.add('answer' in given ? await given.compressed('br') : null);
  }
  expect(seen).toMatchObject({ renders: 1, calls: 1 });
  const [body, ...others] = bodies;
  expect(others).toEqual([]);
  expect(String(brotliDecompressSync(body ?? Buffer.alloc(0)))).toContain('/ old');
});

test('public calls are checked again after a second, others on each request', async () => {
  const alike = world({}, undefined, callPath('faqs'));
  const own = world();
  for (const { shown } of [alike, own]) for (let times = 0; times < 3; times += 1) await shown();
  expect([alike.seen.calls, own.seen.calls]).toEqual([1, 3]);
  alike.seen.content = 'new';
  alike.seen.time = 999;
  expect(await alike.shown()).toContain('/ old');
  alike.seen.time = 1_000;
  expect(await alike.shown()).toContain('/ new');
});

test('new content shows at once, and is fetched once for each page', async () => {
  const { seen, shown } = world();
  await shown();
  seen.content = 'new';
  expect(await shown()).toContain('/ new');
  expect(seen).toMatchObject({ renders: 2, calls: 2 });
  expect(await shown()).toContain('/ new');
  expect(seen).toMatchObject({ renders: 2, calls: 3 });
});

test('a page is rendered again after ten seconds, even if its calls did not change', async () => {
  const { seen, shown } = world();
  await shown();
  seen.time = 9_999;
  await shown();
  expect(seen.renders).toBe(1);
  seen.time = 10_000;
  await shown();
  expect(seen.renders).toBe(2);
});

test('a response for one visitor is never shown to another', async () => {
  const { seen, shown } = world();
  const as =
    (name: string): Ask =>
    async () =>
      answerOf(200, JSON.stringify(`for ${name}`));
  expect(await shown({}, as('Rina'))).toContain('for Rina');
  expect(await shown({}, as('Solo'))).toContain('for Solo');
  expect(await shown({}, as('Rina'))).toContain('for Rina');
  expect(seen.renders).toBe(3);
});

describe('languages do not mix', () => {
  test('whether chosen, requested by the browser or in the URL', async () => {
    const { seen, shown } = world();
    const ways: [string, Partial<Request>][] = [
      ['EN', { acceptLanguage: 'en-GB,en;q=0.9' }],
      ['MG', { acceptLanguage: 'de, mg;q=0.5, en;q=0.1' }],
      ['MG', { acceptLanguage: 'en', storedLanguage: 'MG' }],
      ['EN', { acceptLanguage: 'mg', storedLanguage: 'EN' }],
      ['MG', { path: '/mg', storedLanguage: 'EN' }],
      ['FR', { path: '/sw', acceptLanguage: 'mg' }],
    ];
    for (const round of [1, 2])
      for (const [code, way] of ways)
        expect([round, await shown(way)]).toEqual([round, expect.stringContaining(`lang="${code}"`)]);
    expect(seen.renders).toBe(ways.length);
  });

  test('two browsers that end up with the same language share a page', async () => {
    const { seen, shown } = world();
    await shown({ acceptLanguage: 'en-GB,en;q=0.9' });
    await shown({ acceptLanguage: 'de, en-US;q=0.5' });
    expect(seen.renders).toBe(1);
  });
});

describe('a page is not cached', () => {
  const twice = async ({ seen, shown, size }: ReturnType<typeof world>, changes: Partial<Request> = {}) => {
    await shown(changes);
    await shown(changes);
    expect(seen.renders).toBe(2);
    expect(size()).toEqual({ pages: 0, characters: 0 });
  };

  test('SEC-8 when the renderer marks it as personal', () => twice(world({ cacheable: false })));
  test.each([404, 422, 500, 503])('with the status %i', (status) => twice(world({ status })));
  test('when it is the response to a form', () => twice(world(), { method: 'POST', form: { msisdn: '0390000000' } }));
  test('with a query, which may contain an order, a number or a search', () =>
    twice(world(), { query: { order: 'sealed' } }));
  test('in an unknown language', () => twice(world(), { storedLanguage: 'xx' }));
  test('when an order was opened or sealed for it', async () => {
    await twice(world({}, ({ open }) => open('order', 'token')));
    await twice(world({}, ({ seal }) => seal('order', {})));
  });

  test('when a call failed during rendering', async () => {
    const { seen, shown } = world();
    const failing: Ask = async () => answerOf(500, '"sorry"');
    expect(await shown({}, failing)).toContain('sorry');
    expect(await shown()).toContain('/ old');
    expect(seen.renders).toBe(2);
  });

  test('when a call fails during the check', async () => {
    const { seen, shown } = world();
    await shown();
    await expect(shown({}, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await shown()).toContain('/ old');
    expect(seen.renders).toBe(2);
  });

  test('when it is a redirect', async () => {
    let draws = 0;
    const cache = pageCache(async () => {
      draws += 1;
      return { kind: 'redirect', location: `/${draws}`, language: 'EN', remember: true };
    });
    const ask: Ask = async () => answerOf(200, '{}');
    expect(await cache.render(request, ask)).toMatchObject({ location: '/1' });
    expect(await cache.render(request, ask)).toMatchObject({ location: '/2' });
  });
});

describe('the cache is bounded', () => {
  test('in number: the oldest is evicted', async () => {
    const { seen, shown, size } = world();
    for (let page = 0; page < 50; page += 1) await shown({ path: `/help/${page}` });
    expect(size().pages).toBe(limits.pages);
    await shown({ path: '/help/49' });
    expect(seen.renders).toBe(50);
    await shown({ path: '/help/0' });
    expect(seen.renders).toBe(51);
  });

  test('in size, and a page larger than the cache is not cached', async () => {
    const html = 'x'.repeat(40_000);
    const { shown, size } = world({ html });
    for (const path of ['/a', '/b', '/c', '/a', '/b']) await shown({ path });
    expect(size()).toEqual({ pages: 2, characters: 80_000 });
    const large = world({ html: 'x'.repeat(limits.characters + 1) });
    await large.shown();
    expect(large.size()).toEqual({ pages: 0, characters: 0 });
  });
});
