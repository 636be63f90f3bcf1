import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RiskRules, standardRiskRules } from '@portal/domain/risk.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HostedVisitor } from '../../../sandbox/src/hosted/hosted-visitor.fixture.ts';
import { type AttackWorld, attackWorld, rechargeOf, type Sender, sealPin } from '../attack/attack-world.fixture.ts';
import { isDay, runCommand } from '../payments/payments.commands.ts';
import { runRiskCommand } from './risk.commands.ts';

const day = 86_400;
/** Limits low enough for a test to reach. */
const risk: Partial<RiskRules> = {
  payerPayments: { seconds: day, ask: 2, hold: 4 },
  recipientPayers: { seconds: day, ask: 2, hold: 3 },
  devicePayers: { seconds: day, ask: 2, hold: 3 },
  newNumber: { youngerThanHours: 72, seconds: day, ask: 10_000, hold: 30_000 },
};
const swapped = '390000015';

let world: AttackWorld;
let pinWorld: AttackWorld;
beforeAll(async () => {
  world = await attackWorld({ rateLimitScale: 1 }, {}, { risk, budgets: wide });
  pinWorld = await attackWorld({ walletPinMode: true }, {}, { risk, budgets: wide });
});
afterAll(async () => {
  await world.stop();
  await pinWorld.stop();
});
beforeEach(async () => {
  await world.phone.clearFaults();
  // Truncate, because deleting row by row can deadlock with the portal settling its counts.
  await sql`truncate rate_limits`.execute(world.db);
});

/** High limits, since codes and prompts are not what is tested here. */
const many = { most: 100_000, seconds: 60 };
const wide = { codeNumberSoon: many, codeNumberDay: many, promptPayer: many };

let lines = 600;
/** A line that no other test uses. */
const freshLine = () => `390000${++lines}`;
const key = () => ({ 'idempotency-key': randomUUID() });
const order = rechargeOf;

type Made = { id: string; answer: Awaited<ReturnType<AttackWorld['call']>>; from: Sender; payer: string };

async function push(payer: string, more: object = {}, from: Sender = { visit: randomUUID().slice(0, 20) }) {
  const initiated = await world.call('initiate', order('FANILO_MONEY', payer, more), {
    ...from,
    headers: key(),
  });
  expect(initiated.http, initiated.text).toBe(200);
  const id: string = initiated.result.transactionId;
  return { id, answer: await world.call('process', { transactionId: id }, from), from, payer } satisfies Made;
}

async function byAirtime(payer: string, from: Sender = { visit: randomUUID().slice(0, 20) }): Promise<Made> {
  const payment = order('AIRTIME', payer);
  const asked = { data: { msisdn: `0${payer}`, paymentMode: 'AIRTIME', payment } };
  const sent = await world.sentCode('sendCode', asked, payer, from);
  const { uniqueCode } = (await world.call('verifyCode', { data: sent }, from)).result;
  const initiated = await world.call('initiate', { ...payment, uniqueCode }, { ...from, headers: key() });
  expect(initiated.http, initiated.text).toBe(200);
  const id: string = initiated.result.transactionId;
  return { id, answer: await world.call('process', { transactionId: id }, from), from, payer };
}

/** A fresh code for the order, entered in the browser that ordered. */
async function freshCode({ id, payer, from }: Made): Promise<string> {
  const sent = await world.sentCode('sendCode', { data: { msisdn: `0${payer}`, transactionId: id } }, payer, from);
  return (await world.call('verifyCode', { data: sent }, from)).result.uniqueCode;
}

const decisionsOf = async (id: string, of = world) =>
  (await of.running.portal.risk.decisionsOf(id)).map(({ decision, rule }) => [decision, rule]);
const rowOf = (id: string, of = world) =>
  of.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const booksOf = async (id: string, of = world) =>
  JSON.stringify(await of.phone.books()).includes(id) ? 'money moved' : 'nothing moved';
const statusOf = async (tid: string, lang = 'en', of = world) =>
  (await of.call('transactionStatus', { tid }, { visit: 'somebody', headers: { lang } })).result;
async function ended(id: string, status: string, of = world) {
  const look = async () => {
    await of.running.portal.payments.sweep(500);
    return (await statusOf(id, 'en', of)).status;
  };
  await expect.poll(look, { interval: 100 }).toBe(status);
}
const settle = async (...words: string[]) => {
  const printed: string[] = [];
  const desk = { ...world.running.portal };
  return { code: await runCommand(['review', 'settle', ...words], desk, (line) => void printed.push(line)), printed };
};

