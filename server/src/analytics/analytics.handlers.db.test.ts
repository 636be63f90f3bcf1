import { type CallName, callPath } from '@portal/contract/calls.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEndings } from '../payments/desk/payments.endings.ts';
import { signIn } from '../testing/console.ts';
import { portalTests, running } from '../testing/portal-tests.fixture.ts';
import { visitCookie } from '../testing/visit-cookie.ts';

let time = Date.parse('2026-11-17T22:30:00Z');
portalTests({}, { rateLimitScale: 1_000_000 }, () => new Date(time));
beforeEach(async () => {
  // Already the next day in Antananarivo.
  time = Date.parse('2026-11-17T22:30:00Z');
  await sql`truncate help_searches, help_vote_days, help_votes, event_days, form_entries`.execute(running.database.db);
});

const day = '2026-11-18';
const hour = 3_600_000;

async function post(name: CallName, payload: object, { cookie = '', lang = 'en' } = {}) {
  const answer = await running.portal.http.inject({
    method: 'POST',
    url: callPath(name),
    payload,
    headers: { lang, cookie, 'sec-fetch-site': 'same-origin' },
  });
  expect(answer.statusCode, answer.body).toBe(200);
}
let given = 0;
const visits = (count: number) =>
  Array.from({ length: count }, () => {
    given += 1;
    return visitCookie(`browser ${given}`);
  });
const search = (text: string, cookie: string, lang = 'en') => post('recordSearch', { text }, { cookie, lang });

async function insight(days = 7, reader = 'en') {
  await running.portal.analytics.settle();
  const { status, result } = await (await signIn(running.portal.http, 'editor@console.example')).call('insight', {
    days,
    reader,
  });
  expect(status).toBe(200);
  return result;
}

