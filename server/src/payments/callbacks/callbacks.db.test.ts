import type { KyselyPlugin } from 'kysely';
import { describe, expect, test } from 'vitest';
import { openRow, sealRow } from '../../db/personal-data.ts';
import { database, paymentsTests, world } from '../../testing/payments-tests.fixture.ts';
import { paymentsWorld } from '../../testing/payments-world.ts';
import { hanging } from '../../testing/scripted-providers.ts';
import { newPaymentId } from '../core/payment-id.ts';

const paid = { kind: 'paid', providerReference: 'money-1', amount: 5_000, currency: 'XTS' } as const;

paymentsTests();

async function callback(body: object | string, headers: Record<string, unknown> = {}): Promise<void> {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  await world.payments.receiveCallback({ provider: 'wallet', path: '', body: bytes, headers });
  await world.payments.drain();
}

const stored = async () => {
  const rows = await database.db.selectFrom('callbacks').selectAll().execute();
  return rows.map((row) => openRow(database.db, 'callbacks', row));
};

test.each([
  { who: 'genuine', key: 'genuine', verdict: 'signed' },
  { who: 'forged', key: 'forged', verdict: 'unsigned' },
  { who: 'unsigned', key: undefined, verdict: 'unsigned' },
])(
  'a $who callback that claims success changes nothing by itself, but is a reason to ask',
  async ({ key, verdict }) => {
    const id = await world.submitted();
    await callback({ id, key, status: 'TS', amount: 5_000 });
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    expect(world.gateway.calls.enquire).toHaveLength(1);
    expect(await stored()).toEqual([expect.objectContaining({ provider: 'wallet', payment_id: id, verdict })]);
  },
);

test('the enquiry it triggers decides, not its content', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => paid;
  await callback({ id, key: 'forged', status: 'TF' });
  expect(await world.stateOf(id)).toBe('SUCCEEDED');
});

test('REL-12 (what a callback states) the enquiry can read what a key of ours signed, and nothing that a stranger sent', async () => {
  const id = await world.submitted();
  await callback({ id, key: 'forged', amount: 1 });
  await callback({ id, key: 'genuine', amount: 5_001 });
  const read = await world.gateway.calls.enquire.at(-1)?.callbacks?.();
  expect(read?.map((body) => JSON.parse(String(body)))).toEqual([{ id, key: 'genuine', amount: 5_001 }]);
});

test('sent twenty times it is stored once, and triggers no more enquiries than the floor allows', async () => {
  const id = await world.submitted();
  for (let copy = 0; copy < 20; copy += 1) {
    await callback({ id, key: 'genuine' });
    world.advance(0.5);
  }
  expect(await stored()).toHaveLength(1);
  expect(world.callbacks).toEqual(['signed', ...Array(19).fill('repeated')]);
  expect(world.gateway.calls.enquire.length).toBeLessThanOrEqual(5);
});

test('REL-14 (its callbacks; the search beside the payments) a repeated one still triggers an enquiry, since the process may have crashed on the first', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'expired' });
  await callback({ id, key: 'genuine' });
  expect(await world.stateOf(id)).toBe('FAILED');
  await database.db.updateTable('payments').set({ due_at: null }).where('id', '=', id).execute();
  world.gateway.answers.enquire = () => paid;
  world.advance(60);
  await callback({ id, key: 'genuine' });
  expect(await world.stateOf(id)).toBe('REFUNDED');
});

test('LIV-1 (what a provider tells; the second by npm run bench:live) a callback right after an enquiry triggers another one soon, without waiting for the schedule', async () => {
  const id = await world.submitted();
  await callback({ id, key: 'genuine', extra: 'shown' });
  expect(world.gateway.calls.enquire).toHaveLength(1);
  world.gateway.answers.enquire = () => paid;
  world.advance(0.1);
  const approved = {
    provider: 'wallet',
    path: '',
    body: Buffer.from(JSON.stringify({ id, key: 'genuine' })),
    headers: {},
  };
  await world.payments.receiveCallback(approved);
  expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
  world.advance(1);
  await expect.poll(() => world.stateOf(id)).toBe('SUCCEEDED');
});

test('the raw body is stored unchanged', async () => {
  const body = '{ "id" : "nobody",\n "key":"genuine" }';
  await callback(body);
  const [row] = await stored();
  expect(row?.body.toString('utf8')).toBe(body);
});

test.each([
  ['an unknown reference', { id: 'zzzzzzzzzzzzzzzzzzzzzzzzzz', key: 'genuine' }],
  ['no reference', { key: 'genuine' }],
  ['no JSON', '<html>'],
  ['nothing at all', ''],
])('with %s it changes nothing', async (_what, body) => {
  const id = await world.submitted();
  await callback(body);
  expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
  expect(world.gateway.calls.enquire).toEqual([]);
});

