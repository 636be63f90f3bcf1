import { consoleCallPath } from '@portal/contract/console/calls.ts';
import { calendarDay } from '@portal/domain/calendar-day.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DeskBrowser, postedHere, userAgent } from '../../testing/console.ts';
import { type DeskWorld, deskWorld } from '../desk/desk-world.fixture.ts';

let world: DeskWorld;
let finance: DeskBrowser;
let finance2: DeskBrowser;
let day: string;
const paid: string[] = [];

beforeAll(async () => {
  world = await deskWorld();
});
afterAll(() => world.stop());

const shown = async (input: { list?: 'open' | 'explained'; after?: number } = {}, by = finance) =>
  (await by.call('reconciliation', { day, ...input })).result;

async function file(by: DeskBrowser): Promise<string[]> {
  const answer = await world.running.portal.http.inject({
    ...{ method: 'POST', url: consoleCallPath('exportDay'), payload: { day } },
    headers: { cookie: by.cookie, 'user-agent': userAgent, ...postedHere },
  });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  return answer.body.split('\r\n').slice(0, -1);
}

describe('a day of money', () => {
  test('is seen by three sides, by way to pay and currency, as the books have it', async () => {
    for (const payer of ['390000501', '390000502']) {
      const id = await world.pay(payer, { paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY' });
      await world.until(id, 'SUCCEEDED');
      paid.push(id);
    }
    const back = await world.pay('390000503', {
      ...{ mobileNumber: '0390000012', paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY' },
    });
    await world.until(back, 'REFUNDED');
    paid.push(back);
    const { rows } = await sql<{ at: Date }>`select max(at) as at from ledger_postings`.execute(world.db);
    day = calendarDay(rows[0]?.at ?? new Date(), 'Indian/Antananarivo');
    world.advance(86_400);
    [finance, finance2] = [await world.as('finance'), await world.as('finance2')];
    expect(await shown()).toMatchObject({ day, comparedAt: null, sides: [], differences: [] });
    expect((await finance.call('compareDay', { day })).status).toBe(200);
    const compared = await shown();
    expect(compared).toMatchObject({ unchecked: [], unanswered: [], counts: { open: 0, explained: 0 } });
    const booked = await sql<{ kind: string; amount: number; count: number }>`
      select kind, sum(amount)::int as amount, count(*)::int as count from ledger_postings group by kind`.execute(
      world.db,
    );
    const of = (kind: string) => {
      const { amount = 0, count = 0 } = booked.rows.find((row) => row.kind === kind) ?? {};
      return { amount, count };
    };
    expect([of('paid').count, of('delivered').count, of('refunded').count]).toEqual([3, 2, 1]);
    expect(compared.sides).toEqual([
      {
        way: 'Fanilo Money',
        currency: 'MGA',
        booked: { taken: of('paid'), delivered: of('delivered'), givenBack: of('refunded') },
        listed: { taken: of('paid'), givenBack: of('refunded') },
        delivered: of('delivered'),
      },
    ]);
    expect((await finance.call('today')).result.differences).toEqual({ day, open: 0, isComplete: true });
    expect((await finance.call('reconciliation', {})).result.day).toBe(day);
    const today = calendarDay(new Date(Date.now() + 86_400_000), 'Indian/Antananarivo');
    expect((await finance.call('compareDay', { day: today })).error?.code).toBe('dayNotOver');
    const [open, over, quiet] = await Promise.all(
      [today, day, '2026-01-01'].map(async (one) => (await finance.call('reconciliation', { day: one })).result),
    );
    expect([open, over].map((one) => [one?.isOver, one?.isComparable, one?.hasTotals])).toEqual([
      [false, false, false],
      [true, true, true],
    ]);
    // The first day offered is the first with a payment. Days past the retention period are not compared.
    expect(open?.firstDay).toBe(over?.firstDay);
    expect([over?.firstDay && over.firstDay <= day, over?.firstDay && over.firstDay > '2026-01-01']).toEqual([
      true,
      true,
    ]);
    const longAgo = await finance.call('compareDay', { day: '1990-01-01' });
    expect(longAgo.error).toMatchObject({ code: 'dayTooOld', field: 'day', parameters: { first: expect.any(String) } });
    expect((await finance.call('compareDay', { day: '2026-01-01' })).status).toBe(200);
    const compared2 = (await finance.call('reconciliation', { day: '2026-01-01' })).result;
    expect([quiet?.hasTotals, compared2.hasTotals, compared2.sides]).toEqual([false, true, []]);
  });

  test('each difference leads to its payment; one takes it up, explains it and opens it again, seen by the other', async () => {
    // The provider and the charging system lose their records.
    await fetch(`${world.sandbox}/sandbox/api/reset`, { method: 'POST' });
    [finance, finance2] = [await world.as('finance'), await world.as('finance2')];
    expect((await finance.call('compareDay', { day })).status).toBe(200);
    const { differences, counts, sides } = await shown();
    expect(counts).toEqual({ open: 5, explained: 0 });
    expect(sides[0]).toMatchObject({ listed: { taken: { amount: 0, count: 0 } }, delivered: { amount: 0, count: 0 } });
    expect(differences.map(({ what }) => what).sort()).toEqual([
      ...['bookedNotDelivered', 'bookedNotDelivered', 'bookedNotTaken', 'bookedNotTaken', 'bookedNotTaken'],
    ]);
    expect([...new Set(differences.map(({ payment }) => payment?.id))].sort()).toEqual([...paid].sort());
    expect((await finance.call('today')).result.differences).toMatchObject({ open: 5 });

    const one = differences.find(({ what }) => what === 'bookedNotDelivered');
    const named = { day, what: 'bookedNotDelivered' as const, reference: one?.reference ?? '', version: 0 };
    const both = await Promise.all(
      [finance, finance2].map((person) => person.call('takeDifference', { ...named, isTaken: true })),
    );
    expect(both.map(({ status, error }) => error?.code ?? status).sort()).toEqual([200, 'changed']);
    const explaining = { ...named, as: 'corrected' as const, reason: 'brought by hand, says 0390000501' };
    expect((await finance2.call('explainDifference', explaining)).error?.code).toBe('changed');
    expect((await finance2.call('explainDifference', { ...explaining, version: 1 })).status).toBe(200);
    expect((await shown()).counts).toEqual({ open: 4, explained: 1 });
    const [explained] = (await shown({ list: 'explained' })).differences;
    expect(explained).toMatchObject({
      ...{ reference: named.reference, explanation: 'corrected', note: 'brought by hand, says #' },
      ...{ changedBy: 'finance2@console.example', version: 2 },
    });
    expect((await finance.call('today')).result.differences).toMatchObject({ open: 4 });

    // Explanations survive another comparison of the day.
    expect((await finance.call('compareDay', { day })).status).toBe(200);
    expect((await shown()).counts).toEqual({ open: 4, explained: 1 });
    const opening = { ...named, version: 2, as: null, reason: 'it was not' };
    expect((await finance.call('explainDifference', opening)).status).toBe(200);
    expect((await shown()).counts).toEqual({ open: 5, explained: 0 });
    const stranger = { ...named, reference: 'stranger', isTaken: true };
    expect((await finance.call('takeDifference', stranger)).status).toBe(404);
    expect(await world.actsOn(`${day} ${named.reference}`)).toEqual([
      expect.stringMatching(/^difference\.taken finance2?$/),
      'difference.explained finance2: brought by hand, says #',
      'difference.opened finance: it was not',
    ]);
  });

  test('is downloaded with every posting and difference, and with nobody in it', async () => {
    const lines = await file(finance);
    const rows = (kind: string) => lines.filter((line) => line.startsWith(`"${kind}"`));
    expect([rows('posting').length, rows('difference').length, lines.length]).toEqual([6, 5, 12]);
    expect(rows('posting').filter((line) => line.includes(paid[0] ?? ''))).toEqual([
      expect.stringMatching(/"paid","5000(\.00)?","MGA","provider:wallet","customers:owed"/),
      expect.stringMatching(/"delivered"/),
    ]);
    expect(lines.join()).not.toMatch(/39000050|390000101|rasoa/);
    expect((await world.actsOn(day)).at(-1)).toBe('day.exported finance');
  });
});
