import type { Decision } from '@portal/domain/payment/review-decisions.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createAudit } from '../../audit/audit.service.ts';
import type { DeliveryLookup, EnquiryOutcome, RefundLookup, Started } from '../../connectors/ports.ts';
import { createMetrics } from '../../http/metrics.ts';
import { RiskStop } from '../../risk/risk.service.ts';
import { decisionsOf } from '../../risk/risk.store.ts';
import { database, live, paymentsTests, processWith, world } from '../../testing/payments-tests.fixture.ts';
import { hanging } from '../../testing/scripted-providers.ts';
import { ledgerBalances } from '../core/ledger.store.ts';
import { gaugeOpenPayments } from '../core/payments.gauges.ts';
import { runCommand } from '../payments.commands.ts';
import type { Quote } from '../payments.service.ts';

paymentsTests();
beforeEach(async () => {
  await database.db.deleteFrom('reconciliations').execute();
});

const paid = (amount = 5_000) => ({ kind: 'paid', providerReference: 'money-1', amount, currency: 'XTS' }) as const;
const settling = { by: 'Rina', note: 'seen in the provider’s list' };

async function inReview(): Promise<string> {
  world.gateway.answers.enquire = () => paid(4_999);
  const id = await world.submitted();
  world.advance(10);
  await world.sweep();
  expect(await world.stateOf(id)).toBe('REVIEW');
  // From here on no system gives a clear response, so the person's statement is accepted.
  world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'silent' });
  world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'silent' });
  return id;
}

describe('a payment that waits for a person', () => {
  test('is in the metrics with its age until it is settled', async () => {
    const metrics = createMetrics();
    gaugeOpenPayments(metrics, database.db, () => world.now());
    const id = await inReview();
    world.advance(3_600);
    expect(await metrics.text()).toMatch(/^portal_open_payments\{state="REVIEW"\} 1$/m);
    expect(await metrics.text()).toMatch(/^portal_open_payments_oldest_seconds\{state="REVIEW"\} 36\d\d$/m);
    await world.payments.decide(id, { as: 'givenBack', ...settling });
    expect(await metrics.text()).not.toContain('state="REVIEW"');
  });

  test('is listed, and settled with a name and a reason that stay in its history', async () => {
    const id = await inReview();
    expect((await world.payments.listReview(10)).map((payment) => payment.id)).toEqual([id]);
    await world.payments.decide(id, { as: 'givenBack', ...settling });
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect(await world.payments.listReview(10)).toEqual([]);
    const last = await database.db
      .selectFrom('payment_history')
      .selectAll()
      .where('payment_id', '=', id)
      .orderBy('version', 'desc')
      .executeTakeFirst();
    expect(last).toMatchObject({ event: 'settleGivenBack', settled_by: 'Rina', note: settling.note });
    expect(await world.noticesOf(id)).toEqual(['lookedInto', 'givenBack']);
  });

  test.each([
    ['delivered', ['delivered', 'paid'], 4_999],
    ['givenBack', ['paid', 'refunded'], 0],
  ] as const)(
    'REL-12 settled as %s books what was taken, and leaves nothing in conflict',
    async (as, postings, kept) => {
      const id = await inReview();
      expect(await ledgerBalances(database.db)).toEqual([
        { account: 'customers:conflict', currency: 'XTS', balance: -4_999 },
        { account: 'provider:wallet', currency: 'XTS', balance: 4_999 },
      ]);
      await world.payments.decide(id, { as, ...settling });
      expect((await world.postingsOf(id)).sort()).toEqual(postings);
      const balances = new Map((await ledgerBalances(database.db)).map(({ account, balance }) => [account, balance]));
      expect(balances.get('customers:conflict')).toBe(0);
      expect(balances.get('provider:wallet')).toBe(kept);
    },
  );

  test('is not settled against what a system states: as delivered if its system has no delivery, as refunded if the provider has the money', async () => {
    const id = await inReview();
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    world.gateway.answers.enquire = () => paid(4_999);
    const decide = (as: Decision) => world.payments.decide(id, { as, ...settling });
    await expect(decide('delivered')).rejects.toThrow('it was not delivered');
    await expect(decide('deliver')).rejects.toThrow('Another amount');
    await expect(decide('givenBack')).rejects.toThrow('still has the money');
    expect(await world.stateOf(id)).toBe('REVIEW');
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'd-1' });
    await decide('delivered');
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });

  test('is not settled without a name, without a reason, twice, or as delivered once it was shown as failed', async () => {
    const id = await inReview();
    await expect(world.payments.decide(id, { as: 'delivered', by: ' ', note: 'x' })).rejects.toThrow('A name');
    await expect(world.payments.decide(id, { as: 'delivered', by: 'Rina', note: ' ' })).rejects.toThrow('A name');
    const both = await Promise.allSettled([
      world.payments.decide(id, { as: 'delivered', ...settling }),
      world.payments.decide(id, { as: 'givenBack', ...settling }),
    ]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);

    world.gateway.answers.start = () => ({ kind: 'refused', reason: 'declined' });
    const failed = await world.submitted({ msisdn: '0390000002' });
    world.gateway.answers.enquire = () => paid(1);
    world.advance(1_801);
    await world.sweep();
    expect(await world.stateOf(failed)).toBe('REVIEW');
    await expect(world.payments.decide(failed, { as: 'delivered', ...settling })).rejects.toThrow(
      'told that it failed',
    );
  });
});