test('from an unknown provider it is refused', async () => {
  await expect(
    world.payments.receiveCallback({ provider: 'nobody', path: '', body: Buffer.from('{}'), headers: {} }),
  ).rejects.toMatchObject({
    kind: 'notFound',
  });
});

test('a flood of different bodies causes one enquiry, not one each', async () => {
  const enquiry = hanging<{ kind: 'pending' }>();
  world.gateway.answers.enquire = enquiry.answer;
  const id = await world.submitted();
  const flood = Array.from({ length: 40 }, (_, extra) =>
    world.payments.receiveCallback({
      provider: 'wallet',
      path: '',
      body: Buffer.from(JSON.stringify({ id, extra })),
      headers: {},
    }),
  );
  await Promise.all(flood);
  enquiry.resolve({ kind: 'pending' });
  await world.payments.drain();
  expect(world.gateway.calls.enquire).toHaveLength(1);

  await callback({ id, extra: 'a second later' });
  expect(world.gateway.calls.enquire).toHaveLength(1);
  world.advance(3);
  await callback({ id, extra: 'three seconds later' });
  expect(world.gateway.calls.enquire).toHaveLength(2);
});

test('before the provider was called it triggers nothing', async () => {
  const id = await world.order();
  await callback({ id, key: 'genuine' });
  expect(world.gateway.calls).toEqual({ start: [], enquire: [], refund: [] });
  expect(await world.stateOf(id)).toBe('CREATED');
});

test('an old one changes nothing in a final payment', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => paid;
  await callback({ id, key: 'genuine', status: 'TS' });
  world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'declined' });
  world.advance(60);
  await callback({ id, key: 'genuine', status: 'TF' });
  expect(await world.stateOf(id)).toBe('SUCCEEDED');
  expect(world.charging.calls.deliver).toHaveLength(1);
});

test('after a failure it may reveal late money, which is refunded', async () => {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'expired' });
  await callback({ id, status: 'TE' });
  expect(await world.stateOf(id)).toBe('FAILED');
  world.gateway.answers.enquire = () => paid;
  world.advance(60);
  await callback({ id, status: 'TS' });
  expect(await world.stateOf(id)).toBe('REFUNDED');
  expect(world.charging.calls.deliver).toEqual([]);
});

test('callbacks and idempotency keys are deleted after their retention period, the payment is not', async () => {
  const keys = () => database.db.selectFrom('idempotency_keys').selectAll().execute();
  const id = await world.submitted();
  await callback({ id, key: 'genuine' });
  world.advance(29 * 86_400);
  await world.payments.deleteExpired();
  expect([(await keys()).length, (await stored()).length]).toEqual([1, 1]);
  world.advance(2 * 86_400);
  await world.payments.deleteExpired();
  expect([(await keys()).length, (await stored()).length]).toEqual([0, 1]);
  world.advance(60 * 86_400);
  await world.payments.deleteExpired();
  expect(await stored()).toEqual([]);
  expect(await world.paymentOf(id)).toBeDefined();
});

