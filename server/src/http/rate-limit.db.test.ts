import { standardBudgets } from '@portal/domain/budgets.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBudgets } from '../budgets/budgets.service.ts';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { type RateLimits, rateLimits } from './rate-limit.ts';

let database: Database;
let time = 0;
const now = () => new Date(time);
const process = (scale = 1) => rateLimits(database.db, { secret: 'secret', scale, budgets: standardBudgets, now });
const rows = () => database.db.selectFrom('rate_limits').selectAll().execute();

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('rate_limits').execute();
  time = Date.parse('2026-03-02T08:00:00Z');
});

async function takeUntilRefused(
  limits: RateLimits,
  limit: 'code' | 'lookup',
  client = 'a',
  most = 1_000,
): Promise<number> {
  for (let taken = 0; taken < most; taken += 1) if ((await limits.take(limit, client)) !== null) return taken;
  return most;
}

describe('an exact limit', () => {
  test('lets exactly its number of requests through and says how long to wait', async () => {
    const limits = process();
    expect(await takeUntilRefused(limits, 'code')).toBe(60);
    time += 100_000;
    expect(await limits.take('code', 'a')).toBe(500);
  });

  test('is shared by two processes without settling', async () => {
    const [one, two] = [process(), process()];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 ? one : two).take('code', 'a')),
    );
    expect(answers.filter((wait) => wait === null)).toHaveLength(60);
  });

  test('starts again with the next window', async () => {
    const limits = process();
    await takeUntilRefused(limits, 'code');
    time += 600_000;
    expect(await limits.take('code', 'a')).toBeNull();
  });
});

describe('a limit counted in memory', () => {
  test('lets exactly its number of requests through in one process', async () => {
    expect(await takeUntilRefused(process(), 'lookup')).toBe(240);
  });

  test('is shared once both processes have settled', async () => {
    const [one, two] = [process(), process()];
    for (let taken = 0; taken < 200; taken += 1) await one.take('lookup', 'a');
    for (let taken = 0; taken < 30; taken += 1) await two.take('lookup', 'a');
    await one.settle();
    await two.settle();
    expect(await takeUntilRefused(two, 'lookup')).toBe(10);
  });

  test('counts no request twice when settled often', async () => {
    const limits = process();
    for (let taken = 0; taken < 100; taken += 1) {
      await limits.take('lookup', 'a');
      if (taken % 10 === 0) await limits.settle();
    }
    await limits.settle();
    expect(await takeUntilRefused(limits, 'lookup')).toBe(140);
  });
});

test('clients have separate limits, and so have limit classes', async () => {
  const limits = process();
  await takeUntilRefused(limits, 'code', 'a');
  expect(await limits.take('code', 'b')).toBeNull();
  expect(await limits.take('verify', 'a')).toBeNull();
});

test('the scale multiplies a limit', async () => {
  expect(await takeUntilRefused(process(0.1), 'code')).toBe(6);
});

test('no address is stored, only a keyed hash; old windows are deleted', async () => {
  const limits = process();
  await limits.take('code', '203.0.113.77');
  for (let taken = 0; taken < 12; taken += 1) await limits.take('lookup', '203.0.113.77');
  await limits.settle();
  expect(await rows()).toHaveLength(3);
  expect(JSON.stringify(await rows())).not.toContain('203.0.113.77');
  time += 2 * 3_600_000;
  await limits.settle();
  expect(await rows()).toEqual([]);
});

test('SEC-17 a client far below its limit leaves no row, however many addresses it uses', async () => {
  const limits = process();
  for (let network = 0; network < 1_000; network += 1)
    for (const limit of ['page', 'lookup', 'event', 'callback'] as const)
      await limits.take(limit, `2001:db8:${network.toString(16)}::1`);
  await limits.settle();
  expect(await rows()).toEqual([]);
});

