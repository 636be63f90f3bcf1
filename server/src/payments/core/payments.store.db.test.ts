import type { StoredPageWord } from '@portal/domain/payment/shown-status.ts';
import { type PaymentState, paymentStates } from '@portal/domain/payment/transitions.ts';
import { describe, expect, test } from 'vitest';
import { database, paymentsTests, world } from '../../testing/payments-tests.fixture.ts';
import * as store from './payments.store.ts';

const openStates = paymentStates.filter((state) => !['SUCCEEDED', 'FAILED', 'REFUNDED', 'REVIEW'].includes(state));

paymentsTests();

const set = (id: string, columns: Partial<Record<'state' | 'page_word' | 'due_at' | 'changed_at', unknown>>) =>
  database.db
    .updateTable('payments')
    .set(columns as { state?: PaymentState })
    .where('id', '=', id)
    .execute();

/** An order in each state. */
async function inEveryState(): Promise<Map<PaymentState, string>> {
  const ids = new Map<PaymentState, string>();
  for (const state of paymentStates) {
    const id = await world.order();
    await set(id, { state });
    ids.set(state, id);
  }
  return ids;
}

describe('how the browser came back from the gateway’s page', () => {
  test('is stored while the payer may be deciding', async () => {
    const stored: PaymentState[] = [];
    for (const [state, id] of await inEveryState()) {
      await world.payments.storePageWord(id, 'left');
      if ((await world.paymentOf(id)).page_word === 'left') stored.push(state);
    }
    expect(stored).toEqual(['SUBMITTING', 'AWAITING_PAYER', 'UNKNOWN']);
  });

  test.each<[StoredPageWord, StoredPageWord, StoredPageWord]>([
    ['left', 'declined', 'declined'],
    ['left', 'done', 'done'],
    ['done', 'left', 'done'],
    ['done', 'declined', 'done'],
  ])('after “%s” and “%s” is “%s”: who may have paid is not told otherwise', async (first, second, last) => {
    const id = await world.submitted();
    const other = await world.submitted();
    for (const word of [first, second]) await world.payments.storePageWord(id, word);
    expect((await world.paymentOf(id)).page_word).toBe(last);
    expect((await world.paymentOf(other)).page_word).toBeNull();
  });
});

test('a request for home broadband is under way while its payment may be delivered', async () => {
  const lead = { transactionType: 'HBB_LEADS', details: { item: { kind: 'order' as const, leadId: 'lead-1' } } };
  const id = await world.order(lead as never);
  const another = {
    ...lead,
    transactionType: 'PREPAID_RECHARGE',
    details: { item: { kind: 'order', leadId: 'lead-2' } },
  };
  await world.order(another as never);
  const underWay: PaymentState[] = [];
  for (const state of paymentStates) {
    await set(id, { state });
    if (await world.payments.isOrderUnderWay('lead-1')) underWay.push(state);
  }
  expect(underWay).toEqual([...openStates, 'REVIEW']);
  expect(await world.payments.isOrderUnderWay('lead-2')).toBe(false);
  expect(await world.payments.isOrderUnderWay('lead-3')).toBe(false);
});

test('payments that wait for a person are listed, oldest first, and not more than asked for', async () => {
  const [, second, first] = [await world.submitted(), await world.order(), await world.order()];
  await set(second, { state: 'REVIEW', changed_at: new Date(world.now().getTime() + 2) });
  await set(first, { state: 'REVIEW', changed_at: new Date(world.now().getTime() + 1) });
  const listed = async (most: number) => (await world.payments.listReview(most)).map(({ id }) => id);
  expect(await listed(9)).toEqual([first, second]);
  expect(await listed(1)).toEqual([first]);
});

test('open payments are counted, and after a restore those that were submitted are due', async () => {
  const later = new Date(Date.now() + 86_400_000);
  const ids = await inEveryState();
  for (const id of ids.values()) await set(id, { due_at: later });
  const silent = await world.submitted();
  await set(silent, { due_at: null });
  expect(await store.countOpen(database.db)).toBe(openStates.length + 1);
  await store.makeOpenDue(database.db);
  const due: PaymentState[] = [];
  for (const [state, id] of ids) if ((await world.paymentOf(id)).due_at?.getTime() !== later.getTime()) due.push(state);
  expect(due).toEqual(openStates.filter((state) => state !== 'CREATED'));
  expect((await world.paymentOf(silent)).due_at).toBeNull();
});

test('a payment is found by its short reference', async () => {
  const [id, other] = [await world.order(), await world.order()];
  expect(await world.payments.idOf((await world.paymentOf(id)).short_reference)).toBe(id);
  expect(await world.payments.idOf((await world.paymentOf(other)).short_reference)).toBe(other);
  expect(await world.payments.idOf('nobody')).toBeUndefined();
  expect(await world.payments.find('nobody')).toBeUndefined();
});

test('an enquiry that is asked for is made about what was submitted and may still be paid', async () => {
  const asked: PaymentState[] = [];
  for (const [state, id] of await inEveryState()) {
    const times = { now: world.now(), floor: world.now(), leaseUntil: new Date(world.now().getTime() + 75_000) };
    expect(await store.makeDue(database.db, id, times)).toBeUndefined();
    await database.db.updateTable('payments').set({ submitted_at: world.now() }).where('id', '=', id).execute();
    const leased = await store.makeDue(database.db, id, times);
    if (leased) asked.push(state);
    expect(leased?.due_at ?? times.leaseUntil).toEqual(times.leaseUntil);
    expect(leased?.last_enquiry_at ?? times.now).toEqual(times.now);
    expect(await store.makeDue(database.db, id, times)).toBeUndefined();
  }
  expect(asked).toEqual(['AWAITING_PAYER', 'UNKNOWN', 'FAILED']);
});

describe('evidence', () => {
  const said = {
    call: 'enquire',
    answer: 'paid',
    amount: 5_000,
    currency: 'XTS',
    receipt: 'r-1',
    detail: 'd-1',
  } as const;
  const storedAfter = async (id: string, ...all: Partial<store.Evidence>[]) => {
    const payment = await world.paymentOf(id);
    for (const one of all) await store.insertEvidence(database.db, payment, { ...said, ...one, at: world.now() });
    return (await world.payments.evidence(id)).filter(({ call }) => call !== 'start');
  };

  test('is stored again only if something in it differs from the last of the same call', async () => {
    const id = await world.submitted();
    expect(await storedAfter(id, {}, {}, { call: 'findRefund' }, {})).toMatchObject([
      said,
      { ...said, call: 'findRefund' },
    ]);
    const changes = [{ answer: 'pending' }, { amount: 1 }, { currency: 'XXX' }, { receipt: 'r-2' }, { detail: 'd-2' }];
    const stored = await storedAfter(id, ...changes.flatMap((change) => [change, {}]));
    expect(stored).toHaveLength(2 + 2 * changes.length);
  });

  test('names nobody, whatever the provider says', async () => {
    const id = await world.submitted({ msisdn: '0390000123' as never, payerMsisdn: '0390000124' as never });
    const [stored] = await storedAfter(id, { receipt: 'CI.0390000124.X', detail: 'to 0390000123, client@example.mg' });
    expect(JSON.stringify([stored?.receipt, stored?.detail])).not.toMatch(/390000123|390000124|client@/);
    expect(stored?.receipt).toMatch(/^CI\..*\.X$/);
  });
});