/** A payment that the provider told nothing clear about for three days. */
async function silent(quote: Partial<Quote> = {}): Promise<string> {
  world.gateway.answers.enquire = () => ({ kind: 'unclear', detail: 'TA' });
  const id = await world.submitted(quote);
  world.advance(3 * 86_400);
  await world.sweep();
  expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent', attempts: 1 });
  return id;
}

/** A payment whose delivery was sent five seconds ago, and counts as looked up for three days. */
async function undelivered(how: { isUnsent?: true } = {}): Promise<string> {
  world.gateway.answers.enquire = () => paid(5_000);
  world.charging.answers.deliver = () => ({ kind: 'unclear', detail: 'time-out', ...how });
  world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'silent' });
  const id = await world.submitted();
  await live(10);
  const started = new Date(world.now().getTime() - 3 * 86_400_000);
  await database.db.updateTable('deliveries').set({ started_at: started }).execute();
  await live(5, 5);
  expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'retriesSpent' });
  world.charging.calls.findDelivery.length = 0;
  return id;
}

/** A payment that a rule left to a person before any provider was called. */
async function held(): Promise<string> {
  const id = await world.order();
  const risk = { before: async () => () => Promise.reject(new RiskStop('hold', async () => {})) };
  await processWith(() => ({ risk })).process(id);
  expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', reason: 'held', due_at: null });
  return id;
}

const decide = (id: string, as: Decision) => world.payments.decide(id, { as, ...settling });
const code = (refused: string) => expect.objectContaining({ code: refused });

