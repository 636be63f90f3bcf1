import { describe, expect, test } from 'vitest';
import { PortalError } from '../../http/portal-error.ts';
import { type RiskCheck, RiskStop } from '../../risk/risk.service.ts';
import {
  database,
  failingProcess,
  live,
  paymentsTests,
  processWith,
  world,
} from '../../testing/payments-tests.fixture.ts';

const hour = 3_600;
const visit = 'v'.repeat(22);
const order = { orderDigest: 'one order', visit };

paymentsTests();

const ofRisk = (check: RiskCheck) => processWith(() => ({ risk: { before: async () => check } }));
const started = () => world.gateway.calls.start.map(({ reference }) => reference);

test('a payment that does not exist cannot be started', async () => {
  await expect(world.payments.process('nobody')).rejects.toMatchObject({ kind: 'notFound' });
});

describe('what the payer adds', () => {
  test('reaches the rules and the guards, and the PIN only the provider', async () => {
    const seen: unknown[] = [];
    const payments = processWith(({ guards }) => ({
      risk: {
        before: async ({ id }, given) => {
          seen.push(id, given);
          return async (_transaction, { state }) => state === 'SUBMITTING';
        },
      },
      guards: {
        ...guards,
        submitting: async (_transaction, { id, state }, shown) => void seen.push(id, state, shown),
      },
    }));
    const added = { pin: '1234', uniqueCode: 'a code', askedFrom: 'a network' };
    const id = await world.order();
    expect(await payments.process(id, added)).toMatchObject({ already: false, payment: { state: 'AWAITING_PAYER' } });
    expect(seen).toEqual([id, added, id, 'SUBMITTING', { isProved: true, uniqueCode: 'a code' }]);
    expect(world.gateway.calls.start).toMatchObject([{ reference: id, pin: '1234' }]);
    expect(await world.paymentOf(id)).toMatchObject({ asked_from: 'a network', submitted_at: world.now() });
  });

  test.each([
    ['without rules', undefined],
    ['by rules that asked for no code', async () => async () => false],
  ])('nothing is proved %s', async (_, before) => {
    const shown: unknown[] = [];
    const payments = processWith(({ guards }) => ({
      ...(before && { risk: { before } }),
      guards: { ...guards, submitting: async (_transaction, _payment, given) => void shown.push(given) },
    }));
    const id = await world.order();
    await payments.process(id);
    expect(shown).toEqual([{ isProved: false, uniqueCode: undefined }]);
    expect(world.gateway.calls.start[0]).not.toHaveProperty('pin');
    expect((await world.paymentOf(id)).asked_from).toBeNull();
  });
});

describe('a payment that is stopped before any provider is called', () => {
  test('by a guard: its refusal is returned, and the order can still be paid', async () => {
    const payments = processWith(({ guards }) => ({
      guards: { ...guards, submitting: () => Promise.reject(new PortalError('payerBusy')) },
    }));
    const id = await world.order();
    await expect(payments.process(id)).rejects.toMatchObject({ kind: 'payerBusy' });
    expect(await world.paymentOf(id)).toMatchObject({ state: 'CREATED', version: 0, submitted_at: null });
    expect(started()).toEqual([]);
  });

  test('by a rule that asks for a code: the decision is stored, and the order can still be paid', async () => {
    const stored: unknown[] = [];
    const payments = ofRisk(() => Promise.reject(new RiskStop('ask', async (executor) => void stored.push(executor))));
    const id = await world.order();
    await expect(payments.process(id)).rejects.toMatchObject({ kind: 'codeNeeded' });
    expect(stored).toEqual([database.db]);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'CREATED', version: 0, submitted_at: null });
    expect(started()).toEqual([]);
  });

  test('by a rule that leaves it to a person: held once, with the decision, however often it is sent', async () => {
    const stored: string[] = [];
    const both = Promise.withResolvers<void>();
    let here = 0;
    const payments = processWith(() => ({
      risk: {
        async before() {
          here += 1;
          if (here === 2) both.resolve();
          await both.promise;
          return () =>
            Promise.reject(
              new RiskStop('hold', async (executor) => {
                const { state } = await executor.selectFrom('payments').select('state').executeTakeFirstOrThrow();
                stored.push(state);
              }),
            );
        },
      },
    }));
    const id = await world.order();
    const sent = () => payments.process(id, { askedFrom: 'a network' });
    const answers = await Promise.all([sent(), sent()]);
    expect(answers.map(({ already }) => already).sort()).toEqual([false, true]);
    expect(answers.map(({ payment }) => payment.state)).toEqual(['REVIEW', 'REVIEW']);
    expect(await world.paymentOf(id)).toMatchObject({ reason: 'held', asked_from: 'a network', submitted_at: null });
    expect(stored).toEqual(['REVIEW']);
    const alone = await payments.process(await world.order());
    expect(alone).toMatchObject({ already: false, payment: { state: 'REVIEW' } });
    expect(started()).toEqual([]);
  });
});