describe('SEC-28 a payment that no rule stops', () => {
  test('is allowed, and its history says so', async () => {
    const { id, answer } = await push(freshLine());
    expect(answer.http, answer.text).toBe(200);
    expect(await decisionsOf(id)).toEqual([['allow', null]]);
    await ended(id, 'SUCCESS');
    const facts = await world.db
      .selectFrom('payment_decisions')
      .select('facts')
      .where('payment_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(facts.facts).toEqual({
      payerPayments: 1,
      payerAmount: 1_000,
      recipientPayers: 1,
      recipientAmount: 1_000,
      devicePayers: 1,
      cardPayments: 0,
      cardsUsed: 0,
      newNumber: 1_000,
      lineHours: expect.any(Number),
      simSwap: 'notAsked',
    });
  });

  test('by airtime is allowed once the SIM-swap check says that the SIM is unchanged', async () => {
    const { id, answer } = await byAirtime(freshLine());
    expect(answer.http, answer.text).toBe(200);
    expect(await decisionsOf(id)).toEqual([['allow', null]]);
    await ended(id, 'SUCCESS');
  });
});

describe('SEC-28 a payer with more payments than the rule allows', () => {
  let asked: Made;
  const payer = freshLine();
  test('is asked for a fresh code before any provider is called, however often the order is sent', async () => {
    for (const recipient of [freshLine(), freshLine()])
      expect((await push(payer, { mobileNumber: `0${recipient}` })).answer.http).toBe(200);
    asked = await push(payer, { mobileNumber: `0${freshLine()}` });
    expect(asked.answer).toMatchObject({ http: 401, code: 'CODE_NEEDED' });
    expect(asked.answer.text).toContain('This payment needs a fresh code from the paying phone.');
    expect((await world.call('process', { transactionId: asked.id }, asked.from)).code).toBe('CODE_NEEDED');
    expect(await decisionsOf(asked.id)).toEqual([['ask', 'payerPayments']]);
    expect((await rowOf(asked.id)).state).toBe('CREATED');
    expect(await booksOf(asked.id)).toBe('nothing moved');
  });

  test('pays with the code that was sent for this order, whose SMS names amount and payee', async () => {
    const uniqueCode = await freshCode(asked);
    // Messages about earlier payments may arrive in between.
    const texts = (await world.phone.messages(payer)).map(({ text }) => text);
    expect(texts).toContainEqual(expect.stringMatching(/is the code to pay MGA.1,000 for 39 00 006 \d\d/));
    const answer = await world.call('process', { transactionId: asked.id, uniqueCode }, asked.from);
    expect(answer.http, answer.text).toBe(200);
    expect(await decisionsOf(asked.id)).toEqual([
      ['ask', 'payerPayments'],
      ['answered', 'payerPayments'],
    ]);
    await ended(asked.id, 'SUCCESS');
  });

  test('is held above the next limit, with or without a code', async () => {
    const fourth = await push(payer, { mobileNumber: `0${freshLine()}` });
    const answer = await world.call(
      'process',
      { transactionId: fourth.id, uniqueCode: await freshCode(fourth) },
      fourth.from,
    );
    expect(answer.http, answer.text).toBe(200);
    const held = await push(payer, { mobileNumber: `0${freshLine()}` });
    expect(held.answer.result).toMatchObject({ status: 'REQUEST_RAISED', next: 'done' });
    expect(await decisionsOf(held.id)).toEqual([['hold', 'payerPayments']]);
    expect(await booksOf(held.id)).toBe('nothing moved');
    expect((await rowOf(held.id)).submitted_at).toBeNull();
  });
});

