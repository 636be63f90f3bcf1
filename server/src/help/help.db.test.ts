import { callPath } from '@portal/contract/calls.ts';
import { standardBudgets } from '@portal/domain/budgets.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type Content, createContent } from '../content/content.service.ts';
import { sanitise } from '../content/sanitise.ts';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';
import { visitCookie } from '../testing/visit-cookie.ts';
import { createHelp, type Help } from './help.service.ts';

const pack = await loadPack('mg');
let database: Database;
let content: Content;
let help: Help;
let time = Date.parse('2026-03-02T08:00:00Z');
const now = () => new Date(time);

beforeAll(async () => {
  database = await testDatabase();
  content = createContent(database.db, pack, now);
  await content.importPack();
  help = createHelp({ db: database.db, pack, content, sanitise, now });
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('help_votes').execute();
  await database.db.deleteFrom('help_scores').execute();
});

const vote = (voter: string, liked = true, questionId = 'reset-pin') =>
  help.vote({ questionId, voter, liked, language: 'en-GB' });
const percentOf = async (questionId = 'reset-pin') => (await help.faqs('en-GB', questionId))[0]?.countLikePercentage;

describe('the questions', () => {
  test('are complete in each language, as sanitised HTML with the facts of this operator', async () => {
    for (const { locale } of pack.languages) {
      const list = await help.faqs(locale);
      expect(list.length).toBeGreaterThan(120);
      const text = JSON.stringify(list);
      expect(text).not.toMatch(/\{\w+\}|\]\(|\*\*|undefined/);
      const asked = list.filter(({ href }) => !href);
      const whole = /^<p>.*<\/p>\n<p><a href="\/[^"]*">[^<]+<\/a><\/p>\n$/;
      expect(asked.filter(({ answer }) => !whole.test(answer)).map(({ answer }) => answer)).toEqual([]);
    }
    const [pin] = await help.faqs('en-GB', 'wallet-locked');
    expect(pin?.answer).toContain('Call 300, or dial *436*7#');
    const [smallest] = await help.faqs('fr-FR', 'smallest-amount');
    expect(smallest?.answer).toMatch(/500.*500\s000/);
    expect(smallest?.answer).toContain('href="/sw/prepaid-recharge"');
  });

  test('an unknown one is not found', async () => {
    expect(await help.faqs('en-GB', 'nonsense')).toEqual([]);
  });

  test('an edited package is served without a release, and its script is removed', async () => {
    const answer = 'New words <script>alert(1)</script>[go](/table) [bad](javascript:alert(1))';
    const question = { id: 'fresh', question: 'Fresh?', answer, popular: true };
    const body = { categories: [{ id: 'c', name: 'C', questions: [question], topics: [] }] };
    const edited = createHelp({ db: database.db, pack, content: { activePackage: async () => body }, sanitise, now });
    expect(await edited.faqs('en-GB')).toEqual([
      {
        category: 'C',
        categoryId: 'c',
        question: 'Fresh?',
        answer: '<p>New words <a href="/table">go</a> <a>bad</a></p>\n',
        questionId: 'fresh',
        countLikePercentage: 0,
        popular: 'true',
      },
    ]);
  });

  test.each([[null], [{}], [{ categories: 'none' }], [{ categories: [{ id: 1 }] }], ['text']])(
    'a package that somebody spoilt (%j) gives way to the files of the pack',
    async (body) => {
      const spoilt = createHelp({ db: database.db, pack, content: { activePackage: async () => body }, sanitise, now });
      expect((await spoilt.faqs('en-GB')).length).toBeGreaterThan(120);
    },
  );

  test('are served without the database, but without percentages', async () => {
    const broken = await testDatabase();
    await sql`drop table help_scores`.execute(broken.db);
    const orphan = createHelp({ db: broken.db, pack, content, sanitise, now });
    expect((await orphan.faqs('mg-MG')).length).toBeGreaterThan(120);
    await broken.close();
  });

  test.each([
    ['ng', 'en-NG', 'bill-rounded', 'NGN 1 is the smallest sum'],
    ['ng', 'en-NG', 'number-format', 'for example 939 000 0001'],
    ['cd', 'fr-CD', 'what-is-a-unit', 'Une unité vaut USD 0,01'],
    ['cd', 'fr-CD', 'number-format', 'par exemple 950 000 001'],
    ['cd', 'fr-CD', 'no-wallet', '/more-mwinda-money'],
  ])('D9 %s has its own facts in the answers: %s %s', async (code, locale, questionId, said) => {
    const other = await loadPack(code);
    const own = createHelp({
      db: database.db,
      pack: other,
      content: { activePackage: async () => null },
      sanitise,
      now,
    });
    const [faq] = await own.faqs(locale, questionId);
    expect(faq?.answer).toContain(said);
    expect(JSON.stringify(await own.faqs(locale))).not.toMatch(/\{\w+\}|\]\(|\*\*|undefined/);
  });
});

