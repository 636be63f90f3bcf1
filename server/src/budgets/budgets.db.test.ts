import { standardBudgets } from '@portal/domain/budgets.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { type Budgets, createBudgets, networkDraws } from './budgets.service.ts';

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
  test('SEC-16 lets exactly so many through, however many ask at once in however many processes', async () => {
    const processes = [create(), create(), create()];
    const asked = Array.from({ length: 30 }, (_, index) => processes[index % 3]?.take(prompt('a')));
    const answers = await Promise.all(asked);
    expect(answers.filter((spent) => spent === null)).toHaveLength(3);
    expect(refused).toEqual(Array(27).fill('promptPayer'));
    expect(await create().take(prompt('b'))).toBeNull();
  });

  test('SEC-16 gives no more in any hour, wherever the hour begins', async () => {
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

  test('gives back what was taken, in the part of the hour it was taken in, and never more', async () => {
    const budgets = create();
    const at = new Date(time);
    for (let round = 0; round < 3; round += 1) await budgets.take(prompt('a'));
    for (let round = 0; round < 9; round += 1) await budgets.giveBack(prompt('a'), at);
    for (let round = 0; round < 3; round += 1) expect(await budgets.take(prompt('a'))).toBeNull();
    expect(await budgets.take(prompt('a'))).toBe('promptPayer');
  });

  test('that is refused leaves wider ones untouched, and what is rolled back was not spent', async () => {
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

  test('SEC-17 that is spent for all leaves no row for each number a flood names', async () => {
    const budgets = create(1 / 6_000);
    const ask = (subject: string) => budgets.take([...prompt(subject), { budget: 'promptAll', subject: '' }]);
    expect(await ask('first')).toBeNull();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, number) => ask(`number ${number}`)));
    expect(new Set(answers)).toEqual(new Set(['promptAll']));
    expect(refused).toHaveLength(50);
    expect(await database.db.selectFrom('rate_limits').select('key').execute()).toHaveLength(2);
  });

  test('for an address is drawn for its wider networks too', async () => {
    const budgets = create(1 / 120);
    const from = (address: string) => budgets.take(networkDraws('promptNetwork', address));
    for (const part of [1, 2, 3, 4]) expect(await from(`2001:db8:1:${part}::9`)).toBeNull();
    expect(await from('2001:db8:1:1::8')).toBe('promptNetwork');
    expect(await from('2001:db8:1:5::1')).toBe('promptNetwork');
    expect(await from('2001:db8:2::1')).toBeNull();
  });
});
