import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { EnquiryOutcome } from '../../connectors/ports.ts';
import type { Schema } from '../../db/schema.ts';
import { database, failingProcess, paymentsTests, processWith, world } from '../../testing/payments-tests.fixture.ts';
import { hanging } from '../../testing/scripted-providers.ts';
import type { Payments } from '../payments.service.ts';
import { paymentRunner } from './payments.runner.ts';

/** Deferred enquiries, which run when a test calls them. */
let deferred: { delayMs: number; run: () => void; timer: NodeJS.Timeout }[];

paymentsTests();
beforeEach(() => {
  deferred = [];
  const { setTimeout, clearTimeout } = globalThis;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, delayMs?: number) => {
    const timer = setTimeout(run, delayMs);
    if (delayMs !== 500 && delayMs !== 2_000) return timer;
    clearTimeout(timer);
    deferred.push({ delayMs, run, timer });
    return timer;
  }) as typeof setTimeout);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const enquiries = () => world.gateway.calls.enquire.length;
let bodies = 0;
const newBody = () => {
  bodies += 1;
  return String(bodies);
};
const callback = (id: string, body: string, payments: Payments = world.payments, key = 'genuine') =>
  payments.receiveCallback({
    provider: 'wallet',
    path: '',
    body: Buffer.from(JSON.stringify({ id, body, key })),
    headers: {},
  });

describe('LIV-1 (what makes it ask) an enquiry that is asked for', () => {
  const returned = (id: string) => world.payments.enquireSoon(id, 'returned');
  test.each([
    ['a new callback', 0.5, (id: string) => callback(id, newBody())],
    ['a new callback that nobody signed', 0.5, (id: string) => callback(id, newBody(), world.payments, 'none')],
    ['a repeated callback', 2, (id: string) => callback(id, 'repeated')],
    ['a person on the phone', 2, (id: string) => world.payments.enquireSoon(id)],
    ['a browser that returned', 10, returned],
  ])('by %s is made if the last one is more than %d s ago', async (_, seconds, ask) => {
    const id = await world.submitted();
    await callback(id, 'repeated');
    await world.payments.drain();
    expect(enquiries()).toBe(1);
    for (const [passed, made] of [
      [seconds, 1],
      [0.001, 2],
    ] as const) {
      world.advance(passed);
      await ask(id);
      await world.payments.drain();
      expect(enquiries()).toBe(made);
    }
  });

  test('too soon by callbacks is made once, when the time between two has passed', async () => {
    const id = await world.submitted();
    await callback(id, newBody());
    await world.payments.drain();
    world.advance(0.1);
    for (let more = 0; more < 3; more += 1) await callback(id, newBody());
    expect(deferred.map(({ delayMs }) => delayMs)).toEqual([500]);
    world.advance(0.5);
    deferred[0]?.run();
    await expect.poll(enquiries).toBe(2);
    // The next one is deferred again.
    await callback(id, newBody());
    await callback(id, 'repeated');
    expect(deferred).toHaveLength(2);
    expect(world.failedSteps).toEqual([]);
  });

  test('too soon by a repeated callback waits for two seconds, and by a browser is not made later', async () => {
    const id = await world.submitted();
    await callback(id, 'repeated');
    await world.payments.enquireSoon(id, 'returned');
    await world.payments.enquireSoon(id);
    expect(deferred).toEqual([]);
    await callback(id, 'repeated');
    expect(deferred.map(({ delayMs }) => delayMs)).toEqual([2_000]);
  });

  test('by callbacks about ever more payments is deferred for ten thousand of them', async () => {
    // Knows no payment, and answers at once.
    const db = new Kysely<Schema>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (one) => new PostgresIntrospector(one),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    const runner = paymentRunner({ ...world.dependencies(), db }, { next: async () => null });
    for (let payment = 0; payment < 10_001; payment += 1) await runner.enquireAfterCallback(`p${payment}`, true);
    expect(deferred).toHaveLength(10_000);
    await runner.drain();
  });

  test('later, and cannot be, is reported with its payment', async () => {
    const failed: unknown[] = [];
    const lost = new Error('the database is away');
    const { payments, fail } = failingProcess(lost, (id, error) => failed.push([id, error]));
    const id = await world.submitted();
    await callback(id, newBody(), payments);
    await payments.drain();
    await callback(id, newBody(), payments);
    fail();
    deferred[0]?.run();
    await payments.drain();
    expect(failed).toEqual([[id, lost]]);
  });
});

test('a step that fails is reported with its payment, and the others are taken', async () => {
  const failed: unknown[] = [];
  const mistake = new Error('a mistake of ours');
  const payments = processWith(({ events }) => ({
    events: { ...events, stepFailed: (id, error) => void failed.push([id, error]) },
  }));
  const [first, second] = [await world.submitted(), await world.submitted()];
  world.gateway.answers.enquire = ({ reference }) => {
    if (reference === first) throw mistake;
    return { kind: 'refused', reason: 'declined' };
  };
  world.advance(10);
  expect(await payments.sweep(100)).toBe(2);
  expect(failed).toEqual([[first, mistake]]);
  expect(await world.stateOf(second)).toBe('FAILED');
});

test('REL-18 (a gateway’s share) a gateway with a hundred payments in progress gets no more until some of them end', async () => {
  const answers: (() => void)[] = [];
  world.gateway.answers.enquire = () => {
    const { answer, resolve } = hanging<EnquiryOutcome>();
    answers.push(() => resolve({ kind: 'pending' }));
    return answer();
  };
  await Promise.all(Array.from({ length: 160 }, () => world.order()));
  const now = world.now();
  await database.db.updateTable('payments').set({ state: 'AWAITING_PAYER', submitted_at: now, due_at: now }).execute();
  /** Sweeps until the gateway is full, and checks how many enquiries it got so far. */
  async function made(expected: number): Promise<void> {
    for (let sweeps = 0; sweeps < 3; sweeps += 1) await world.payments.sweepOn();
    await expect.poll(enquiries).toBe(expected);
    expect(await dueNow()).toBe(160 - expected);
  }
  const dueNow = async () =>
    (await database.db.selectFrom('payments').select('id').where('due_at', '<=', now).execute()).length;
  await made(100);
  answers[0]?.();
  await expect
    .poll(async () => (await world.payments.evidence(world.gateway.calls.enquire[0]?.reference ?? '')).length)
    .toBe(1);
  await made(150);
  for (const answer of answers) answer();
  await world.payments.drain();
  await made(160);
  for (const answer of answers) answer();
  await world.payments.drain();
});

test('a process ends when what it began is done, and begins nothing that was deferred', async () => {
  const id = await world.submitted();
  const enquiry = hanging<EnquiryOutcome>();
  world.gateway.answers.enquire = enquiry.answer;
  await callback(id, newBody());
  await expect.poll(enquiries).toBe(1);
  const cleared = vi.spyOn(globalThis, 'clearTimeout');
  await callback(id, newBody());
  expect(deferred).toHaveLength(1);
  let isDone = false;
  const done = world.payments.drain().then(() => {
    isDone = true;
  });
  expect(cleared).toHaveBeenCalledWith(deferred[0]?.timer);
  await expect.poll(() => world.stateOf(id)).toBe('AWAITING_PAYER');
  expect(isDone).toBe(false);
  enquiry.resolve({ kind: 'refused', reason: 'declined' });
  await done;
  expect(await world.stateOf(id)).toBe('FAILED');
});