describe('SEC-28 the rules by recipient, browser and age of the number', () => {
  test('a line with several payers: a code is asked for, then payments are held', async () => {
    const recipient = { mobileNumber: `0${freshLine()}` };
    for (const _ of [1, 2]) await ended((await push(freshLine(), recipient)).id, 'SUCCESS');
    const third = await push(freshLine(), recipient);
    expect(await decisionsOf(third.id)).toEqual([['ask', 'recipientPayers']]);
    const uniqueCode = await freshCode(third);
    expect((await world.call('process', { transactionId: third.id, uniqueCode }, third.from)).http).toBe(200);
    await ended(third.id, 'SUCCESS');
    expect(await decisionsOf((await push(freshLine(), recipient)).id)).toEqual([['hold', 'recipientPayers']]);
  });

  test('a browser that pays from several numbers: a code is asked for, then payments are held', async () => {
    const from = { visit: 'many-payers' };
    for (const _ of [1, 2]) expect((await push(freshLine(), {}, from)).answer.http).toBe(200);
    const third = await push(freshLine(), {}, from);
    expect(await decisionsOf(third.id)).toEqual([['ask', 'devicePayers']]);
    const uniqueCode = await freshCode(third);
    expect((await world.call('process', { transactionId: third.id, uniqueCode }, from)).http).toBe(200);
    expect(await decisionsOf((await push(freshLine(), {}, from)).id)).toEqual([['hold', 'devicePayers']]);
  });

  test('much money to a line activated yesterday: a code is asked for, then payments are held; to an older line neither', async () => {
    const [young, old] = [freshLine(), freshLine()];
    const sims = { number: young, activeForHours: 24 };
    const answer = await fetch(`${world.sandbox}/sandbox/sim`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sims),
    });
    expect(answer.status).toBe(204);
    const made = (line: string, amount: number) => push(freshLine(), { mobileNumber: `0${line}`, amount });
    const paid = async (line: string, amount: number) => decisionsOf((await made(line, amount)).id);
    const first = await made(young, 10_000);
    expect(await decisionsOf(first.id)).toEqual([['allow', null]]);
    await ended(first.id, 'SUCCESS');
    expect(await paid(young, 500)).toEqual([['ask', 'newNumber']]);
    expect(await paid(young, 20_001)).toEqual([['hold', 'newNumber']]);
    expect(await paid(old, 30_001)).toEqual([['allow', null]]);
  });
});