describe('SEC-17 what is stored', () => {
  const expired = { kind: 'refused', reason: 'expired' } as const;

  test.each([
    ['no reference', {}],
    ['a reference that is not shaped like ours', { id: 'x' }],
    ['a payment that nobody knows', { id: newPaymentId() }],
    ['no JSON', '<html>'],
  ])('SEC-17 unsigned and with %s it is counted and not stored', async (_what, body) => {
    await callback(body);
    expect(await stored()).toEqual([]);
    expect(world.callbacks).toEqual(['stray']);
  });

  test('SEC-17 a reference that is not in our format is never looked up', async () => {
    const queries: string[] = [];
    const watched = paymentsWorld({ ...database, db: database.db.withPlugin(noteTables(queries)) });
    const send = (id: string, key: string) =>
      watched.payments.receiveCallback({
        provider: 'wallet',
        path: '',
        body: Buffer.from(JSON.stringify({ id, key })),
        headers: {},
      });
    for (const id of ['x', "' or 1=1", 'Z'.repeat(26)]) for (const key of ['forged', 'genuine']) await send(id, key);
    expect(queries).not.toContain('payments');
    await send(newPaymentId(), 'forged');
    expect(queries).toContain('payments');
  });

  test('SEC-17 unsigned it is stored only while its payment is open at this provider', async () => {
    const unpaid = await world.order();
    const elsewhere = await world.submitted();
    await database.db.updateTable('payments').set({ gateway: 'card' }).where('id', '=', elsewhere).execute();
    const done = await world.submitted();
    world.gateway.answers.enquire = () => paid;
    await callback({ id: done, key: 'genuine' });
    world.gateway.answers.enquire = () => ({ kind: 'pending' });
    const enquiries = world.gateway.calls.enquire.length;
    for (const id of [unpaid, elsewhere, done]) await callback({ id, key: 'forged' });
    expect((await stored()).map(({ payment_id }) => payment_id)).toEqual([done]);
    expect(world.callbacks).toEqual(['signed', 'stray', 'stray', 'stray']);
    expect(world.gateway.calls.enquire).toHaveLength(enquiries);
  });

  test('SEC-17 unsigned it is stored after a failure while late money is looked for, and not after that', async () => {
    const id = await world.submitted();
    world.gateway.answers.enquire = () => expired;
    await callback({ id, extra: 1 });
    world.advance(60);
    await callback({ id, extra: 2 });
    expect(await world.stateOf(id)).toBe('FAILED');
    await database.db.updateTable('payments').set({ due_at: null }).where('id', '=', id).execute();
    world.advance(60);
    await callback({ id, extra: 3 });
    expect(world.callbacks).toEqual(['unsigned', 'unsigned', 'stray']);
    expect(world.gateway.calls.enquire).toHaveLength(2);
  });

  test('SEC-17 five unsigned ones are stored for a payment, even if many are concurrent; the next still triggers an enquiry', async () => {
    const id = await world.submitted();
    const send = (extra: number | string) =>
      world.payments.receiveCallback({
        provider: 'wallet',
        path: '',
        body: Buffer.from(JSON.stringify({ id, extra })),
        headers: {},
      });
    await Promise.all(Array.from({ length: 30 }, (_, extra) => send(extra)));
    await world.payments.drain();
    expect(await stored()).toHaveLength(5);
    world.advance(3);
    const enquiries = world.gateway.calls.enquire.length;
    await send('later');
    await callback({ id, key: 'genuine' });
    expect(world.gateway.calls.enquire).toHaveLength(enquiries + 1);
    expect((await stored()).map(({ verdict }) => verdict).sort()).toEqual(
      [...Array(5).fill('unsigned'), 'signed'].sort(),
    );
  });

  test('SEC-17 unsigned and repeated it counts as that, also when no more are stored', async () => {
    const id = await world.submitted();
    for (const extra of [1, 2, 3, 4, 5, 6, 1]) await callback({ id, extra });
    expect(world.callbacks).toEqual([...Array(5).fill('unsigned'), 'surplus', 'repeated']);
  });

  test.each(['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN'] as const)(
    'SEC-17 unsigned it is stored in %s',
    async (state) => {
      const id = await world.submitted();
      await database.db.updateTable('payments').set({ state }).where('id', '=', id).execute();
      await callback({ id });
      expect(world.callbacks).toEqual(['unsigned']);
    },
  );

  test('SEC-17 unsigned ones of all payments are stored up to a limit an hour', async () => {
    const id = await world.submitted();
    const row = {
      provider: 'wallet',
      verdict: 'unsigned',
      headers: '{}',
      body: Buffer.alloc(0),
      received_at: world.now(),
    };
    await database.db
      .insertInto('callbacks')
      .values(
        Array.from({ length: 600 }, (_, index) =>
          sealRow(database.db, 'callbacks', { ...row, digest: `d${index}`, payment_id: `p${index}` }),
        ),
      )
      .execute();
    await callback({ id, extra: 1 });
    world.advance(3_601);
    await callback({ id, extra: 2 });
    expect(world.callbacks).toEqual(['surplus', 'unsigned']);
  });

  test('SEC-17 signed it is stored whatever it names', async () => {
    await callback({ id: newPaymentId(), key: 'genuine' });
    await callback({ key: 'genuine' });
    expect(world.callbacks).toEqual(['signed', 'signed']);
    expect(await stored()).toHaveLength(2);
  });

  test('SEC-17 only listed headers are stored, truncated; never keys and addresses', async () => {
    const signature = 'a1'.repeat(64);
    await callback(
      { key: 'genuine' },
      {
        'content-type': 'application/json',
        'user-agent': 'x'.repeat(5_000),
        date: 'Mon, 02 Mar 2026 08:00:00 GMT',
        'x-paystack-signature': signature,
        'verif-hash': 'a key',
        authorization: 'Bearer x',
        cookie: 'visit=x',
        'x-forwarded-for': '203.0.113.9',
        'x-real-ip': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        'x-anything': 'x',
        'set-cookie': ['a', 'b'],
      },
    );
    const [row] = await stored();
    expect(row?.headers).toEqual({
      'content-type': 'application/json',
      'user-agent': 'x'.repeat(120),
      date: 'Mon, 02 Mar 2026 08:00:00 GMT',
      'x-paystack-signature': signature,
    });
  });
});

/** Records the tables that queries read or write. */
function noteTables(names: string[]): KyselyPlugin {
  return {
    transformQuery({ node }) {
      names.push(...[...JSON.stringify(node).matchAll(/"TableNode".*?"name":"(\w+)"/g)].map(([, name = '']) => name));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
}