test('SEC-17 SEC-19 a thousand networks of one /48 leave a row for the /48 and its /56, and none for each network', async () => {
  const limits = process();
  for (let network = 0; network < 1_000; network += 1)
    await limits.take('lookup', `2001:db8:1:${network.toString(16)}::1`);
  await limits.settle();
  expect((await rows()).map(({ count }) => count).sort((one, other) => one - other)).toEqual([
    232, 256, 256, 256, 1000,
  ]);
});

test('SEC-17 rows that no longer count are deleted: a window soon, a budget after its span', async () => {
  const limits = process();
  const budgets = createBudgets(database.db, {
    secret: 'secret',
    scale: 1,
    rules: standardBudgets,
    now,
    events: { refused() {} },
  });
  await limits.take('code', 'a');
  for (const budget of ['codeNumberSoon', 'formNetwork', 'codeNumberDay'] as const)
    await budgets.take([{ budget, subject: 'a' }]);
  const left = async (minutes: number) => {
    time = Date.parse('2026-03-02T08:00:00Z') + minutes * 60_000;
    await limits.settle();
    return (await rows()).map(({ key }) => key.split(':')[0]).sort();
  };
  expect(await left(11)).toHaveLength(4);
  expect(await left(13)).toEqual(['budget-codeNumberDay', 'budget-formNetwork']);
  expect(await left(69)).toEqual(['budget-codeNumberDay', 'budget-formNetwork']);
  expect(await left(80)).toEqual(['budget-codeNumberDay']);
  expect(await left(27 * 60)).toEqual(['budget-codeNumberDay']);
  expect(await left(31 * 60)).toEqual([]);
});

test('all addresses of one IPv6 customer are one client, and another customer is another client', async () => {
  const limits = process();
  await takeUntilRefused(limits, 'code', '2001:db8:1:2::1');
  expect(await limits.take('code', '2001:db8:1:2:aaaa:bbbb:cccc:dddd')).not.toBeNull();
  expect(await limits.take('code', '2001:db8:1:3::1')).toBeNull();
});

describe('SEC-19 wider networks', () => {
  const perAddress = { code: 60, lookup: 240 };

  test.each(['code', 'lookup'] as const)('have four and sixteen times the limit (%s)', async (limit) => {
    const limits = process();
    const most = perAddress[limit];
    const from = (part: number) => takeUntilRefused(limits, limit, `2001:db8:1:${part.toString(16)}::1`);
    // Five /64 of one /56, then as many as a /48 allows, each from its own /56.
    expect([await from(1), await from(2), await from(3), await from(4), await from(5)]).toEqual([
      most,
      most,
      most,
      most,
      0,
    ]);
    for (let part = 1; part <= 12; part += 1) expect(await from(part * 256)).toBe(most);
    expect(await from(13 * 256)).toBe(0);
    expect(await takeUntilRefused(limits, limit, '2001:db8:2::1')).toBe(most);
  });

  test.each(['code', 'lookup'] as const)(
    'include the /24 of an IPv4 address, with sixteen times the limit (%s)',
    async (limit) => {
      const limits = process();
      for (let last = 1; last <= 16; last += 1)
        expect(await takeUntilRefused(limits, limit, `203.0.113.${last}`)).toBe(perAddress[limit]);
      expect(await takeUntilRefused(limits, limit, '203.0.113.17')).toBe(0);
      expect(await takeUntilRefused(limits, limit, '203.0.114.17')).toBe(perAddress[limit]);
    },
  );

  test.each(['code', 'lookup'] as const)(
    'are not charged for what one address asks beyond its own limit (%s)',
    async (limit) => {
      const limits = process(0.1);
      for (let asked = 0; asked < 2_000; asked += 1) await limits.take(limit, '2001:db8:1:2::1');
      expect(await limits.take(limit, '2001:db8:1:3::1')).toBeNull();
    },
  );
});

test('the verify limit is exact too: two processes together let no more through, without settling', async () => {
  const [one, two] = [process(), process()];
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => (index % 2 ? one : two).take('verify', 'a')),
  );
  expect(answers.filter((wait) => wait === null)).toHaveLength(120);
});

