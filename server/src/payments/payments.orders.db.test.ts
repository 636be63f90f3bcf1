import { beforeEach, describe, expect, test } from 'vitest';
import type { DeliveryOutcome, EnquiryOutcome, Started } from '../connectors/ports.ts';
import { database, live, paymentsTests, world } from '../testing/payments-tests.fixture.ts';
import { testQuote } from '../testing/payments-world.ts';
import { hanging } from '../testing/scripted-providers.ts';

const visit = 'v'.repeat(22);
const order = { orderDigest: 'one order', visit };
const hour = 3_600;

let paid: Set<string>;

paymentsTests();
beforeEach(async () => {
  paid = new Set();
  world.gateway.answers.enquire = ({ reference }: Started): EnquiryOutcome =>
    paid.has(reference)
      ? { kind: 'paid', providerReference: `money of ${reference}`, amount: 5_000, currency: 'XTS' }
      : { kind: 'pending' };
});

const claims = () => database.db.selectFrom('order_claims').select('payment_id').execute();
/** A payment in REVIEW whose provider now reports it as paid. */
async function stuckThoughPaid(): Promise<string> {
  const id = await world.submitted(order);
  world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'TA' });
  await live(75 * hour, hour);
  expect(await world.stateOf(id)).toBe('REVIEW');
  world.gateway.answers.enquire = ({ reference }: Started) => ({
    kind: 'paid',
    providerReference: `money of ${reference}`,
    amount: 5_000,
    currency: 'XTS',
  });
  await world.payments.ask(id);
  return id;
}

const deliveredTo = () => world.charging.calls.deliver.map(({ reference }) => reference);

