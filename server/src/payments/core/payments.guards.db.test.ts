import { budgetsOf } from '@portal/domain/budgets.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBudgets } from '../../budgets/budgets.service.ts';
import type { Database } from '../../db/database.ts';
import { testDatabase } from '../../testing/database.ts';
import { paymentGuards } from './payments.guards.ts';
import type { Payment } from './payments.store.ts';

let database: Database;
let time = Date.parse('2026-03-02T08:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('rate_limits').execute();
});

/** By default the payer is on another network and cannot be sent a code. */
function guards({ canBeAsked = () => false as boolean } = {}) {
  const now = () => new Date(time);
  const events = { refused: () => {} };
  const budgets = createBudgets(database.db, { secret: 'a secret', scale: 1, rules: budgetsOf({}), now, events });
  return paymentGuards({
    pins: {} as never,
    proofs: {} as never,
    budgets,
    limits: { giveBack: () => {} },
    risk: { paidBy: async () => {}, proveOrAsk: async () => false, canBeAsked },
    asksOnPhone: () => true,
  });
}

const request = (visit: string, network: string) =>
  ({
    id: 'id',
    gateway: 'mpesa',
    msisdn: '0390000002',
    payer_msisdn: '0340000203',
    payer_proof: null,
    proof_digest: null,
    invoice_number: null,
    asked_from: network,
    visit: visit.padEnd(22, 'x'),
    submitted_at: new Date(time),
  }) as unknown as Payment;

const asks = (visit: string, network: string) =>
  guards()
    .submitting(database.db, request(visit, network), { isProved: false })
    .then(
      () => 'asked',
      ({ kind }) => kind,
    );

test('SEC-19 SEC-16 one address can use two of the three requests an hour that strangers have for a number of another network', async () => {
  const answers = [];
  for (const network of ['one', 'one', 'one', 'two', 'three']) answers.push(await asks('stranger', network));
  expect(answers).toEqual(['asked', 'asked', 'payerBusy', 'asked', 'payerBusy']);
  time += 71 * 60_000;
  expect(await asks('stranger', 'one')).toBe('asked');
});

test('SEC-19 a payer who approved a payment can pay from that browser or address for a month, three times an hour', async () => {
  await asks('owner', 'home');
  await guards().paid(database.db, request('owner', 'home'));
  const strangers = async () => {
    for (const network of ['one', 'one', 'two', 'three']) await asks('stranger', network);
    expect(await asks('stranger', 'four')).toBe('payerBusy');
  };
  await strangers();
  expect(await asks('owner', 'elsewhere')).toBe('asked');
  const fromHome = [];
  for (let browser = 0; browser < 4; browser += 1) fromHome.push(await asks(`browser ${browser}`, 'home'));
  expect(fromHome).toEqual(['asked', 'asked', 'asked', 'payerBusy']);
  time += 20 * 86_400_000;
  await strangers();
  expect(await asks('owner', 'elsewhere')).toBe('asked');
  time += 20 * 86_400_000;
  await strangers();
  expect(await asks('owner', 'elsewhere')).toBe('payerBusy');
});

test('SEC-16 a browser that saw three wallets refuse without prompting the owner needs a code of the next owner', async () => {
  const asking = guards({ canBeAsked: () => true });
  const ofPayer = (payer: string) => ({ ...request('curious', 'one'), payer_msisdn: payer }) as unknown as Payment;
  const answers = [];
  for (const payer of ['0390000301', '0390000302', '0390000303', '0390000304']) {
    const payment = ofPayer(payer);
    answers.push(
      await asking.submitting(database.db, payment, { isProved: false }).then(
        () => 'asked',
        ({ kind }) => kind,
      ),
    );
    if (answers.at(-1) === 'asked') await asking.refused(database.db, payment, 'insufficientFunds');
  }
  expect(answers).toEqual(['asked', 'asked', 'asked', 'payerBusy']);
  const other = { ...request('somebody', 'two'), payer_msisdn: '0390000304' } as unknown as Payment;
  await expect(asking.submitting(database.db, other, { isProved: false })).resolves.toBeUndefined();
  // A payer who declined was prompted: that reveals nothing about the wallet.
  for (const payer of ['0390000305', '0390000306', '0390000307', '0390000308']) {
    const payment = { ...request('family', 'three'), payer_msisdn: payer } as unknown as Payment;
    await asking.submitting(database.db, payment, { isProved: false });
    await asking.refused(database.db, payment, 'declined');
  }
});