test('REL-3 (in two processes) a payment that another process starts meanwhile is started once', async () => {
  const payments = processWith(() => ({
    risk: {
      async before({ id }) {
        await world.payments.process(id);
        return async () => false;
      },
    },
  }));
  const id = await world.order();
  expect(await payments.process(id)).toMatchObject({ already: true, payment: { state: 'AWAITING_PAYER' } });
  expect(started()).toEqual([id]);
});

describe('MNY-6 the other attempts of an order', () => {
  test('of the same browser expire if they are not newer and were not sent', async () => {
    const sent = await world.submitted(order);
    const first = await world.order(order);
    const chosen = await world.order(order);
    world.advance(1);
    const newer = await world.order(order);
    await world.payments.process(chosen);
    expect(await world.paymentOf(first)).toMatchObject({ state: 'FAILED', reason: 'replaced', submitted_at: null });
    expect(await world.stateOf(newer)).toBe('CREATED');
    expect(await world.stateOf(sent)).toBe('AWAITING_PAYER');
    expect(started()).toEqual([sent, chosen]);
    expect(world.failedSteps).toEqual([]);
  });

  test('that cannot be looked at do not make a sent payment look like one that was not', async () => {
    const failed: unknown[] = [];
    const lost = new Error('the database is away');
    const payments = processWith(({ epochs, events }) => ({
      epochs: { ...epochs, check: () => Promise.reject(lost) },
      events: { ...events, stepFailed: (id, error) => void failed.push([id, error]) },
    }));
    await world.order(order);
    const id = await world.order(order);
    expect(await payments.process(id)).toMatchObject({ already: false, payment: { state: 'AWAITING_PAYER' } });
    expect(failed).toEqual([[id, lost]]);
    expect(started()).toEqual([id]);
  });
});

test('REL-11 (its order paid by another) an order from before a restore never expires by itself, however late it is to be paid', async () => {
  world.gateway.answers.enquire = () => ({ kind: 'paid', providerReference: 'm', amount: 5_000, currency: 'XTS' });
  await world.submitted(order);
  await live(10);
  const id = await world.order(order);
  const { epoch, due_at } = await world.paymentOf(id);
  await world.restore();
  for (const passed of [0, 25 * hour]) {
    world.advance(passed);
    await expect(world.payments.process(id)).rejects.toMatchObject({ kind: 'orderPaid' });
    expect(await world.paymentOf(id)).toMatchObject({ state: 'CREATED', epoch, due_at });
  }
});

describe('an error after the provider was called', () => {
  test('in our code is reported with its payment, which waits', async () => {
    const failed: unknown[] = [];
    const payments = processWith(({ events }) => ({
      events: { ...events, stepFailed: (id, error) => void failed.push([id, error]) },
    }));
    const mistake = new Error('a mistake of ours');
    world.gateway.answers.start = () => Promise.reject(mistake);
    const id = await world.order();
    expect(await payments.process(id)).toMatchObject({ already: false, payment: { state: 'SUBMITTING' } });
    expect(failed).toEqual([[id, mistake]]);
  });

  /** The payments of a process whose statements fail from the call of the provider on. */
  function failingAfterStart(error: Error) {
    const { payments, fail } = failingProcess(error);
    world.gateway.answers.start = () => {
      fail();
      return { kind: 'await' };
    };
    return payments;
  }

  test('of the connection to the database is not reported as one before it: the payment may be paid', async () => {
    const lost = Object.assign(new Error('gone'), { code: 'ECONNRESET' });
    const id = await world.order();
    expect(await failingAfterStart(lost).process(id)).toMatchObject({
      already: false,
      payment: { id, state: 'SUBMITTING' },
    });
    expect(started()).toEqual([id]);
    expect(world.failedSteps).toEqual([lost]);
  });

  test('of another kind is not hidden', async () => {
    const id = await world.order();
    const mistake = new Error('a mistake of ours');
    await expect(failingAfterStart(mistake).process(id)).rejects.toBe(mistake);
  });
});