describe('MNY-6 one order is one purchase', () => {
  test('money taken for an earlier attempt after another one was delivered is refunded automatically, and not delivered', async () => {
    const first = await world.submitted(order);
    const second = await world.submitted(order);
    paid.add(second);
    await live(60);
    expect(await world.stateOf(second)).toBe('SUCCEEDED');
    expect(await world.stateOf(first)).toBe('AWAITING_PAYER');

    paid.add(first);
    await live(hour);
    expect(await world.paymentOf(first)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });
    expect(world.gateway.calls.refund).toEqual([
      expect.objectContaining({ reference: first, amount: 5_000, currency: 'XTS' }),
    ]);
    expect(deliveredTo()).toEqual([second]);
    expect((await world.postingsOf(first)).sort()).toEqual(['paid', 'refunded']);
    expect(await world.noticesOf(first)).toEqual(['goingBack', 'givenBack']);
    expect(await world.stateOf(second)).toBe('SUCCEEDED');
  });

  test('both attempts paid concurrently, seen by two processes at once: one delivery, one refund', async () => {
    const ids = [await world.submitted(order), await world.submitted(order)];
    const other = world.anotherProcess();
    for (const id of ids) paid.add(id);
    world.advance(10);
    await Promise.all([world.sweep(), other.sweep(100)]);
    await live(hour);
    const states = await Promise.all(ids.map((id) => world.stateOf(id)));
    expect(states.sort()).toEqual(['REFUNDED', 'SUCCEEDED']);
    expect(deliveredTo()).toHaveLength(1);
    expect(world.gateway.calls.refund).toHaveLength(1);
    expect(deliveredTo()[0]).not.toBe(world.gateway.calls.refund[0]?.reference);
  });

  test('while the delivery of one is still open, the other is refunded without waiting for it', async () => {
    world.charging.answers.deliver = () => ({ kind: 'unclear', detail: 'time-out' });
    world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'time-out' });
    const first = await world.submitted(order);
    const second = await world.submitted(order);
    paid.add(first);
    await live(20);
    expect(await world.stateOf(first)).toBe('FULFIL_UNKNOWN');
    paid.add(second);
    await live(hour);
    expect(await world.stateOf(first)).toBe('FULFIL_UNKNOWN');
    expect(await world.paymentOf(second)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });
    expect(deliveredTo()).toEqual([first]);
  });

  test('a refused delivery releases the order to another attempt, which is delivered', async () => {
    world.charging.answers.deliver = () => ({ kind: 'refused', detail: 'the line is barred' });
    const first = await world.submitted(order);
    const second = await world.submitted(order);
    paid.add(first);
    await live(hour);
    expect(await world.paymentOf(first)).toMatchObject({ state: 'REFUNDED', reason: 'deliveryRefused' });
    expect(await claims()).toEqual([]);
    world.charging.answers.deliver = () => ({ kind: 'delivered', providerReference: 'top-up' });
    paid.add(second);
    await live(hour);
    expect(await world.stateOf(second)).toBe('SUCCEEDED');
    expect(await claims()).toEqual([{ payment_id: second }]);
  });

  test('after a crash during a delivery the order stays claimed for the process that continues', async () => {
    world.charging.answers.deliver = hanging<DeliveryOutcome>().answer;
    const first = await world.submitted(order);
    const second = await world.submitted(order);
    paid.add(first);
    world.advance(10);
    void world.sweep();
    await expect.poll(() => world.stateOf(first)).toBe('FULFILLING');
    expect(await claims()).toEqual([{ payment_id: first }]);

    const survivor = world.anotherProcess();
    world.charging.answers.deliver = () => ({ kind: 'delivered', providerReference: 'a second top-up' });
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'top-up' });
    paid.add(second);
    for (let passed = 0; passed < hour; passed += 30) {
      world.advance(30);
      await survivor.sweep(100);
    }
    expect(await world.stateOf(first)).toBe('SUCCEEDED');
    expect(await world.paymentOf(second)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });
    expect(deliveredTo()).toEqual([first]);
  });

  test('another attempt of a paid order is refused before money moves, and its own visit is told which payment paid it', async () => {
    const first = await world.submitted(order);
    const late = await world.order(order);
    const strangers = await world.order({ ...order, visit: 'w'.repeat(22) });
    paid.add(first);
    await live(20);
    const { payments } = world;
    for (const [id, extra] of [
      [late, { earlierTransactionId: first }],
      [strangers, {}],
    ] as const) {
      await expect(payments.process(id)).rejects.toEqual(expect.objectContaining({ kind: 'orderPaid', extra }));
      expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'paidAlready', submitted_at: null });
    }
    expect(world.gateway.calls.start).toHaveLength(1);
    const quote = testQuote;
    await expect(payments.refuseOrderPaid({ ...quote, ...order })).rejects.toMatchObject({
      kind: 'orderPaid',
      extra: { earlierTransactionId: first },
    });
    await expect(payments.refuseOrderPaid({ ...quote, ...order, orderDigest: 'another' })).resolves.toBeUndefined();
  });

  test('an earlier attempt that was not submitted expires when another one is processed; a stranger’s does not', async () => {
    const earlier = await world.order(order);
    const strangers = await world.order({ ...order, visit: 'w'.repeat(22) });
    world.advance(5);
    const chosen = await world.order(order);
    const later = await world.order({ ...order, orderDigest: 'another order' });
    await world.payments.process(chosen);
    expect(await world.paymentOf(earlier)).toMatchObject({ state: 'FAILED', reason: 'replaced', submitted_at: null });
    expect(await world.stateOf(strangers)).toBe('CREATED');
    expect(await world.stateOf(later)).toBe('CREATED');
    expect(world.gateway.calls.start.map(({ reference }) => reference)).toEqual([chosen]);
    const again = await world.payments.process(earlier);
    expect(again).toMatchObject({ already: true, payment: { state: 'FAILED' } });
  });

  test('payments without an order number are separate orders', async () => {
    const ids = [await world.submitted({ visit }), await world.submitted({ visit })];
    for (const id of ids) paid.add(id);
    await live(60);
    for (const id of ids) expect(await world.stateOf(id)).toBe('SUCCEEDED');
    expect(await claims()).toEqual([]);
  });

  test('a person cannot have an order delivered that another payment delivered, but can refund it', async () => {
    const stuck = await stuckThoughPaid();
    const other = await world.submitted(order);
    await live(60);
    expect(await world.stateOf(other)).toBe('SUCCEEDED');
    const decide = (as: 'deliver' | 'giveBack') => world.payments.decide(stuck, { as, by: 'Hanta', note: 'asked' });
    await expect(decide('deliver')).rejects.toThrow(/Another payment of the same order/);
    expect(await world.stateOf(stuck)).toBe('REVIEW');
    await decide('giveBack');
    await live(hour);
    expect(await world.stateOf(stuck)).toBe('REFUNDED');
    expect(deliveredTo()).toEqual([other]);
  });

  test('a delivery by a person’s decision claims the order: another attempt paid meanwhile is refunded', async () => {
    const stuck = await stuckThoughPaid();
    const other = await world.submitted(order);
    await world.payments.decide(stuck, { as: 'deliver', by: 'Hanta', note: 'the wallet shows it' });
    await live(2 * hour);
    expect(await world.stateOf(stuck)).toBe('SUCCEEDED');
    expect(await world.paymentOf(other)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });
    expect(deliveredTo()).toEqual([stuck]);
  });

  test('a payment held by risk rules and released after the order was paid does not ask the payer', async () => {
    const held = await world.order(order);
    await database.db
      .updateTable('payments')
      .set({ released_at: world.now(), due_at: world.now(), visit: 'w'.repeat(22) })
      .where('id', '=', held)
      .execute();
    const other = await world.order(order);
    await world.payments.process(other);
    paid.add(other);
    // Only the other payment is processed first.
    await world.payments.enquireSoon(other);
    await expect.poll(() => world.stateOf(other)).toBe('SUCCEEDED');
    await live(20);
    expect(await world.paymentOf(held)).toMatchObject({ state: 'FAILED', reason: 'paidAlready', submitted_at: null });
  });
});