describe('HLP-3 votes', () => {
  test('count once for each visitor and question', async () => {
    expect(await vote('one')).toEqual({ questionId: 'reset-pin', countLikePercentage: 100 });
    await expect(vote('one')).rejects.toMatchObject({ name: 'PortalError' });
    await expect(vote('one', false)).rejects.toThrow('already');
    expect(await percentOf()).toBe(100);
    await vote('one', true, 'pin-wrong');
    expect(await vote('two', false)).toEqual({ questionId: 'reset-pin', countLikePercentage: 50 });
    expect(await vote('three', false)).toMatchObject({ countLikePercentage: 33 });
    expect(await percentOf()).toBe(33);
    expect(await percentOf('pin-wrong')).toBe(100);
  });

  test('concurrent votes of one visitor count once; those of many visitors all count', async () => {
    const same = await Promise.allSettled(Array.from({ length: 20 }, () => vote('same')));
    expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await Promise.all(Array.from({ length: 19 }, (_, who) => vote(`v${who}`, who % 2 === 0)));
    const [score] = await database.db.selectFrom('help_scores').selectAll().execute();
    expect(score).toEqual({ question_id: 'reset-pin', likes: 11, votes: 20 });
    expect(await percentOf()).toBe(55);
  });

  test('for an unknown question are refused', async () => {
    await expect(vote('one', true, 'nonsense')).rejects.toThrow('There is no such question.');
    await expect(help.score('nonsense')).rejects.toThrow('There is no such question.');
    expect(await database.db.selectFrom('help_scores').selectAll().execute()).toEqual([]);
  });

  test('keep their sum when the voters are deleted', async () => {
    await vote('one');
    time += 91 * 24 * 3_600_000;
    await vote('two', false);
    await help.deleteExpired();
    expect(await database.db.selectFrom('help_votes').select('voter').execute()).toEqual([{ voter: 'two' }]);
    expect(await percentOf()).toBe(50);
  });
});

