import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { database, live, paymentsTests, processWith, world } from '../../testing/payments-tests.fixture.ts';
import { persons, testQuote } from '../../testing/payments-world.ts';
import type { Payments, Quote } from '../payments.service.ts';

const visit = 'v'.repeat(22);
const attempt = { key: 'a key', body: { amount: '5000' } };

paymentsTests();

const payments = () => database.db.selectFrom('payments').select('id').execute();
const initiate = (spendProof?: Parameters<Payments['initiate']>[2]) =>
  world.payments.initiate(testQuote, attempt, spendProof);

describe('an order', () => {
  test('is stored as it was quoted, and waits for half an hour for its payer', async () => {
    const quote: Quote = {
      ...testQuote,
      ...persons,
      gateway: 'wallet',
      paymentMode: 'A MODE',
      transactionType: 'POSTPAID_BILL',
      amount: 7_001,
      currency: 'XXX',
      proofDigest: 'a proof',
      productCode: 'P-1',
      description: 'a description',
      language: 'fr-MG',
      orderId: 'their order',
      orderDigest: 'one order',
    };
    const created: Quote[] = [];
    const { initiate: open } = processWith(({ events }) => ({
      events: { ...events, created: (one) => void created.push(one) },
    }));
    const { id, ...order } = await open(quote, attempt);
    expect(order).toEqual({ amount: 7_001, currency: 'XXX' });
    expect(await world.paymentOf(id)).toMatchObject({
      id,
      short_reference: expect.stringMatching(/^\w{12}$/),
      state: 'CREATED',
      version: 0,
      gateway: 'wallet',
      payment_mode: 'A MODE',
      transaction_type: 'POSTPAID_BILL',
      amount: 7_001,
      currency: 'XXX',
      msisdn: persons.msisdn,
      payer_msisdn: persons.payerMsisdn,
      payer_proof: 'code',
      proof_digest: 'a proof',
      email: persons.email,
      product_code: 'P-1',
      description: 'a description',
      account_id: persons.accountId,
      invoice_number: persons.invoiceNumber,
      language: 'fr-MG',
      visit: persons.visit,
      details: persons.details,
      order_id: 'their order',
      order_digest: 'one order',
      created_at: world.now(),
      changed_at: world.now(),
      due_at: new Date(world.now().getTime() + 1_800_000),
      submitted_at: null,
    });
    expect(created).toEqual([quote]);
    await open(quote, attempt);
    expect(created).toHaveLength(1);
  });

  test('has references that follow from key and body', async () => {
    const first = await initiate();
    const others = [
      { key: 'another key', body: attempt.body },
      { key: 'a third key', body: { amount: '5001' } },
    ];
    const ids = [first.id];
    for (const other of others) ids.push((await world.payments.initiate(testQuote, other)).id);
    expect(new Set(ids).size).toBe(3);
    await database.db.deleteFrom('idempotency_keys').execute();
    // Its key is gone after its retention period; the payment is not opened twice.
    expect(await initiate()).toEqual(first);
    expect(await payments()).toHaveLength(3);
  });

  test('REL-16 (its key) is found by its key and body; another body is refused, an unknown key is none', async () => {
    expect(await world.payments.findOrder(attempt)).toBeUndefined();
    const order = await initiate();
    expect(await world.payments.findOrder(attempt)).toEqual(order);
    const changed = { ...attempt, body: { amount: '5001' } };
    await expect(world.payments.findOrder(changed)).rejects.toMatchObject({ kind: 'keyReused' });
    await expect(world.payments.initiate(testQuote, changed)).rejects.toMatchObject({ kind: 'keyReused' });
    expect(await payments()).toEqual([{ id: order.id }]);
  });

  test('is stored with its proof spent, or not at all', async () => {
    const refused = new Error('the proof was spent');
    let spent = 0;
    const refuse = () => {
      spent += 1;
      return Promise.reject(refused);
    };
    await expect(initiate(refuse)).rejects.toBe(refused);
    expect(spent).toBe(1);
    expect(await payments()).toEqual([]);
    const spend = async () => {
      spent += 1;
    };
    const order = await initiate(spend);
    expect(await initiate(spend)).toEqual(order);
    expect(await payments()).toEqual([{ id: order.id }]);
    expect(spent).toBe(3);
  });
});

