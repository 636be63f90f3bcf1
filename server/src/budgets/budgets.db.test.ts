import { standardBudgets } from '@portal/domain/budgets.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { createMetrics } from '../http/metrics.ts';
import { testDatabase } from '../testing/database.ts';
import { type Budgets, budgetEvents, createBudgets, drawsOn, networkDraws } from './budgets.service.ts';

let database: Database;
let time = 0;
let refused: string[];
const create = (scale = 1): Budgets =>
  createBudgets(database.db, {
    secret: 'secret',
    scale,
    rules: standardBudgets,
    now: () => new Date(time),
    events: { refused: (budget) => void refused.push(budget) },
  });
const prompt = (subject: string) => [{ budget: 'promptPayer', subject }] as const;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('rate_limits').execute();
  time = Date.parse('2026-03-02T08:00:00Z');
  refused = [];
});

describe('a budget', () => {
  test('SEC-16 lets exactly its limit through, with any number of concurrent requests and processes', async () => {
    const processes = [create(), create(), create()];
    const asked = Array.from({ length: 30 }, (_, index) => processes[index % 3]?.take(prompt('a')));
    const answers = await Promise.all(asked);
    expect(answers.filter((spent) => spent === null)).toHaveLength(3);
    expect(refused).toEqual(Array(27).fill('promptPayer'));
    expect(await create().take(prompt('b'))).toBeNull();
  });

  test('SEC-16 holds for any hour, wherever the hour begins', async () => {
    const budgets = create();
    const taken: number[] = [];
    for (let minute = 0; minute < 360; minute += 7) {
      time = Date.parse('2026-03-02T08:53:00Z') + minute * 60_000;
      if ((await budgets.take(prompt('a'))) === null) taken.push(time);
    }
    for (const from of taken)
      expect(taken.filter((at) => at >= from && at < from + 3_600_000).length).toBeLessThanOrEqual(3);
    // Refused requests do not keep it closed.
    expect(taken.length).toBeGreaterThanOrEqual(12);
  });

  test('gives a draw back to the part of the hour it was taken in, and never more than was taken', async () => {
    const budgets = create();
    const at = new Date(time);
    for (let round = 0; round < 3; round += 1) await budgets.take(prompt('a'));
    for (let round = 0; round < 9; round += 1) await budgets.giveBack(prompt('a'), at);
    for (let round = 0; round < 3; round += 1) expect(await budgets.take(prompt('a'))).toBeNull();
    expect(await budgets.take(prompt('a'))).toBe('promptPayer');
  });

  test('that is refused leaves wider ones untouched, and a rollback undoes its draws', async () => {
    const budgets = create();
    const draws = [...prompt('a'), { budget: 'promptAll', subject: '' } as const];
    for (let round = 0; round < 5; round += 1) await budgets.take(draws);
    const all = () =>
      database.db.selectFrom('rate_limits').select('count').where('key', 'like', 'budget-promptAll%').execute();
    expect(await all()).toEqual([{ count: 3 }]);
    const undone = database.db.transaction().execute(async (transaction) => {
      await budgets.take([{ budget: 'promptAll', subject: '' }], transaction);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await all()).toEqual([{ count: 3 }]);
  });

  test('SEC-17 that is used up for all leaves no row for each number a flood names', async () => {
    const budgets = create(1 / 6_000);
    const ask = (subject: string) => budgets.take([...prompt(subject), { budget: 'promptAll', subject: '' }]);
    expect(await ask('first')).toBeNull();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => ask(`number ${number}`)));
    expect(new Set(answers)).toEqual(new Set(['promptAll']));
    expect(refused).toHaveLength(50);
    expect(await database.db.selectFrom('rate_limits').select('key').execute()).toHaveLength(2);
  });

  test('for an address counts for its wider networks too', async () => {
    const budgets = create(1 / 120);
    const from = (address: string) => budgets.take(networkDraws('promptNetwork', address));
    for (const part of [1, 2, 3, 4]) expect(await from(`2001:db8:1:${part}::9`)).toBeNull();
    expect(await from('2001:db8:1:1::8')).toBe('promptNetwork');
    expect(await from('2001:db8:1:5::1')).toBe('promptNetwork');
    expect(await from('2001:db8:2::1')).toBeNull();
  });
});