describe('counts in memory', () => {
  const take = async (limits: RateLimits, times: number) => {
    for (let taken = 0; taken < times; taken += 1) await limits.take('lookup', 'a');
  };
  const counts = async () => (await rows()).map(({ count }) => count);

  test('last to the end of the window, whenever they are settled', async () => {
    const limits = process();
    await take(limits, 240);
    for (const second of [1, 30, 59]) {
      time = Date.parse('2026-03-02T08:00:00Z') + second * 1000;
      await limits.settle();
      expect(await limits.take('lookup', 'a')).toBe(60 - second);
    }
  });

  test('apply while they are being written', async () => {
    const limits = process();
    await take(limits, 240);
    const settling = limits.settle();
    expect(await limits.take('lookup', 'a')).not.toBeNull();
    await settling;
  });

  test('stay shared once they got a row', async () => {
    const limits = process();
    await take(limits, 20);
    await limits.settle();
    await take(limits, 1);
    await limits.settle();
    expect(await counts()).toEqual([21]);
  });

  test('get a row by the scaled limit', async () => {
    const limits = process(0.1);
    await take(limits, 2);
    await limits.settle();
    expect(await counts()).toEqual([2]);
  });

  test('are not written again if nothing was added', async () => {
    const limits = process();
    await take(limits, 20);
    await limits.settle();
    await database.db.deleteFrom('rate_limits').execute();
    await limits.settle();
    expect(await rows()).toEqual([]);
  });
});

test('old windows are deleted once a minute', async () => {
  const limits = process();
  await limits.settle();
  const old = { key: 'code:a', window_start: new Date(time - 3_600_000), count: 1 };
  await database.db.insertInto('rate_limits').values(old).execute();
  time += 59_999;
  await limits.settle();
  expect(await rows()).toHaveLength(1);
  time += 1;
  await limits.settle();
  expect(await rows()).toEqual([]);
});

describe('giving a request back', () => {
  const budgets = () =>
    createBudgets(database.db, { secret: 'secret', scale: 1, rules: standardBudgets, now, events: { refused() {} } });
  const networksOf = (client: string) => budgets().networks(client);
  const order = (limits: RateLimits) => limits.take('order', '203.0.113.77');

  test('allows one more of the same client and class', async () => {
    const limits = process(0.01);
    for (let taken = 0; taken < 10; taken += 1) expect(await order(limits)).toBeNull();
    limits.giveBack('order', networksOf('203.0.113.78'));
    limits.giveBack('page', networksOf('203.0.113.77'));
    expect(await order(limits)).not.toBeNull();
    limits.giveBack('order', networksOf('203.0.113.77'));
    limits.giveBack('order', networksOf('203.0.113.77'));
    expect(await order(limits)).toBeNull();
    expect(await order(limits)).not.toBeNull();
  });

  test('never raises the limit', async () => {
    const limits = process(0.01);
    expect(await order(limits)).toBeNull();
    for (let round = 0; round < 5; round += 1) limits.giveBack('order', networksOf('203.0.113.77'));
    for (let taken = 0; taken < 10; taken += 1) expect(await order(limits)).toBeNull();
    expect(await order(limits)).not.toBeNull();
  });

  test('reaches other processes once it is settled', async () => {
    const limits = process(0.01);
    for (let taken = 0; taken < 10; taken += 1) await order(limits);
    await limits.settle();
    limits.giveBack('order', networksOf('203.0.113.77'));
    await limits.settle();
    expect((await rows()).map(({ count }) => count)).toEqual([9, 9]);
  });

  test('uses the same 22 letters of a keyed hash as the table', async () => {
    const limits = process(0.02);
    for (let taken = 0; taken < 16; taken += 1) await order(limits);
    await limits.take('code', '203.0.113.77');
    await limits.settle();
    const networks = networksOf('203.0.113.77').split(' ');
    expect((await rows()).map(({ key }) => key).sort()).toEqual(
      ['code', 'order'].flatMap((limit) => networks.map((network) => `${limit}:${network}`)).sort(),
    );
  });
});