describe('a purchase that looks like an earlier one', () => {
  const bought: Partial<Quote> = { visit, productCode: 'P-1', invoiceNumber: 'INV-1' };
  const repeatOf = (quote: Partial<Quote> = {}, key = 'another key') =>
    world.payments.findRepeat({ ...testQuote, ...bought, ...quote }, key);
  const item = { kind: 'airtime' } as const;
  const rate = { from: 'XTS', to: 'XXX', value: '0.0004', at: '2026-03-02T08:00:00Z' };
  const inSecond = (price: number) => ({ item, conversion: { ...rate, price } });

  test('is the latest one that was sent and did not fail', async () => {
    expect(await repeatOf()).toBeNull();
    const first = await world.submitted(bought);
    expect(await repeatOf()).toBe(first);
    world.advance(1);
    const second = await world.submitted(bought);
    await world.order(bought);
    expect(await repeatOf()).toBe(second);
    world.gateway.answers.start = () => ({ kind: 'refused', reason: 'declined' });
    await world.submitted(bought);
    expect(await repeatOf()).toBe(second);
    for (const state of ['REFUNDED', 'FAILED']) {
      await database.db
        .updateTable('payments')
        .set({ state: state as 'FAILED' })
        .where('id', '=', second)
        .execute();
      expect(await repeatOf()).toBe(first);
    }
  });

  test('is one for ten minutes', async () => {
    const id = await world.submitted(bought);
    world.advance(599.999);
    expect(await repeatOf()).toBe(id);
    world.advance(0.001);
    expect(await repeatOf()).toBeNull();
  });

  test.each<[string, Partial<Quote>]>([
    ['browser', { visit: 'w'.repeat(22) }],
    ['number', { msisdn: '0390000002' as Quote['msisdn'] }],
    ['kind', { transactionType: 'POSTPAID_BILL' }],
    ['product', { productCode: 'P-2' }],
    ['product, which has none', { productCode: null }],
    ['invoice', { invoiceNumber: 'INV-2' }],
    ['amount', { amount: 5_001 }],
    ['price in the other currency', { details: inSecond(5_001) }],
  ])('is none with another %s', async (_, quote) => {
    await world.submitted(bought);
    expect(await repeatOf(quote)).toBeNull();
  });

  test('is one without a product or an invoice, in either currency', async () => {
    const none = { productCode: null, invoiceNumber: null };
    const id = await world.submitted({ ...bought, ...none, amount: 2, details: inSecond(5_000) });
    expect(await repeatOf({ ...none, amount: 3, details: inSecond(5_000) })).toBe(id);
    expect(await repeatOf(none)).toBe(id);
    expect(await repeatOf({ ...none, amount: 2 })).toBeNull();
  });

  test('is not another attempt of the same order, nor the same attempt, nor one of a whole network', async () => {
    const ordered = { ...bought, orderDigest: 'one order' };
    const { id } = await world.payments.initiate({ ...testQuote, ...ordered }, attempt);
    await world.payments.process(id);
    expect(await repeatOf({ orderDigest: 'another order' })).toBe(id);
    expect(await repeatOf({ orderDigest: null })).toBe(id);
    expect(await repeatOf({ orderDigest: 'one order' })).toBeNull();
    expect(await repeatOf({ orderDigest: 'another order' }, attempt.key)).toBeNull();
    const network = { ...bought, visit: 'network-of-many-people' };
    await world.submitted(network);
    expect(await repeatOf(network)).toBeNull();
  });
});

describe('MNY-6 an order that was paid', () => {
  const order = { orderDigest: 'one order', visit };
  const refused = (quote: Partial<Quote>) => world.payments.refuseOrderPaid({ ...testQuote, ...quote });

  test('is refused before another attempt is stored; the payment is named only to the browser that made it', async () => {
    world.gateway.answers.enquire = () => ({ kind: 'paid', providerReference: 'm', amount: 5_000, currency: 'XTS' });
    const id = await world.submitted(order);
    await expect(refused(order)).resolves.toBeUndefined();
    await live(10);
    for (const [asking, extra] of [
      [visit, { earlierTransactionId: id }],
      ['w'.repeat(22), {}],
      [null, {}],
    ] as const)
      await expect(refused({ ...order, visit: asking })).rejects.toEqual(
        expect.objectContaining({ kind: 'orderPaid', extra }),
      );
    await expect(refused({ visit })).resolves.toBeUndefined();
    await expect(refused({ visit, orderDigest: 'another' })).resolves.toBeUndefined();
  });

  test('from a network that many people share is named to nobody', async () => {
    const visits = { ...order, visit: 'network-of-many-people' };
    world.gateway.answers.enquire = () => ({ kind: 'paid', providerReference: 'm', amount: 5_000, currency: 'XTS' });
    await world.submitted(visits);
    await live(10);
    await expect(refused(visits)).rejects.toEqual(expect.objectContaining({ kind: 'orderPaid', extra: {} }));
  });
});

// Last, because the epoch that it begins remains.
test.each([
  ['alone', undefined],
  ['with a proof', async () => {}],
])('REL-11 (its first order) an order on a server without an epoch begins one: %s', async (_, spend) => {
  await sql`update epochs set server = 'another ' || server`.execute(database.db);
  const { id } = await initiate(spend);
  const { epoch } = await world.paymentOf(id);
  const begun = await world.dependencies().epochs.check();
  expect(epoch).toBe(begun.number);
  expect(begun.isRestored).toBe(true);
});