describe('SEC-28 a SIM that was changed yesterday', () => {
  test('its airtime payment is held before money moves, and the customer reads it in three languages', async () => {
    const { id, answer } = await byAirtime(swapped);
    expect(answer.result).toMatchObject({ status: 'REQUEST_RAISED', next: 'done' });
    expect(await decisionsOf(id)).toEqual([['hold', 'simSwap']]);
    expect(await booksOf(id)).toBe('nothing moved');
    expect((await world.phone.line(swapped)).airtime).toBe(10_000);
    const status = await statusOf(id);
    expect(status).toMatchObject({ status: 'REQUEST_RAISED', moneyState: 'notTaken', final: false });
    expect(status.statusReason).toMatch(
      /^Nothing was taken\. This payment is looked at before it goes on\. A person is looking at it, and decides by /,
    );
    const words = new Set([status.statusReason]);
    for (const lang of ['fr', 'mg']) words.add((await statusOf(id, lang)).statusReason);
    expect(words.size).toBe(3);
  });

  test('its payment by PIN is held, and the PIN is sent to no wallet', async () => {
    const payment = order('FANILO_MONEY', swapped);
    const data = { msisdn: `0${swapped}`, paymentMode: 'FANILO_MONEY', payment };
    const sent = await pinWorld.sentCode('sendCode', { data }, swapped);
    const { tokenType, accessToken } = (
      await pinWorld.call('verifyUser', { data: { ...sent, username: `0${swapped}`, paymentMode: 'FANILO_MONEY' } })
    ).result;
    const headers = { authorization: `${tokenType} ${accessToken}` };
    const initiated = await pinWorld.call('authInitiate', payment, { headers: { ...key(), ...headers } });
    const { transactionId: id, encryptionKeyDetails } = initiated.result;
    const answer = await pinWorld.call(
      'authProcess',
      { transactionId: id, ...sealPin('1234', id, encryptionKeyDetails) },
      { headers },
    );
    expect(answer.result).toMatchObject({ status: 'REQUEST_RAISED', next: 'done' });
    expect(await decisionsOf(id, pinWorld)).toEqual([['hold', 'simSwap']]);
    expect(await booksOf(id, pinWorld)).toBe('nothing moved');
    // A released payment has to be paid again, since the PIN was not stored.
    await pinWorld.running.portal.payments.decide(id, { as: 'letGoOn', by: 'Lova', note: 'called back' });
    await ended(id, 'FAILED', pinWorld);
    expect(await rowOf(id, pinWorld)).toMatchObject({ state: 'FAILED', reason: 'payAgain', submitted_at: null });
    const again = await pinWorld.call('authInitiate', payment, { headers: { ...key(), ...headers } });
    const { transactionId: second, encryptionKeyDetails: keys } = again.result;
    const pin = sealPin('1234', second, keys);
    await pinWorld.call('authProcess', { transactionId: second, ...pin }, { headers });
    expect(await decisionsOf(second, pinWorld)).toEqual([['allow', 'letGoOn']]);
    await ended(second, 'SUCCESS', pinWorld);
    // Only once: the next payment is held like the first.
    const next = await pinWorld.sentCode('sendCode', { data }, swapped);
    const verified = await pinWorld.call('verifyUser', {
      data: { ...next, username: `0${swapped}`, paymentMode: 'FANILO_MONEY' },
    });
    const fresh = { authorization: `${verified.result.tokenType} ${verified.result.accessToken}` };
    const third = (await pinWorld.call('authInitiate', payment, { headers: { ...key(), ...fresh } })).result;
    const thirdPin = sealPin('1234', third.transactionId, third.encryptionKeyDetails);
    await pinWorld.call('authProcess', { transactionId: third.transactionId, ...thirdPin }, { headers: fresh });
    expect(await decisionsOf(third.transactionId, pinWorld)).toEqual([['hold', 'simSwap']]);
  });

  test('a PIN is sent again with the fresh code: the order and its attempts are the same, the PIN is encrypted anew', async () => {
    const payer = freshLine();
    const payment = order('FANILO_MONEY', payer);
    const data = { msisdn: `0${payer}`, paymentMode: 'FANILO_MONEY', payment };
    const sent = await pinWorld.sentCode('sendCode', { data }, payer);
    const { tokenType, accessToken } = (
      await pinWorld.call('verifyUser', { data: { ...sent, username: `0${payer}`, paymentMode: 'FANILO_MONEY' } })
    ).result;
    const headers = { authorization: `${tokenType} ${accessToken}`, ...key() };
    await pinWorld.phone.fault({ provider: 'simSwap', operation: 'check', fault: 'error500' });
    const register = async () => (await pinWorld.call('authInitiate', payment, { headers })).result;
    const { transactionId: id, encryptionKeyDetails } = await register();
    const pin = sealPin('1234', id, encryptionKeyDetails);
    expect((await pinWorld.call('authProcess', { transactionId: id, ...pin }, { headers })).code).toBe('CODE_NEEDED');
    const asked = { data: { msisdn: `0${payer}`, transactionId: id } };
    const fresh = await pinWorld.sentCode('sendCode', asked, payer);
    const { uniqueCode } = (await pinWorld.call('verifyCode', { data: fresh })).result;
    const again = await register();
    expect(again.transactionId).toBe(id);
    const second = sealPin('1234', id, again.encryptionKeyDetails);
    const answer = await pinWorld.call('authProcess', { transactionId: id, ...second, uniqueCode }, { headers });
    expect(answer.http, answer.text).toBe(200);
    expect(await decisionsOf(id, pinWorld)).toEqual([
      ['ask', 'simSwap'],
      ['answered', 'simSwap'],
    ]);
    await ended(id, 'SUCCESS', pinWorld);
    await pinWorld.phone.clearFaults();
  });

  test('its wallet may still prompt on the phone, since the wallet itself decides there', async () => {
    const { id } = await push(swapped);
    expect(await decisionsOf(id)).toEqual([['allow', null]]);
  });

  test.each(['error500', 'loseAnswer', 'unlistedCode'])(
    'a port that gives no answer (%s) asks for a fresh code, and the log says so without the number',
    async (fault) => {
      await world.phone.fault({ provider: 'simSwap', operation: 'check', fault });
      const line = freshLine();
      const made = await byAirtime(line);
      expect(made.answer.code).toBe('CODE_NEEDED');
      expect(await decisionsOf(made.id)).toEqual([['ask', 'simSwap']]);
      const logged = world.running.lines.filter((one) => one.includes('whether the SIM was swapped'));
      expect(logged.some((one) => one.includes(made.id))).toBe(true);
      expect(logged.join()).not.toContain(line);
      const uniqueCode = await freshCode(made);
      expect((await world.call('process', { transactionId: made.id, uniqueCode }, made.from)).http).toBe(200);
      await ended(made.id, 'SUCCESS');
    },
  );
});