describe('a refund that a person orders', () => {
  test('without a delivery needs no lookup, starts anew and is announced', async () => {
    const id = await silent();
    world.gateway.answers.enquire = () => paid(5_000);
    await world.payments.ask(id);
    await database.db.updateTable('payments').set({ attempts: 3, not_found_answers: 4 }).execute();
    expect(await decide(id, 'giveBack')).toMatchObject({ id, state: 'REFUND_DUE' });
    expect(world.charging.calls.findDelivery).toEqual([]);
    expect(await world.paymentOf(id)).toMatchObject({ attempts: 0, not_found_answers: 0, due_at: world.now() });
    expect(await world.noticesOf(id)).toEqual(['goingBack']);
  });

  test('after a delivery that was provably not sent needs no lookup either', async () => {
    const id = await undelivered({ isUnsent: true });
    await decide(id, 'giveBack');
    expect(world.charging.calls.findDelivery).toEqual([]);
    expect(await world.stateOf(id)).toBe('REFUND_DUE');
  });

  test.each([
    ['the usual lag', undefined, 600],
    ['the lag of its system', 60, 60],
  ])('REL-10 is refused while its delivery may still show up: %s', async (_, lag, seconds) => {
    const id = await undelivered();
    Object.assign(world.charging, { lag });
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    world.advance(seconds - 5 - 0.001);
    await expect(decide(id, 'giveBack')).rejects.toEqual(code('deliveryUnclear'));
    world.advance(0.001);
    world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'silent' });
    await expect(decide(id, 'giveBack')).rejects.toEqual(code('deliveryUnclear'));
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'd-1' });
    await expect(decide(id, 'giveBack')).rejects.toEqual(code('wasDelivered'));
    expect(await world.stateOf(id)).toBe('REVIEW');
    world.charging.answers.findDelivery = () => ({ kind: 'notFound' });
    expect(await decide(id, 'giveBack')).toMatchObject({ state: 'REFUND_DUE' });
    expect(world.charging.calls.findDelivery.map(({ reference }) => reference)).toEqual([id, id, id, id]);
  });
});

test('a delivery that a person orders starts anew, and gets three days', async () => {
  const id = await undelivered();
  await database.db.updateTable('payments').set({ attempts: 3, not_found_answers: 4 }).execute();
  expect(await decide(id, 'deliver')).toMatchObject({ state: 'FULFIL_UNKNOWN' });
  expect(await world.paymentOf(id)).toMatchObject({ attempts: 0, not_found_answers: 0, due_at: world.now() });
  await live(3 * 86_400 - 600, 3 * 86_400 - 600);
  expect(await world.stateOf(id)).toBe('FULFIL_UNKNOWN');
  await live(600, 600);
  expect(await world.stateOf(id)).toBe('REVIEW');
});

describe('a payment that was held before any provider was called', () => {
  test('goes on as the order it was', async () => {
    const id = await held();
    await decide(id, 'letGoOn');
    const now = world.now();
    expect(await world.paymentOf(id)).toMatchObject({ state: 'CREATED', reason: null, due_at: now, released_at: now });
  });

  test('or is called off, and nobody asks a provider about it', async () => {
    const id = await held();
    await decide(id, 'notTaken');
    expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'calledOff', due_at: null });
    expect(await world.noticesOf(id)).toEqual(['notTaken']);
  });
});

test('a payment that is settled as not taken is looked for as late money at once', async () => {
  const id = await silent();
  await decide(id, 'notTaken');
  expect(await world.paymentOf(id)).toMatchObject({ state: 'FAILED', reason: 'retriesSpent', due_at: world.now() });
});

describe('REL-12 (what a system states) settled as refunded', () => {
  test.each<[RefundLookup, boolean]>([
    [{ kind: 'notFound' }, false],
    [{ kind: 'refunded' }, true],
    [{ kind: 'unclear', detail: 'HTTP 500' }, true],
  ])('is decided by the provider’s list of refunds: %j', async (found, isAccepted) => {
    const id = await inReview();
    const asked: Started[] = [];
    world.gateway.answers.enquire = () => (isAccepted ? paid(4_999) : { kind: 'refused', reason: 'declined' });
    world.gateway.findRefund = async (one) => {
      asked.push(one);
      return found;
    };
    if (isAccepted) await decide(id, 'givenBack');
    else await expect(decide(id, 'givenBack')).rejects.toEqual(code('stillThere'));
    expect(asked).toMatchObject([{ reference: id, amount: 4_999 }]);
    expect(await world.stateOf(id)).toBe(isAccepted ? 'REFUNDED' : 'REVIEW');
  });

  test.each<[EnquiryOutcome, boolean]>([
    [{ kind: 'notFound' }, false],
    [paid(4_999), false],
    [{ kind: 'refused', reason: 'declined' }, true],
  ])('or by an enquiry, where there is no such list: %j', async (found, isAccepted) => {
    const id = await inReview();
    world.gateway.answers.enquire = () => found;
    if (isAccepted) await decide(id, 'givenBack');
    else await expect(decide(id, 'givenBack')).rejects.toEqual(code('stillThere'));
  });

  test('is believed of a provider that is no longer configured', async () => {
    const id = await inReview();
    world.gateway.answers.enquire = () => paid(4_999);
    world.gateways.clear();
    await decide(id, 'givenBack');
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });
});