describe('over HTTP', () => {
  let sandbox: Sandbox;
  let running: TestPortal;
  beforeAll(async () => {
    sandbox = await startSandbox({ approveAfterMs: 50 });
    running = await testPortal(sandbox, { rateLimitScale: 1_000 });
  });
  afterAll(async () => {
    await running.stop();
    await sandbox.stop();
  });

  const path = (name: 'faqs' | 'vote' | 'voteByLink') => callPath(name, { slug: pack.brand.slug });
  const visit = (name: string, ip?: string) => ({ cookie: visitCookie(name, ip) });
  const post = (questionId: string, headers: Record<string, string>, isLike: unknown = true) =>
    running.portal.http.inject({
      method: 'POST',
      url: path('vote'),
      payload: { questionId, isLike, opco: 'MG' },
      headers,
    });
  const byLink = (questionId: string, headers: Record<string, string>) =>
    running.portal.http.inject({
      url: path('voteByLink'),
      query: { questionId, isLike: 'true', opco: 'MG' },
      headers,
    });

  test('HLP-3 one vote for each visit, or for each network if the client has no visit', async () => {
    expect((await post('pay-part', visit('a'))).json()).toEqual({ questionId: 'pay-part', countLikePercentage: 100 });
    const again = await post('pay-part', visit('a'), 'false');
    expect([again.statusCode, again.json().statusCode]).toEqual([409, 'ALREADY_VOTED']);
    expect((await post('pay-part', visit('b'), 'false')).json().countLikePercentage).toBe(50);
    expect((await post('pay-part', {})).statusCode).toBe(200);
    expect((await post('pay-part', {})).statusCode).toBe(409);
    expect((await post('nonsense', visit('a'))).statusCode).toBe(404);
    expect((await post('pay-part', { ...visit('c'), 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
  });

  test('HLP-3 a vote by GET counts only from our own page', async () => {
    const elsewhere: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { referer: 'https://evil.example/gethelp' },
      { referer: 'not an address' },
      {},
    ];
    for (const headers of elsewhere) {
      const answer = await byLink('pay-with-mpesa', { ...visit('d'), ...headers });
      expect(answer.json(), JSON.stringify(headers)).toEqual({ questionId: 'pay-with-mpesa', countLikePercentage: 0 });
    }
    const ours = await byLink('pay-with-mpesa', { ...visit('d'), 'sec-fetch-site': 'same-origin' });
    expect(ours.json()).toEqual({ questionId: 'pay-with-mpesa', countLikePercentage: 100 });
    const older = { ...visit('e'), host: 'portal.example', referer: 'http://portal.example/gethelp' };
    expect((await byLink('pay-with-mpesa', older)).statusCode).toBe(200);
    expect((await byLink('pay-with-mpesa', older)).statusCode).toBe(409);
    expect(ours.headers['cache-control']).toBe('no-store');
  });

  test('SEC-17 votes of one network in an hour are limited, with any number of visits', async () => {
    const one = await testPortal(sandbox, { rateLimitScale: 0.1 });
    const answers = (await help.faqs('en-GB')).map(({ questionId }) => questionId);
    let counted = 0;
    for (let visitor = 0; visitor < 100; visitor += 1) {
      const address = `2001:db8:1:${visitor % 10}::1`;
      const answer = await one.portal.http.inject({
        method: 'POST',
        url: path('vote'),
        payload: { questionId: answers[Math.floor(visitor / 10)], isLike: true, opco: 'MG' },
        headers: visit(`v${visitor}`, address),
        remoteAddress: address,
      });
      if (answer.statusCode === 200) counted += 1;
      else expect(answer.json().statusCode).toBe('RATE_LIMITED');
    }
    expect(counted).toBe(Math.floor(standardBudgets.voteNetwork.most * 0.1) * 4);
    await one.stop();
  });

  test('SEC-17 made-up visits are one voter, whatever else the client sends', async () => {
    const codes: number[] = [];
    for (let visitor = 0; visitor < 20; visitor += 1) {
      const madeUp = `visit=${`m${visitor}`.padEnd(visitor % 2 ? 22 : 55, 'x')}`;
      codes.push((await post('reset-pin', { cookie: madeUp, 'user-agent': `browser ${visitor}` })).statusCode);
    }
    expect(codes).toEqual([200, ...Array(19).fill(409)]);
  });

  test('SEC-17 visits issued to one network share its budget, from whatever address they are used', async () => {
    const one = await testPortal(sandbox, { rateLimitScale: 0.1 });
    const codes: number[] = [];
    for (let visitor = 0; visitor < 10; visitor += 1) {
      const answer = await one.portal.http.inject({
        method: 'POST',
        url: path('vote'),
        payload: { questionId: 'reset-pin', isLike: true, opco: 'MG' },
        headers: visit(`gathered ${visitor}`, '203.0.113.77'),
        remoteAddress: `198.51.${visitor}.1`,
      });
      codes.push(answer.statusCode);
    }
    expect(codes.filter((code) => code === 200)).toHaveLength(Math.floor(standardBudgets.voteAnswer.most * 0.1));
    await one.stop();
  });

  test('the questions are not sent again to a client that has cached them', async () => {
    const first = await running.portal.http.inject({
      url: path('faqs'),
      query: { opco: 'MG' },
      headers: { lang: 'mg' },
    });
    expect(first.statusCode).toBe(200);
    const etag = String(first.headers.etag);
    const second = await running.portal.http.inject({
      url: path('faqs'),
      query: { opco: 'MG' },
      headers: { lang: 'mg', 'if-none-match': etag },
    });
    expect([second.statusCode, second.body]).toEqual([304, '']);
    const french = await running.portal.http.inject({
      url: path('faqs'),
      query: { opco: 'MG' },
      headers: { lang: 'fr', 'if-none-match': etag },
    });
    expect(french.statusCode).toBe(200);
    expect(french.headers.vary).toContain('lang');
    expect((await running.portal.http.inject({ url: path('faqs'), query: { opco: 'XX' } })).statusCode).toBe(404);
  });
});