describe('MNY-6 a purchase that somebody else paid meanwhile', () => {
  const invoice = {
    transactionType: 'POSTPAID_BILL',
    details: { item: { kind: 'bill' as const, accountNo: 'PA1', billNo: 'PA1-1' } },
  };

  test('is detected right before the payer is prompted: refused with a message, and nobody is prompted', async () => {
    world.billing.isSettled = async () => true;
    const id = await world.order(invoice);
    await expect(world.payments.process(id)).rejects.toMatchObject({ kind: 'orderPaid', refusal: 'paidMeanwhile' });
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'paidAlready', submitted_at: null });
    expect(world.gateway.calls.start).toEqual([]);
    expect(await world.noticesOf(id)).toEqual([]);
  });

  test('is detected for a payment that a person released, too', async () => {
    world.billing.isSettled = async () => true;
    const held = await world.order(invoice);
    const released = { released_at: world.now(), due_at: world.now() };
    await database.db.updateTable('payments').set(released).where('id', '=', held).execute();
    await live(20);
    expect(await world.paymentOf(held)).toMatchObject({ state: 'FAILED', reason: 'paidAlready', submitted_at: null });
    expect(world.gateway.calls.start).toEqual([]);
  });

  test('a timeout of the check does not keep anybody from paying', async () => {
    world.billing.isSettled = hanging<boolean>().answer;
    const id = await world.submitted(invoice);
    expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
    world.billing.isSettled = () => Promise.reject(new Error('broken'));
    expect(await world.stateOf(await world.submitted(invoice))).toBe('AWAITING_PAYER');
  });

  test('is the reason given when its delivery is refused, and the money is refunded', async () => {
    const id = await world.submitted(invoice);
    world.billing.answers.deliver = () => ({ kind: 'refused', detail: 'HTTP 422' });
    world.billing.isSettled = async () => true;
    paid.add(id);
    await live(hour);
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });

    const other = await world.order(invoice);
    world.billing.isSettled = async () => false;
    await world.payments.process(other);
    paid.add(other);
    await live(hour);
    expect(await world.paymentOf(other)).toMatchObject({ state: 'REFUNDED', reason: 'deliveryRefused' });
  });
});