describe('SEC-28 a person decides on a held payment', () => {
  test('releases it: the provider is called, and the history has the name', async () => {
    const { id } = await byAirtime(swapped);
    expect(await settle(id, 'delivered', 'Lova', 'why')).toMatchObject({ code: 1 });
    expect(await settle(id, 'givenBack', 'Lova', 'why')).toMatchObject({ code: 1 });
    expect(await settle(id, 'letGoOn', 'Lova', 'called the customer')).toEqual({
      code: 0,
      printed: [`${id} goes on.`],
    });
    await ended(id, 'SUCCESS');
    expect(await booksOf(id)).toBe('money moved');
    const printed: string[] = [];
    await runCommand(['review', 'show', id], world.running.portal, (line) => void printed.push(line));
    expect(printed.slice(3, 12).map((line) => line.slice(26))).toEqual([
      'create  CREATED  ',
      'decided  hold (simSwap)',
      'hold  REVIEW  ',
      'letGoOn  CREATED  by Lova: called the customer',
      'submit  SUBMITTING  ',
      'accept  AWAITING_PAYER  ',
      'pay  PAID  ',
      'fulfil  FULFILLING  ',
      'deliver  SUCCEEDED  ',
    ]);
  });

  test('refuses it: it fails without any call to a provider, and cannot be released afterwards', async () => {
    const { id } = await byAirtime(swapped);
    expect((await settle(id, 'notTaken', 'Lova', 'not the owner')).code).toBe(0);
    expect(await rowOf(id)).toMatchObject({ state: 'FAILED', reason: 'calledOff', submitted_at: null, due_at: null });
    expect(await statusOf(id)).toMatchObject({ status: 'FAILED', moneyState: 'notTaken', final: true });
    expect((await settle(id, 'letGoOn', 'Lova', 'after all')).code).toBe(1);
    await world.running.portal.payments.sweep(500);
    expect(await booksOf(id)).toBe('nothing moved');
  });

  test('a released payment from an earlier epoch becomes unknown instead of being sent', async () => {
    const { id } = await byAirtime(swapped);
    const another = sql<number>`epoch - 1`;
    await world.db.updateTable('payments').set({ epoch: another }).where('id', '=', id).execute();
    await settle(id, 'letGoOn', 'Lova', 'called the customer');
    await world.running.portal.payments.sweep(500);
    const { changes } = (await world.running.portal.payments.find(id)) ?? { changes: [] };
    expect(changes.map(({ event }) => event).slice(-2)).toEqual(['submit', 'lose']);
    expect(await booksOf(id)).toBe('nothing moved');
  });
});

describe('SEC-28 a day replayed with other rules', () => {
  test('prints the decisions that would differ, and changes nothing', async () => {
    const payer = freshLine();
    const paid = await push(payer);
    const folder = mkdtempSync(join(tmpdir(), 'rules-'));
    const file = join(folder, 'rules.json');
    const rules = { ...standardRiskRules(pack.limits), payerAmount: { seconds: day, ask: 999, hold: null } };
    writeFileSync(file, JSON.stringify({ payerAmount: rules.payerAmount }));
    const printed: string[] = [];
    const run = (...words: string[]) => {
      printed.length = 0;
      return runRiskCommand(words, world.running.portal.risk, { print: (line) => void printed.push(line), isDay });
    };
    const today = new Date().toISOString().slice(0, 10);
    const before = await decisionsOf(paid.id);
    expect(await run('replay', '--day', today, '--rules', file)).toBe(0);
    expect(printed).toContain(`${paid.id}  allow → ask (payerAmount)`);
    expect(printed.find((line) => line.startsWith(today))).toMatch(
      /: \d+ payments decided on, \d+ would be decided otherwise\.$/,
    );
    expect(await run('replay', '--rules', file, '--day', '2020-01-01')).toBe(0);
    expect(printed).toEqual(['2020-01-01: 0 payments decided on, 0 would be decided otherwise.']);
    writeFileSync(file, '{}');
    expect(await run('replay', '--day', today, '--rules', file)).toBe(0);
    expect(printed.filter((line) => line.startsWith(paid.id))).toEqual([]);
    writeFileSync(file, '{"payerAmounts":{}}');
    expect(await run('replay', '--day', today, '--rules', file)).toBe(1);
    expect(printed.join()).toContain('there is no rule "payerAmounts"');
    expect(await run('replay', '--day', today, '--rules', join(folder, 'none.json'))).toBe(1);
    expect(await run('replay', '--day', '2026-02-31', '--rules', file)).toBe(2);
    expect(await run('replay', '--day', today)).toBe(2);
    rmSync(folder, { recursive: true });
    expect(await decisionsOf(paid.id)).toEqual(before);
  });
});