describe('a decision', () => {
  test('and its audit row are stored together or not at all', async () => {
    const id = await inReview();
    const mistake = new Error('the audit is away');
    const deciding = { as: 'givenBack', ...settling } as const;
    await expect(world.payments.decide(id, { ...deciding, record: () => Promise.reject(mistake) })).rejects.toBe(
      mistake,
    );
    expect(await world.stateOf(id)).toBe('REVIEW');
    expect(await world.postingsOf(id)).toEqual(['paid']);
    const recorded: string[] = [];
    await world.payments.decide(id, { ...deciding, record: async (_, decided) => void recorded.push(decided.state) });
    expect(recorded).toEqual(['REFUNDED']);
  });

  test('is refused if somebody else decided while a system was asked', async () => {
    const id = await inReview();
    const lookup = hanging<DeliveryLookup>();
    world.charging.answers.findDelivery = lookup.answer;
    const first = decide(id, 'delivered');
    await expect.poll(() => world.charging.calls.findDelivery.length).toBe(1);
    await decide(id, 'givenBack');
    lookup.resolve({ kind: 'unclear', detail: 'silent' });
    await expect(first).rejects.toEqual(code('changedMeanwhile'));
    expect(await world.stateOf(id)).toBe('REFUNDED');
  });

  test.each([
    ['delivered', 'pays the order', 'orderPaid'],
    ['givenBack', 'leaves it to another attempt', null],
    ['notTaken', 'leaves it to another attempt', null],
  ] as const)('MNY-6 (settled by a person) that it is %s %s', async (as, _, refusal) => {
    const order = { orderDigest: 'one order', visit: 'v'.repeat(22) };
    const id = await silent(order);
    world.charging.answers.findDelivery = () => ({ kind: 'unclear', detail: 'silent' });
    const other = await world.order(order);
    await decide(id, as);
    const processed = await world.payments.process(other).catch(({ kind }) => kind);
    if (refusal) expect(processed).toBe(refusal);
    else expect(processed).toMatchObject({ payment: { state: 'AWAITING_PAYER' } });
  });
});

describe('an enquiry of a person', () => {
  const evidence = async (id: string) => (await world.payments.ask(id)).at(-1);

  test.each<[EnquiryOutcome, object, object]>([
    [paid(4_000), { amount: 4_000, currency: 'XTS', receipt: 'money-1', detail: null }, { taken_amount: 4_000 }],
    [
      { ...paid(), amount: null, currency: null },
      { amount: null, currency: null, receipt: 'money-1' },
      { taken_amount: 5_000, taken_currency: 'XTS', provider_reference: 'money-1' },
    ],
    [{ kind: 'unclear', detail: 'TIP' }, { amount: null, receipt: null, detail: 'TIP' }, { taken_amount: null }],
    [{ kind: 'pending' }, { amount: null, receipt: null, detail: null }, { taken_amount: null }],
  ])('is stored as evidence, and money that was taken in the books: %j', async (outcome, stored, payment) => {
    const id = await silent();
    world.gateway.answers.enquire = () => outcome;
    world.advance(60);
    expect(await evidence(id)).toMatchObject({ call: 'enquire', answer: outcome.kind, at: world.now(), ...stored });
    expect(await world.paymentOf(id)).toMatchObject({ state: 'REVIEW', last_enquiry_at: world.now(), ...payment });
    expect(await world.postingsOf(id)).toEqual(outcome.kind === 'paid' ? ['paid'] : []);
  });

  test('REL-12 (asked twice) does not change the amount that was booked', async () => {
    const id = await inReview();
    world.gateway.answers.enquire = () => paid(1);
    expect(await evidence(id)).toMatchObject({ amount: 1 });
    expect((await world.paymentOf(id)).taken_amount).toBe(4_999);
    expect(await world.postingsOf(id)).toEqual(['paid']);
  });

  test('is refused about a payment that does not wait, and without a connector', async () => {
    const open = await world.submitted();
    await expect(world.payments.ask(open)).rejects.toEqual(code('notWaiting'));
    const id = await inReview();
    world.gateways.clear();
    await expect(world.payments.ask(id)).rejects.toEqual(code('noConnector'));
  });

  test('that is answered after somebody settled the payment as not taken leaves the money to the search', async () => {
    const id = await silent();
    const enquiry = hanging<EnquiryOutcome>();
    world.gateway.answers.enquire = enquiry.answer;
    const asking = world.payments.ask(id);
    await expect.poll(() => world.gateway.calls.enquire.length).toBe(2);
    await decide(id, 'notTaken');
    enquiry.resolve(paid(5_000));
    await asking;
    expect(await world.postingsOf(id)).toEqual([]);
    world.gateway.answers.enquire = () => paid(5_000);
    await live(60);
    expect(world.failedSteps).toEqual([]);
    expect(await world.stateOf(id)).toBe('REFUNDED');
    expect((await world.postingsOf(id)).sort()).toEqual(['paid', 'refunded']);
  });
});