describe('MNY-6 after a restore that lost the claim', () => {
  const isDelivered = (reference: string) => {
    world.charging.answers.findDelivery = (asked) =>
      asked.reference === reference ? { kind: 'delivered', providerReference: 'top-up' } : { kind: 'notFound' };
  };

  test('both paid, one delivered before the restore: its delivery is found, and the other is refunded', async () => {
    const before = [await world.submitted(order), await world.submitted(order)];
    const [first, second] = before as [string, string];
    for (const id of before) paid.add(id);
    await world.restore();
    isDelivered(second);
    await live(2 * hour, 30);
    expect(await world.stateOf(second)).toBe('SUCCEEDED');
    expect(await world.paymentOf(first)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });
    expect(deliveredTo()).toEqual([]);
  });

  test('a new attempt of an order delivered before the restore is not delivered: the older one is looked up first', async () => {
    const older = await world.submitted(order);
    await world.restore();
    isDelivered(older);
    world.gateway.answers.enquire = ({ reference }: Started) =>
      reference === older
        ? { kind: 'unclear', detail: 'HTTP 502' }
        : { kind: 'paid', providerReference: 'money', amount: 5_000, currency: 'XTS' };
    const newer = await world.submitted(order);
    await live(hour);
    expect(await world.paymentOf(newer)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });
    expect(deliveredTo()).toEqual([]);
  });

  test('one that was never delivered releases the order to the new attempt, after the lag of its system', async () => {
    await world.submitted(order);
    await world.restore();
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    const newer = await world.submitted(order);
    paid.add(newer);
    await live(300);
    expect(await world.stateOf(newer)).toBe('PAID');
    await live(hour);
    expect(await world.stateOf(newer)).toBe('SUCCEEDED');
    expect(deliveredTo()).toEqual([newer]);
  });
});

describe('REL-11 an attempt that a restore lost and that comes again when another one has paid its order', () => {
  async function comesAgain(): Promise<{ lost: string; other: string }> {
    await world.restore();
    const other = await world.submitted(order);
    const lost = await world.order(order);
    paid.add(other);
    await live(60);
    expect(await world.stateOf(other)).toBe('SUCCEEDED');
    await expect(world.payments.process(lost)).rejects.toMatchObject({ kind: 'orderPaid' });
    return { lost, other };
  }

  test('is asked about, and the money that was taken for it in the lost past goes back', async () => {
    world.gateway.answers.enquire = ({ reference }: Started): EnquiryOutcome => ({
      kind: 'paid',
      providerReference: `money of ${reference}`,
      amount: 5_000,
      currency: 'XTS',
    });
    await expect(world.payments.refuseOrderPaid({ ...testQuote, ...order })).resolves.toBeUndefined();
    const { lost, other } = await comesAgain();
    await live(hour);
    expect(await world.paymentOf(lost)).toMatchObject({ state: 'REFUNDED', reason: 'paidAlready' });
    expect(deliveredTo()).toEqual([other]);
    expect(world.gateway.calls.start.map(({ reference }) => reference)).toEqual([other]);
  });

  test('is not failed before its provider has not found it for a day', async () => {
    const { lost } = await comesAgain();
    world.gateway.answers.enquire = () => ({ kind: 'notFound' });
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    await live(20 * hour, hour);
    expect(await world.stateOf(lost)).toBe('UNKNOWN');
    await live(8 * hour, hour);
    expect(await world.paymentOf(lost)).toMatchObject({ state: 'FAILED', reason: 'neverArrived' });
  });

  test('is refused at once again a day after the restore', async () => {
    const other = await world.submitted(order);
    paid.add(other);
    await live(60);
    await world.restore();
    world.advance(25 * hour);
    const late = await world.order(order);
    await expect(world.payments.process(late)).rejects.toMatchObject({ kind: 'orderPaid' });
    expect(await world.paymentOf(late)).toMatchObject({ state: 'FAILED', reason: 'paidAlready', submitted_at: null });
    await expect(world.payments.refuseOrderPaid({ ...testQuote, ...order })).rejects.toMatchObject({
      kind: 'orderPaid',
    });
  });
});

test('MNY-7 a return from a gateway triggers an enquiry at once and is not believed; reloading the page triggers one at most every ten seconds', async () => {
  const id = await world.submitted(order);
  const asked = () => world.gateway.calls.enquire.length;
  world.gateway.answers.enquire = () => ({ kind: 'pending' });
  await world.payments.enquireSoon(id, 'returned');
  await world.payments.drain();
  expect(asked()).toBe(1);
  expect(await world.stateOf(id)).toBe('AWAITING_PAYER');
  for (let reloads = 0; reloads < 3; reloads += 1) {
    world.advance(3);
    await world.payments.enquireSoon(id, 'returned');
    await world.payments.drain();
  }
  expect(asked()).toBe(1);
  world.advance(2);
  world.gateway.answers.enquire = () => ({ kind: 'refused', reason: 'declined' });
  await world.payments.enquireSoon(id, 'returned');
  await world.payments.drain();
  expect(asked()).toBe(2);
  expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'declined' });
});