describe('SEC-28 cards, by the fingerprint from their gateway', () => {
  const [first, second] = ['4111111111111111', '4000000000003220'];
  let shop: AttackWorld;
  beforeAll(async () => {
    const cards = {
      cardPayments: { seconds: day, ask: null, hold: 2 },
      cardsUsed: { seconds: day, ask: null, hold: 1 },
    };
    const place = { country: 'NG', countryCode: '234', currency: 'NGN', nationalPrefix: '0939' };
    shop = await attackWorld({ operator: 'ng' }, place, { risk: cards, budgets: wide });
  });
  afterAll(() => shop.stop());

  let serial = 600;
  async function byCard(card: string, who: { visit?: string; email?: string; to?: string } = {}) {
    serial += 1;
    const { visit = `visit-${serial}`, email = `mail-${serial}@example.ng`, to = `09390000${serial}` } = who;
    const body = order('PAYMENT_GATEWAY', '', { paymentGateway: 'PAYSTACK', currencyCode: 'NGN', mobileNumber: to });
    const bought = { ...body, paymentMobile: '', emailId: email };
    const initiated = await shop.call('initiate', bought, { visit, headers: key() });
    expect(initiated.http, initiated.text).toBe(200);
    const id: string = initiated.result.transactionId;
    const { result } = await shop.call('process', { transactionId: id }, { visit });
    if (!result.popup) return id;
    const page = await new HostedVisitor(`${shop.sandbox}/paystack/checkout/${result.popup.accessCode}`).open();
    await page.payWithCard(card);
    if (card === second) await page.fill({ code: '123456' });
    await shop.running.portal.payments.enquireSoon(id);
    await ended(id, 'SUCCESS', shop);
    return id;
  }

  test('the card that paid is stored only as a keyed hash', async () => {
    const id = await byCard(first);
    const { card } = await shop.db
      .selectFrom('payment_cards')
      .selectAll()
      .where('payment_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(card).toMatch(/^[\w-]{43}$/);
    expect(await decisionsOf(id, shop)).toEqual([['allow', null]]);
  });

  test('one that paid often: the next order of its browser is held, and that of its email in another browser', async () => {
    const email = 'buyer@example.ng';
    await shop.db.deleteFrom('payment_cards').execute();
    for (const visit of ['card-a', 'card-b']) await byCard(first, { visit, email });
    expect(await decisionsOf(await byCard(first, { visit: 'card-b' }), shop)).toEqual([['hold', 'cardPayments']]);
    expect(await decisionsOf(await byCard(first, { email: 'Buyer@example.ng' }), shop)).toEqual([
      ['hold', 'cardPayments'],
    ]);
    expect(await decisionsOf(await byCard(first), shop)).toEqual([['allow', null]]);
  });

  test('several for one recipient: the next order is held, from any browser', async () => {
    const to = '0939000799';
    await shop.db.deleteFrom('payment_cards').execute();
    await byCard(first, { to: `${to}1` });
    await byCard(second, { to: `${to}1` });
    expect(await decisionsOf(await byCard(first, { to: `${to}1` }), shop)).toEqual([['hold', 'cardsUsed']]);
  });
});

test('SEC-28 a payer who was asked is allowed again when the span is over', async () => {
  const payer = freshLine();
  for (const _ of [1, 2]) await push(payer, { mobileNumber: `0${freshLine()}` });
  const recipient = { mobileNumber: `0${freshLine()}` };
  expect(await decisionsOf((await push(payer, recipient)).id)).toEqual([['ask', 'payerPayments']]);
  world.advance(day + 1);
  expect(await decisionsOf((await push(payer, recipient)).id)).toEqual([['allow', null]]);
});