describe('a search that found nothing', () => {
  test('is shown from five visits on, by language, counting each visit once', async () => {
    const [first = '', ...others] = visits(5);
    for (const text of ['eSIM', ' esim', 'E SIM']) for (const _ of [1, 2, 3]) await search(text, first);
    for (const cookie of others.slice(0, 3)) await search('eSIM!', cookie);
    expect((await insight()).searches).toEqual([]);
    await search('esim', others[3] ?? '', 'fr');
    expect((await insight()).searches).toEqual([]);
    await search('esim', others[3] ?? '');
    expect((await insight()).searches).toEqual([{ day, language: 'en-GB', text: 'esim', count: 5 }]);
    time += 24 * hour;
    await search('esim', first);
    const shown = [
      { day, language: 'en-GB', text: 'esim', count: 5 },
      { day: '2026-11-19', language: 'en-GB', text: 'esim', count: 1 },
    ];
    expect((await insight()).searches).toEqual(shown);
    // Only the requested days count: yesterday's visits do not add to today's.
    expect((await insight(1)).searches).toEqual([]);
  });

  test('is stored unless it looks like a number or an address, or the client has no cookies', async () => {
    const [cookie = ''] = visits(1);
    for (const text of ['039 00 007 07', 'lova@example.mg', 'PA2000000123', 'please call Lova Rabe back on monday'])
      await search(text, cookie);
    await search('esim', '');
    await search('esim', 'visit=made-up');
    const rows = () => running.database.db.selectFrom('help_searches').selectAll().execute();
    expect(await rows()).toEqual([]);
    await search('esim', cookie);
    const [kept] = await rows();
    expect(kept).toMatchObject({ language: 'en-GB', text: 'esim', visitor: expect.stringMatching(/^p1\.[\w-]{22}$/) });
    expect(cookie).not.toContain(kept?.visitor.slice(3) ?? '');
  });

  test('the same visit has another hash tomorrow, and searches are deleted after thirty days', async () => {
    const [cookie = ''] = visits(1);
    await search('esim', cookie);
    time += 24 * hour;
    await search('esim', cookie);
    const rows = await running.database.db.selectFrom('help_searches').select('visitor').execute();
    expect(new Set(rows.map(({ visitor }) => visitor)).size).toBe(2);
    time += 29 * 24 * hour + 1;
    // As the hourly clean-up does.
    await running.portal.help.deleteExpired();
    expect(await running.database.db.selectFrom('help_searches').select('visitor').execute()).toHaveLength(1);
  });

  test('SEC-17 made-up words do not fill the table', async () => {
    await sql`insert into help_searches (day, language, text, visitor, at)
      select ${day}::date, 'en-GB', 'x', n::text, ${new Date(time)} from generate_series(1, 5000) n`.execute(
      running.database.db,
    );
    const [cookie = ''] = visits(1);
    await search('one more', cookie);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from help_searches`.execute(
      running.database.db,
    );
    expect(rows).toEqual([{ count: 5_000 }]);
  });
});

describe('on the page', () => {
  const vote = (questionId: string, isLike: boolean, cookie: string, lang: string) =>
    post('vote', { questionId, isLike, opco: 'MG' }, { cookie, lang });

  test('votes are counted by answer, day and language', async () => {
    const [one = '', other = '', third = ''] = visits(3);
    await vote('reset-pin', true, one, 'en');
    await vote('reset-pin', false, other, 'en');
    await vote('reset-pin', true, third, 'mg');
    const { votes } = await insight();
    expect(votes.map(({ title: _, ...rest }) => rest)).toEqual([
      { day, language: 'en-GB', question: 'reset-pin', likes: 1, votes: 2 },
      { day, language: 'mg-MG', question: 'reset-pin', likes: 1, votes: 1 },
    ]);
    const title = async (reader: string) => (await insight(7, reader)).votes[0]?.title;
    expect([await title('en'), await title('fr'), await title('de')]).toEqual([
      expect.stringMatching(/forgot my PIN/),
      expect.stringMatching(/oublié/),
      expect.stringMatching(/oublié/),
    ]);
  });

  test('feedback, outcomes of flows and the pages on the way to paying are counted by day and language', async () => {
    await post(
      'saveForm',
      { formType: 'WEBPORTAL', data: { topic: 'idea', message: 'a dark mode please' } },
      { lang: 'fr' },
    );
    const events = [
      { event: 'success', flow: 'lead', page_name: '261_hbb_lead' },
      // One purchase, as its status page reports it.
      { event: 'success', flow: 'payment', page_name: '261_status', outcome: 'SUCCESS' },
      { event: 'success', flow: 'recharge', page_name: '261_status', outcome: 'SUCCESS' },
      { event: 'success', flow: 'lead', page_name: '261_status', outcome: 'SUCCESS' },
      { event: 'failure', flow: 'otp', page_name: '261_hbb_lead', outcome: 'WRONG_CODE' },
      { event: 'page_view', page_name: '261_prepaid_recharge' },
      { event: 'page_view', page_name: '261_start' },
      { event: 'page_view', page_name: '261_about' },
    ];
    for (const event of events) await post('recordEvent', event, { lang: 'mg' });
    const { feedback, flows, steps } = await insight();
    expect(feedback).toEqual([{ day, language: 'fr-FR', form: 'WEBPORTAL', count: 1 }]);
    const counted = { day, language: 'mg-MG', count: 1 };
    expect(flows).toEqual([
      { ...counted, flow: 'otp', ended: 'failure', outcome: 'WRONG_CODE' },
      { ...counted, flow: 'lead', ended: 'success', outcome: '' },
      { ...counted, flow: 'payment', ended: 'success', outcome: 'SUCCESS' },
    ]);
    expect(steps).toEqual([
      { ...counted, step: 'form' },
      { ...counted, step: 'choose' },
    ]);
  });

  test('a purchase that was tried again, or paid another way, counts once, by the payment that got furthest', async () => {
    const { db } = running.database;
    await sql`delete from payments`.execute(db);
    const put = (id: string, state: string, digest: string | null, at = time) =>
      sql`insert into payments (id, short_reference, state, version, gateway, payment_mode, transaction_type, amount,
          currency, msisdn, language, details, submitted_at, created_at, changed_at, epoch, order_digest)
        values (${id}, ${id}, ${state}, 1, 'mpesa', 'MPESA', 'PREPAID_RECHARGE', 5, 'MGA', '', 'fr-FR', '{}',
          ${new Date(at)}, ${new Date(at)}, ${new Date(at)}, 1, ${digest})`.execute(db);
    await put('a1', 'FAILED', 'first', time - 2 * hour);
    await put('a2', 'SUCCEEDED', 'first');
    await put('a3', 'REFUNDED', 'first');
    await put('b1', 'FAILED', 'second');
    await put('b2', 'FAILED', 'second');
    await put('c1', 'FAILED', null);
    const counts = async () =>
      (await insight()).payments.map(({ ended, count, orders, ...row }) => [row.day, ended, count, orders]);
    const expected = [
      ['2026-11-17', 'failed', 1, 0],
      [day, 'delivered', 1, 1],
      [day, 'failed', 3, 2],
      [day, 'givenBack', 1, 0],
    ];
    expect(await counts()).toEqual(expected);
    await createEndings(db, { timeZone: pack.timeZone, now: () => new Date(time) }).refresh();
    expect(await counts(), 'of the cached day').toEqual(expected);
    await sql`delete from payment_ending_days`.execute(db);
  });

  test('payments are counted by outcome, day, language and way to pay', async () => {
    const { db } = running.database;
    await sql`delete from payments`.execute(db);
    const put = (
      id: string,
      state: string,
      more: { reason?: string; sent?: boolean; at?: number; way?: string } = {},
    ) => {
      const at = new Date(more.at ?? time);
      return sql`insert into payments (id, short_reference, state, version, gateway, payment_mode, transaction_type, amount,
          currency, msisdn, language, details, reason, submitted_at, created_at, changed_at, epoch)
        values (${id}, ${id}, ${state}, 1, ${more.way ?? 'mpesa'}, 'MPESA', 'PREPAID_RECHARGE', 5, 'MGA', '', 'fr-FR', '{}',
          ${more.reason ?? null}, ${more.sent === false ? null : at}, ${at}, ${at}, 1)`.execute(db);
    };
    await put('p1', 'SUCCEEDED');
    await put('p2', 'SUCCEEDED', { way: 'wallet' });
    await put('p3', 'FAILED', { reason: 'orderExpired', sent: false });
    await put('p4', 'FAILED', { reason: 'expired' });
    await put('p5', 'FAILED', { reason: 'insufficientFunds' });
    await put('p6', 'REFUNDED');
    await put('p7', 'AWAITING_PAYER');
    // Before midnight in that time zone, so before the requested days.
    await put('p8', 'SUCCEEDED', { at: time - 2 * hour });
    await put('p9', 'SUCCEEDED', { at: time - 8 * 24 * hour });
    const wayName = (gateway: string) => pack.methods.find((one) => one.gateway === gateway)?.name;
    expect(wayName('wallet')).toBe('Fanilo Money');
    const row = (ended: string, more: object = {}) => ({
      day,
      language: 'fr-FR',
      way: wayName('mpesa'),
      ended,
      count: 1,
      orders: 1,
      ...more,
    });
    expect((await insight()).payments).toEqual([
      row('delivered', { day: '2026-11-17' }),
      row('delivered'),
      row('failed'),
      row('givenBack'),
      row('left'),
      row('notApproved'),
      row('open'),
      row('delivered', { way: wayName('wallet') }),
    ]);
    expect((await insight(30)).payments.reduce((sum, { count }) => sum + count, 0)).toBe(9);
    // Counts of a past day are cached; today is counted each time.
    const endings = createEndings(db, { timeZone: pack.timeZone, now: () => new Date(time) });
    await endings.refresh();
    await put('p10', 'SUCCEEDED', { at: time - 2 * hour });
    await put('p11', 'SUCCEEDED');
    const delivered = async () =>
      (await insight()).payments.filter(({ ended, way }) => ended === 'delivered' && way === wayName('mpesa'));
    expect((await delivered()).map(({ count }) => count)).toEqual([1, 2]);
    await endings.refresh();
    expect(
      (await delivered()).map(({ count }) => count),
      'not yet again',
    ).toEqual([1, 2]);
    time += hour;
    await sql`update payments set state = 'REFUNDED' where id = 'p8'`.execute(db);
    await endings.refresh();
    expect((await insight()).payments.filter((one) => one.day === '2026-11-17')).toEqual([
      row('delivered', { day: '2026-11-17' }),
      row('givenBack', { day: '2026-11-17' }),
    ]);
    const { days, languages } = await insight(3);
    expect([days, languages.map(({ locale }) => locale)]).toEqual([
      ['2026-11-16', '2026-11-17', day],
      ['en-GB', 'fr-FR', 'mg-MG'],
    ]);
  });

  test('is for editors, publishers and operators', async () => {
    for (const [role, status] of Object.entries({ publisher: 200, operator: 200, care: 403, admin: 403 }))
      expect(
        (await (await signIn(running.portal.http, `${role}@console.example`)).call('insight', { days: 7 })).status,
      ).toBe(status);
  });
});
