import { beforeEach, describe, expect, test } from 'vitest';
import { createAudit } from '../../audit/audit.service.ts';
import { createMetrics } from '../../http/metrics.ts';
import { decisionsOf } from '../../risk/risk.store.ts';
import { database, paymentsTests, world } from '../../testing/payments-tests.fixture.ts';
import { ledgerBalances } from '../core/ledger.store.ts';
import { gaugeOpenPayments } from '../core/payments.gauges.ts';
import { runCommand } from '../payments.commands.ts';

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
    const decide = (as: 'delivered' | 'givenBack') => world.payments.decide(id, { as, ...settling });
    await expect(decide('delivered')).rejects.toThrow('it was not delivered');
    await expect(decide('givenBack')).rejects.toThrow('still has the money');
    expect(await world.stateOf(id)).toBe('REVIEW');
    world.charging.answers.findDelivery = () => ({ kind: 'delivered', providerReference: 'd-1' });
    await decide('delivered');
    expect(await world.stateOf(id)).toBe('SUCCEEDED');
  });

  test('is not settled without a name, without a reason, twice, or as delivered once it was shown as failed', async () => {
    const id = await inReview();
    await expect(world.payments.decide(id, { as: 'delivered', by: ' ', note: 'x' })).rejects.toThrow('A name');
    await expect(world.payments.decide(id, { as: 'delivered', by: 'Rina', note: '' })).rejects.toThrow('A name');
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
