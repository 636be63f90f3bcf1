import { randomUUID } from 'node:crypto';
import type { RiskRules } from '@portal/domain/risk.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackWorld, attackWorld, type Sender } from './attack-world.fixture.ts';

const day = 86_400;
const risk: Partial<RiskRules> = {
  payerPayments: { seconds: day, ask: 5, hold: 1_000 },
  payerAmount: { seconds: day, ask: 20_000, hold: 1_000_000 },
  recipientAmount: { seconds: day, ask: 20_000, hold: 1_000_000 },
  newNumber: { youngerThanHours: 72, seconds: day, ask: 5_000, hold: 1_000_000 },
};
const wide = { most: 1_000_000, seconds: 60 };
const budgets = {
  codeNumberSoon: wide,
  codeNumberDay: wide,
  promptPayer: wide,
  promptRecipient: wide,
  codeBlock: wide,
};

/** The rules are on; the attacker has a line of his own and knows every rule. */
let world: AttackWorld;
beforeAll(async () => {
  world = await attackWorld({ rateLimitScale: 1 }, {}, { risk, budgets });
});
afterAll(() => world.stop());

let lines = 390_010_000;
const freshLine = () => String(++lines);
let networks = 0;
/** Another browser on another network each time, as through a list of proxies. */
const elsewhere = (): Sender => {
  networks += 1;
  return { visit: `visit${networks}`, ip: `203.0.${networks % 250}.${(networks % 200) + 1}` };
};
const key = () => ({ 'idempotency-key': randomUUID() });
const order = (payer: string, more: object = {}) => ({
  amount: 1_000,
  mobileNumber: `0${freshLine()}`,
  paymentMobile: `0${payer}`,
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'FANILO_MONEY',
  currencyCode: 'MGA',
  confirmRepeat: true,
  ...more,
});

async function ordered(payer: string, more: object = {}, from = elsewhere()) {
  const answer = await world.call('initiate', order(payer, more), { ...from, headers: key() });
  expect(answer.http, answer.text).toBe(200);
  return { id: answer.result.transactionId as string, from, payer };
}
type Ordered = Awaited<ReturnType<typeof ordered>>;
const paid = (made: Ordered, more: object = {}) =>
  world.call('process', { transactionId: made.id, ...more }, made.from);
async function tried(payer: string, more: object = {}, from = elsewhere()) {
  const made = await ordered(payer, more, from);
  return { ...made, answer: await paid(made) };
}
async function freshCode({ id, payer, from }: Ordered) {
  const sent = await world.sentCode('sendCode', { data: { msisdn: `0${payer}`, transactionId: id } }, payer, from);
  return (await world.call('verifyCode', { data: sent }, from)).result.uniqueCode as string;
}
const statesOf = (ids: string[]) =>
  world.db.selectFrom('payments').select(['id', 'state', 'submitted_at']).where('id', 'in', ids).execute();
const reachedProvider = async (ids: string[]) =>
  (await statesOf(ids)).filter(({ submitted_at }) => submitted_at !== null).length;

/** Approves on the phone and waits for the delivery. */
async function delivered(id: string) {
  const look = async () => {
    await world.running.portal.payments.sweep(500);
    return (await statesOf([id]))[0]?.state;
  };
  await expect.poll(look, { interval: 50 }).toBe('SUCCEEDED');
}

describe('SEC-28 ways around the rules', () => {
  test('a sum split into small ones is the same sum', async () => {
    const payer = freshLine();
    const answers = [];
    for (let part = 0; part < 4; part += 1) answers.push((await tried(payer, { amount: 6_000 })).answer.code);
    expect(answers).toEqual([200, 200, 200, 'CODE_NEEDED']);
  });

  test('another browser and another network for each payment: the payer is the same', async () => {
    const payer = freshLine();
    const made = [];
    for (let turn = 0; turn < 8; turn += 1) made.push(await tried(payer));
    expect(made.map(({ answer }) => answer.code)).toEqual([...Array(5).fill(200), ...Array(3).fill('CODE_NEEDED')]);
    expect(await reachedProvider(made.map(({ id }) => id))).toBe(5);
  });

  test('without a cookie: the payer and the recipient are the same', async () => {
    const payer = freshLine();
    const codes = [];
    for (let turn = 0; turn < 6; turn += 1)
      codes.push((await tried(payer, {}, { visit: null, ip: `198.51.100.${turn + 1}` })).answer.code);
    expect(codes.at(-1)).toBe('CODE_NEEDED');
  });

  test('thirty orders made first and paid at once: no more reach the wallet than one after the other', async () => {
    const payer = freshLine();
    const made = [];
    for (let turn = 0; turn < 30; turn += 1) made.push(await ordered(payer));
    const answers = await Promise.all(made.map((one) => paid(one)));
    expect(await reachedProvider(made.map(({ id }) => id))).toBe(5);
    expect(answers.filter(({ code }) => code === 'CODE_NEEDED')).toHaveLength(25);
  });

  test('other payers for the same recipient: the recipient is the same', async () => {
    const mobileNumber = `0${freshLine()}`;
    for (let turn = 0; turn < 4; turn += 1) {
      const { id, answer } = await tried(freshLine(), { mobileNumber, amount: 5_000 });
      expect(answer.code).toBe(200);
      await delivered(id);
    }
    expect((await tried(freshLine(), { mobileNumber, amount: 5_000 })).answer.code).toBe('CODE_NEEDED');
  });

  test('requests that nobody approves hold up no customer who pays for the same line', async () => {
    const silent = await attackWorld({ rateLimitScale: 1 }, { approveAfterMs: 3_600_000 }, { risk, budgets });
    const mobileNumber = `0${freshLine()}`;
    const codes = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const from = elsewhere();
      const body = order(freshLine(), { mobileNumber, amount: 5_000 });
      const { result } = await silent.call('initiate', body, { ...from, headers: key() });
      codes.push((await silent.call('process', { transactionId: result.transactionId }, from)).code);
    }
    expect(codes).toEqual(Array(12).fill(200));
    await silent.stop();
  });

  test('a way to pay that no code can be sent for: it waits for a person instead', async () => {
    const mobileNumber = `0${freshLine()}`;
    const body = { mobileNumber, amount: 20_001, paymentMobile: '', emailId: 'thief@example.mg' };
    const card = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD' };
    const byCard = await tried('', { ...body, ...card });
    expect(byCard.answer.result).toMatchObject({ status: 'REQUEST_RAISED', next: 'done' });
    const other = await tried('340000001', { mobileNumber, amount: 20_001, paymentMode: 'MPESA' });
    expect(other.answer.result).toMatchObject({ status: 'REQUEST_RAISED', next: 'done' });
    expect(await reachedProvider([byCard.id, other.id])).toBe(0);
  });

  test('a port that is out of order lets nobody through: airtime is asked about like after a swap', async () => {
    await world.phone.fault({ provider: 'simSwap', operation: '*', fault: 'loseAnswer' });
    const payer = freshLine();
    const from = elsewhere();
    const payment = order(payer, { paymentMode: 'AIRTIME' });
    const asked = { data: { msisdn: `0${payer}`, paymentMode: 'AIRTIME', payment } };
    const sent = await world.sentCode('sendCode', asked, payer, from);
    const { uniqueCode } = (await world.call('verifyCode', { data: sent }, from)).result;
    const initiated = await world.call('initiate', { ...payment, uniqueCode }, { ...from, headers: key() });
    const made = { id: initiated.result.transactionId, from, payer };
    expect((await paid(made)).code).toBe('CODE_NEEDED');
    // The code of the order is spent, and had another purpose.
    expect((await paid(made, { uniqueCode })).code).toBe('NOT_VERIFIED');
    expect(await reachedProvider([made.id])).toBe(0);
    await world.phone.clearFaults();
  });
});