describe('the command', () => {
  const printed: string[] = [];
  let unanswered: string[] = [];
  const run = (...words: string[]) => {
    printed.length = 0;
    const reconcile = async (day: string) => ({
      day,
      taken: 1,
      delivered: 0,
      givenBack: 0,
      sides: [],
      differences: [{ what: 'bookedNotTaken' as const, gateway: 'wallet', reference: 'x1' }],
      unchecked: [],
      unanswered,
    });
    const risk = { decisionsOf: (id: string) => decisionsOf(database.db, id) };
    const audit = createAudit(database.db, () => world.now());
    return runCommand(words, { payments: world.payments, risk, reconcile, audit }, (line) => printed.push(line));
  };

  test('lists, shows and settles; explains what it refuses', async () => {
    expect(await run('review', 'list')).toBe(0);
    expect(printed).toEqual(['No payment waits for a person.']);
    const id = await inReview();
    await run('review', 'list');
    expect(printed.join()).toMatch(new RegExp(`^${id} .*amountConflict$`));
    expect(await run('review', 'settle', id, 'givenBack', 'Rina')).toBe(2);
    expect(await run('review', 'settle', id, 'elsewhere', 'Rina', 'why')).toBe(2);
    expect(await run('review', 'settle', id, 'givenBack', 'Rina', 'seen', 'in', 'the', 'list')).toBe(0);
    expect(await run('review', 'show', id)).toBe(0);
    expect(printed.some((line) => line.includes('by Rina: seen in the list'))).toBe(true);
    expect(printed.at(-1)).toContain('enquire  paid  XTS 4999  money-1');
    expect(await createAudit(database.db, () => world.now()).list(1)).toMatchObject([
      { act: 'payment.settled', person: 'Rina', roles: ['command'], subject_id: id, reason: 'seen in the list' },
    ]);
    expect(await run('review', 'settle', id, 'givenBack', 'Rina', 'again')).toBe(1);
    expect(printed).toEqual(['Not settled. It does not wait for a person.']);
    expect(await run('review', 'show', 'nobody')).toBe(1);
    expect(await run('review', 'nonsense')).toBe(2);
  });

  test('reconciles a day, and its exit status tells whether something is unexplained', async () => {
    expect(await run('reconcile', '2026-03-02')).toBe(1);
    expect(printed).toContain('bookedNotTaken  wallet  x1');
    expect(await run('reconcile', 'yesterday')).toBe(2);
    expect(await run('reconcile', '2026-02-31')).toBe(2);
    unanswered = ['wallet'];
    expect(await run('reconcile', '2026-03-02')).toBe(1);
    expect(printed).toContain('No answer about: wallet');
    expect(printed).not.toContain('Nothing unexplained.');
  });
});
