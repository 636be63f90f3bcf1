import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../db/database.ts';
import { testDatabase } from '../../testing/database.ts';
import { emptyTables, type PaymentsWorld, paymentsWorld, prepareNotices } from '../../testing/payments-world.ts';
import { createGoodwill, type Goodwill, GoodwillRefused } from './payments.goodwill.ts';

let database: Database;
let world: PaymentsWorld;
let goodwill: Goodwill;
let proposals = 0;
beforeAll(async () => {
  database = await testDatabase();
  await prepareNotices(database.db);
  await sql`
    insert into console_people (id, subject, email, name, roles, added_at, seen_at)
    values ('care', 'care', 'care@console.example', 'Hanta', '{care}', now(), now()),
      ('finance', 'finance', 'finance@console.example', 'Rivo', '{finance}', now(), now())`.execute(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  await emptyTables(database.db);
  world = paymentsWorld(database);
  goodwill = createGoodwill(world.dependencies(), { most: null });
});

const delivered = { kind: 'delivered', providerReference: 'd1' } as const;

async function bought(): Promise<string> {
  const id = await world.submitted();
  world.gateway.answers.enquire = () => ({ kind: 'paid', providerReference: 'm1', amount: 5_000, currency: 'XTS' });
  world.charging.answers.deliver = () => delivered;
  world.advance(20);
  await world.sweep();
  expect(await world.stateOf(id)).toBe('SUCCEEDED');
  world.charging.calls.deliver.length = 0;
  return id;
}

/** Grants a credit as an approval does. */
async function granted(id: string, amount = 1_000): Promise<void> {
  const proposal = `proposal-${++proposals}`;
  await database.db.transaction().execute(async (transaction) => {
    await sql`
      insert into approvals (id, kind, subject_kind, subject_id, payload, reason, needs_two, proposed_by, proposed_at,
        expires_at, state, approved_by, decided_at)
      values (${proposal}, 'goodwill', 'payment', ${proposal}, '{}', 'late', true, 'care', now(), now() + interval '168 hours',
        'approved', 'finance', now())`.execute(transaction);
    await goodwill.grant(transaction, id, { approvalId: proposal, amount, currency: 'XTS' });
  });
}

const stateOf = async (id: string) => (await world.payments.find(id))?.goodwill?.state ?? null;
const credits = () =>
  world.charging.calls.deliver.map(({ amount, msisdn, reference }) => ({ amount, msisdn, reference }));
async function sweepAfter(seconds: number): Promise<void> {
  world.advance(seconds);
  await goodwill.sweep(10);
}

test('a goodwill credit goes to the line as airtime, once, with its own posting; the payment stays delivered', async () => {
  const id = await bought();
  const before = await world.eventsOf(id);
  await granted(id);
  // The intent is stored before the call.
  expect([await stateOf(id), credits()]).toEqual(['due', []]);
  let stored: string | null = '';
  world.charging.answers.deliver = async () => {
    stored = await stateOf(id);
    return delivered;
  };
  await goodwill.sweep(10);
  expect(stored).toBe('sending');
  expect(credits()).toEqual([{ amount: 1_000, msisdn: '0390000001', reference: expect.not.stringMatching(id) }]);
  expect(await stateOf(id)).toBe('given');
  expect(await world.postingsOf(id)).toEqual(['paid', 'delivered', 'goodwill']);
  expect((await world.noticesOf(id)).at(-1)).toBe('goodwill');
  expect([await world.stateOf(id), await world.eventsOf(id)]).toEqual(['SUCCEEDED', before]);
  await sweepAfter(86_400);
  expect(credits()).toHaveLength(1);
  await expect(granted(id)).rejects.toThrow(GoodwillRefused);
});

test('never more than was paid, nor than the operator allows, and only for what was delivered to a prepaid line', async () => {
  const id = await bought();
  await expect(granted(id, 5_001)).rejects.toThrow('goodwillTooMuch');
  const found = await world.payments.find(id);
  if (!found) throw new Error('it is gone');
  const { payment } = found;
  expect(goodwill.mostFor(payment)).toEqual({ amount: 5_000, currency: 'XTS' });
  const strict = createGoodwill(world.dependencies(), { most: 300 });
  expect(strict.mostFor(payment)).toEqual({ amount: 300, currency: 'XTS' });
  expect(createGoodwill(world.dependencies(), { most: 0 }).problemOf(found)).toBe('goodwillOff');
  for (const state of ['PAID', 'REVIEW', 'REFUNDED', 'FAILED'] as const)
    expect(goodwill.problemOf({ ...found, payment: { ...payment, state } })).toBe('notDeliveredYet');
  expect(goodwill.problemOf({ ...found, payment: { ...payment, msisdn: '' } })).toBe('noLine');
  const bill = { item: { kind: 'bill', accountNo: 'a', billNo: null } } as const;
  expect(goodwill.problemOf({ ...found, payment: { ...payment, details: bill } })).toBe('noLine');
});

describe('one that gets no answer', () => {
  const unclear = { kind: 'unclear', detail: 'timeout' } as const;

  test('is looked for, and sent again only after three looks and the lag; found late it is given once', async () => {
    const id = await bought();
    await granted(id);
    world.charging.answers.deliver = () => unclear;
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    await goodwill.sweep(10);
    expect(await stateOf(id)).toBe('unknown');
    for (let seconds = 0; seconds < 560; seconds += 40) await sweepAfter(40);
    expect(credits()).toHaveLength(1);
    world.charging.answers.findDelivery = () => delivered;
    await sweepAfter(600);
    expect([await stateOf(id), credits().length]).toEqual(['given', 1]);
    expect(await world.postingsOf(id)).toEqual(['paid', 'delivered', 'goodwill']);
  });

  test('and is never found is sent again under the same reference, and one that was refused then stays in doubt', async () => {
    const id = await bought();
    await granted(id);
    world.charging.answers.deliver = () => unclear;
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    await goodwill.sweep(10);
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'known already' });
    for (let looks = 0; looks < 10; looks += 1) await sweepAfter(200);
    expect(credits().length).toBeGreaterThan(1);
    expect(new Set(credits().map(({ reference }) => reference)).size).toBe(1);
    expect(await stateOf(id)).toBe('unknown');
    await sweepAfter(3 * 86_400);
    expect(await stateOf(id)).toBe('stuck');
    await sweepAfter(86_400);
    expect(await world.postingsOf(id)).toEqual(['paid', 'delivered']);
  });
});