describe('what is stored of a budget', () => {
  const keys = async () =>
    (await database.db.selectFrom('rate_limits').select('key').orderBy('key').execute()).map(({ key }) => key);

  test('is a keyed hash of the subject, never the number itself', async () => {
    await create().take(prompt('0390000001'));
    expect(await keys()).toEqual([expect.stringMatching(/^budget-promptPayer:[\w-]{22}$/)]);
  });

  test('is a row for each sixth of its span, however often it is drawn on', async () => {
    const budgets = create();
    for (const minute of [0, 3, 9.99, 10, 19]) {
      time = Date.parse('2026-03-02T08:00:00Z') + minute * 60_000;
      await budgets.take([{ budget: 'promptAll', subject: '' }]);
    }
    const rows = await database.db.selectFrom('rate_limits').select('count').orderBy('window_start').execute();
    expect(rows).toEqual([{ count: 3 }, { count: 2 }]);
  });

  test('networks are stored as keyed hashes in one string, and drawn on as the address itself would be', async () => {
    const budgets = create(1 / 120);
    const address = '2001:db8:1:2::9';
    const stored = budgets.networks(address);
    expect(stored).toMatch(/^[\w-]{22} [\w-]{22} [\w-]{22}$/);
    expect(stored.split(' ')[0]).not.toBe(budgets.networks('2001:db8:1:3::9').split(' ')[0]);
    expect(stored.split(' ')[1]).toBe(budgets.networks('2001:db8:1:3::9').split(' ')[1]);
    const [narrow, wide, widest] = stored.split(' ');
    expect(drawsOn('promptNetwork', stored)).toEqual([
      { budget: 'promptNetwork', subject: narrow, factor: 1 },
      { budget: 'promptNetwork', subject: wide, factor: 4 },
      { budget: 'promptNetwork', subject: widest, factor: 16 },
    ]);
    expect(networkDraws('promptNetwork', address).map(({ factor }) => factor)).toEqual([1, 4, 16]);
  });

  test('without stored networks there are no draws', () => {
    expect(drawsOn('promptNetwork', null)).toEqual([]);
    expect(drawsOn('promptNetwork', '')).toEqual([]);
  });
});

test('a draw that fails with an error leaves nothing drawn and nothing locked', async () => {
  let broken = true;
  const budgets = createBudgets(database.db, {
    secret: 'secret',
    scale: 1,
    rules: {
      ...standardBudgets,
      get promptAll() {
        if (broken) throw new Error('no');
        return standardBudgets.promptAll;
      },
    },
    now: () => new Date(time),
    events: { refused: (budget) => void refused.push(budget) },
  });
  const draws = [...prompt('a'), { budget: 'promptAll', subject: '' } as const];
  await expect(budgets.take(draws)).rejects.toThrow('no');
  expect(await database.db.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  broken = false;
  for (let round = 0; round < 3; round += 1) expect(await budgets.take(draws)).toBeNull();
});

test('refusals are counted by budget in the metrics', async () => {
  const metrics = createMetrics();
  const events = budgetEvents(metrics);
  events.refused('promptPayer');
  events.refused('promptPayer');
  events.refused('codeSmsAll');
  const text = await metrics.text();
  expect(text).toContain('# HELP portal_budget_refusals_total What was not done because its budget was spent');
  expect(text).toContain('portal_budget_refusals_total{budget="promptPayer"} 2');
  expect(text).toContain('portal_budget_refusals_total{budget="codeSmsAll"} 1');
});