describe('SEC-28 a fresh code', () => {
  const asked = async () => {
    const payer = freshLine();
    for (let turn = 0; turn < 5; turn += 1) await tried(payer);
    const made = await tried(payer);
    expect(made.answer.code).toBe('CODE_NEEDED');
    return made;
  };

  test('of another order, of another purpose, of another browser or made up opens nothing', async () => {
    const made = await asked();
    const other = await tried(made.payer);
    const ofOther = await freshCode(other);
    const number = await world.sentCode('sendCode', { data: { msisdn: `0${made.payer}` } }, made.payer, made.from);
    const { uniqueCode: ofNumber } = (await world.call('verifyCode', { data: number }, made.from)).result;
    for (const uniqueCode of [ofOther, ofNumber, 'a'.repeat(32), made.id])
      expect((await paid(made, { uniqueCode })).code, uniqueCode).toBe('NOT_VERIFIED');
    const own = await freshCode(made);
    const thief = elsewhere();
    expect((await world.call('process', { transactionId: made.id, uniqueCode: own }, thief)).http).toBe(404);
    expect(await reachedProvider([made.id])).toBe(0);
    expect((await paid(made, { uniqueCode: own })).http).toBe(200);
  });

  test('is good once', async () => {
    const made = await asked();
    const uniqueCode = await freshCode(made);
    const answers = await Promise.all(Array.from({ length: 10 }, () => paid(made, { uniqueCode })));
    expect(answers.every(({ http }) => http === 200)).toBe(true);
    const next = await tried(made.payer);
    expect((await paid(next, { uniqueCode })).code).toBe('NOT_VERIFIED');
    expect(await reachedProvider([made.id, next.id])).toBe(1);
  });

  test('goes to the number that pays and to no other, for the browser that ordered it', async () => {
    const made = await asked();
    const send = (data: object, from: Sender = made.from) => world.call('sendCode', { data }, from);
    const thief = freshLine();
    expect((await send({ msisdn: `0${thief}`, transactionId: made.id })).code).toBe('NOT_FOUND');
    expect((await send({ msisdn: `0${made.payer}`, transactionId: made.id }, elsewhere())).code).toBe('NOT_FOUND');
    expect((await send({ msisdn: `0${made.payer}`, transactionId: 'x'.repeat(26) })).code).toBe('NOT_FOUND');
    expect(await world.phone.messages(thief)).toEqual([]);
  });

  test('an order that is sent again and again leaves one row for the rule that asked', async () => {
    const made = await asked();
    for (let turn = 0; turn < 20; turn += 1) await paid(made);
    const decisions = await world.db
      .selectFrom('payment_decisions')
      .select('position')
      .where('payment_id', '=', made.id)
      .execute();
    expect(decisions).toHaveLength(1);
  });
});

test('SEC-28 people cannot be buried in held payments: one network fills ten places an hour', async () => {
  const from = { ip: '192.0.2.9' };
  const card = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD', paymentMobile: '', emailId: 'a@example.mg' };
  const codes = [];
  const ids = [];
  for (let turn = 0; turn < 15; turn += 1) {
    const made = await tried('', { ...card, amount: 20_001 }, { ...from, visit: `flood${turn}` });
    codes.push(made.answer.code);
    ids.push(made.id);
  }
  expect(codes.filter((code) => code === 200)).toHaveLength(10);
  expect(codes.filter((code) => code === 'PAYER_BUSY')).toHaveLength(5);
  expect((await statesOf(ids)).filter(({ state }) => state === 'REVIEW')).toHaveLength(10);
  expect(await reachedProvider(ids)).toBe(0);
});