test('REL-11 one that was proposed before a restore took the delivery back is not granted', async () => {
  const id = await bought();
  await database.db.updateTable('payments').set({ state: 'FULFIL_UNKNOWN' }).where('id', '=', id).execute();
  await expect(granted(id)).rejects.toMatchObject({ code: 'notDeliveredYet' });
  expect(await stateOf(id)).toBeNull();
});

test('one that was refused ends so, books nothing, and another one may be given', async () => {
  const id = await bought();
  await granted(id);
  world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'barred' });
  await goodwill.sweep(10);
  expect(await stateOf(id)).toBeNull();
  expect(await world.postingsOf(id)).toEqual(['paid', 'delivered']);
  world.charging.answers.deliver = () => delivered;
  await granted(id);
  await sweepAfter(1);
  const references = credits().map(({ reference }) => reference);
  expect([new Set(references).size, await stateOf(id)]).toEqual([2, 'given']);
});

test('of two workers one credits; one that was cut off is looked for, not sent again', async () => {
  const id = await bought();
  await granted(id);
  const other = createGoodwill(world.dependencies(), { most: null });
  await Promise.all([goodwill.sweep(10), other.sweep(10)]);
  expect(credits()).toHaveLength(1);

  const cut = await bought();
  await granted(cut);
  world.charging.answers.deliver = () => Promise.reject(new Error('the process died'));
  await goodwill.sweep(10);
  expect(await stateOf(cut)).toBe('sending');
  world.charging.answers.findDelivery = () => delivered;
  await sweepAfter(80);
  await sweepAfter(1);
  expect([await stateOf(cut), credits().length]).toEqual(['given', 1]);
});

test('after a restore that forgot it, the same credit is looked for before anything is sent', async () => {
  const id = await bought();
  await granted(id);
  await goodwill.sweep(10);
  const [first] = credits();
  await sql`delete from goodwill`.execute(database.db);
  await sql`alter table ledger_postings disable trigger user`.execute(database.db);
  await sql`delete from ledger_postings where kind = 'goodwill'`.execute(database.db);
  await sql`alter table ledger_postings enable trigger user`.execute(database.db);
  await world.restore();
  await granted(id);
  const asked: string[] = [];
  world.charging.answers.findDelivery = ({ reference }) => {
    asked.push(reference);
    return delivered;
  };
  await sweepAfter(1);
  expect([asked, credits().length, await stateOf(id)]).toEqual([[first?.reference], 1, 'given']);
});

describe('one that is stuck', () => {
  async function stuck(): Promise<string> {
    const id = await bought();
    await granted(id);
    world.charging.answers.deliver = () => ({ kind: 'unclear', detail: 'silent' });
    world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'silent' });
    await goodwill.sweep(10);
    await sweepAfter(4 * 86_400);
    expect(await stateOf(id)).toBe('stuck');
    return id;
  }

  test('is given, booked and told once where the charging system says so, however many ask', async () => {
    const id = await stuck();
    expect(await goodwill.askStuck(id)).toBe('unclear');
    world.charging.answers.findDelivery = () => delivered;
    const answers = await Promise.allSettled([goodwill.askStuck(id), goodwill.askStuck(id)]);
    expect(answers.some(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await stateOf(id)).toBe('given');
    expect(await world.postingsOf(id)).toEqual(['paid', 'delivered', 'goodwill']);
    await expect(goodwill.askStuck(id)).rejects.toThrow(GoodwillRefused);
  });

  test('ends as not given, once and without a posting, and another one has another reference', async () => {
    const id = await stuck();
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    expect(await goodwill.askStuck(id)).toBe('notFound');
    expect(await stateOf(id)).toBe('stuck');
    const end = () => database.db.transaction().execute((transaction) => goodwill.endStuck(transaction, id));
    await end();
    await expect(end()).rejects.toThrow(GoodwillRefused);
    expect([await stateOf(id), await world.postingsOf(id)]).toEqual([null, ['paid', 'delivered']]);
    const [before] = credits();
    world.charging.answers.deliver = () => delivered;
    await granted(id);
    await goodwill.sweep(10);
    expect(await stateOf(id)).toBe('given');
    expect(credits().at(-1)?.reference).not.toBe(before?.reference);
  });
});
