import { randomUUID } from 'node:crypto';
import { velocityNames } from '@portal/domain/risk.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isHashOf } from '../db/personal-data.ts';
import {
  type AttackWorld,
  attackWorld,
  rechargeOf,
  resetLimits,
  type Sender,
  sealPin,
} from './attack-world.fixture.ts';

/**
 * Production budgets. Nobody approves, so prompts stay open. The risk rules would stop a browser that asks dozens of
 * payers earlier (risk.pg.test.ts), so they are off here.
 */
let world: AttackWorld;
let pinWorld: AttackWorld;
/** Its clock is not moved by any test. */
let calm: AttackWorld;

beforeAll(async () => {
  world = await attackWorld({}, { approveAfterMs: 3_600_000 }, { risk: nothingCounted });
  pinWorld = await attackWorld({ walletPinMode: true, rateLimitScale: 1_000 });
  calm = await attackWorld({}, { approveAfterMs: 3_600_000 });
});
afterAll(async () => {
  await world.stop();
  await pinWorld.stop();
  await calm.stop();
});
beforeEach(async () => {
  await world.phone.post('/reset');
  await resetLimits(world);
});

const never = { seconds: 60, ask: null, hold: null };
const nothingCounted = Object.fromEntries(velocityNames.map((name) => [name, never]));

const key = () => ({ 'idempotency-key': randomUUID() });
const order = (paymentMode: string, payer: string, more: object = {}) =>
  rechargeOf(paymentMode, payer, { amount: 5_000, mobileNumber: '0390000101', ...more });

async function push(payer: string, mode: 'MPESA' | 'FANILO_MONEY' = 'FANILO_MONEY', more = {}, from: Sender = {}) {
  const initiated = await world.call('initiate', order(mode, payer, more), { ...from, headers: key() });
  if (initiated.http !== 200) return initiated;
  const { transactionId } = initiated.result;
  return { ...(await world.call('process', { transactionId }, from)), id: transactionId as string };
}

const sweep = () => world.running.portal.payments.sweep(500);
/** Waits until every queued message was sent. */
async function told() {
  const waiting = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from jobs.job where state < 'completed'`.execute(world.db))
      .rows;
  await expect.poll(waiting).toEqual([{ n: 0 }]);
}

async function ended(id: string, status: string) {
  const look = async () => {
    await sweep();
    return (await statusOf(id)).status;
  };
  await expect.poll(look, { interval: 200 }).toBe(status);
}

const statusOf = async (tid: string) => (await world.call('transactionStatus', { tid }, { visit: 'other' })).result;

describe('SEC-16 somebody asks a stranger for money', () => {
  const stranger = '390000201';

  test('again and again: three requests reach the phone in an hour, however they are spread', async () => {
    const answers = [];
    for (let attempt = 0; attempt < 12; attempt += 1)
      answers.push(
        await push(
          stranger,
          attempt % 2 ? 'MPESA' : 'FANILO_MONEY',
          { mobileNumber: `03900003${10 + attempt}` },
          {
            visit: `visit-${attempt}`,
            ip: `203.0.113.${attempt + 1}`,
          },
        ),
      );
    expect(await world.phone.prompts(stranger)).toHaveLength(3);
    const refused = answers.slice(3);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['CODE_NEEDED']));
    expect((await push(stranger)).code).toBe('CODE_NEEDED');
    world.advance(71 * 60);
    expect((await push(stranger)).http).toBe(200);
  });

  test('SEC-19 of another network, who can be shown no code: one address uses up two of three, all addresses three', async () => {
    let recipients = 30;
    const ask = async (ip: string) =>
      (await push('340000203', 'MPESA', { mobileNumber: `03900003${recipients++}` }, { ip })).code;
    const codes = [];
    for (const last of [1, 1, 1, 2, 3]) codes.push(await ask(`198.51.100.${last}`));
    expect(codes).toEqual([200, 200, 'PAYER_BUSY', 200, 'PAYER_BUSY']);
  });

  test('SEC-19 and uses up the requests: the owner goes on with a code, at once', async () => {
    for (let attempt = 0; attempt < 4; attempt += 1) await push(stranger, 'MPESA', { amount: 1_000 + attempt });
    const owner = { visit: 'owner', ip: '203.0.113.77' };
    const { id = '', code } = (await push(stranger, 'FANILO_MONEY', {}, owner)) as { id?: string; code?: unknown };
    expect(code).toBe('CODE_NEEDED');
    const data = { msisdn: `0${stranger}`, transactionId: id };
    const sent = await world.sentCode('sendCode', { data }, stranger, owner);
    const { uniqueCode } = (await world.call('verifyCode', { data: sent }, owner)).result;
    const before = (await world.phone.prompts(stranger)).length;
    // The code is useless to the thief: it is bound to the payment and the visit.
    const stolen = (await push(stranger, 'FANILO_MONEY', {}, { visit: 'thief' })) as { id?: string };
    const thief = await world.call('process', { transactionId: stolen.id, uniqueCode }, { visit: 'thief' });
    expect(thief.code).toBe('NOT_VERIFIED');
    expect((await world.call('process', { transactionId: id, uniqueCode }, owner)).http).toBe(200);
    expect(await world.phone.prompts(stranger)).toHaveLength(before + 1);
  });

  test('for more than is there: the wallet refuses unasked, and the next request takes a code of its owner', async () => {
    const poor = '390000204';
    const first = (await push(poor, 'FANILO_MONEY', { amount: 400_000 })) as { id?: string };
    await ended(first.id ?? '', 'FAILED');
    const codes = [];
    for (const amount of [200_000, 100_001, 90_000])
      codes.push((await push(poor, 'FANILO_MONEY', { amount }, { visit: `probe-${amount}` })).code);
    expect(codes).toEqual(['CODE_NEEDED', 'CODE_NEEDED', 'CODE_NEEDED']);
    expect(await world.phone.prompts(poor)).toEqual([]);
  });

  test('all at once: no more than three', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => push(stranger, 'FANILO_MONEY', { amount: 1_000 + index })),
    );
    expect((await world.phone.prompts(stranger)).length).toBe(3);
  });

  test('many strangers from one address, or for one line, stop at the budget of either', async () => {
    const reached = async (more: (index: number) => [object, Sender], most: number) => {
      await resetLimits(world);
      let sent = 0;
      for (let index = 0; index < most; index += 1) {
        const [body, from] = more(index);
        if ((await push(String(390_010_000 + index), 'MPESA', body, from)).http === 200) sent += 1;
      }
      return sent;
    };
    expect(await reached((index) => [{ mobileNumber: `0${390_020_000 + index}` }, { ip: '198.51.100.7' }], 130)).toBe(
      120,
    );
    expect(await reached((index) => [{}, { ip: `198.51.100.${index + 1}`, visit: `stranger ${index}` }], 40)).toBe(30);
  });

  test('no SMS says that nothing was taken, in the own network or another', async () => {
    const payers = ['390000004', '390000007', '340000201', '320000202'];
    for (const payer of payers) {
      const { id = '' } = (await push(payer, 'MPESA')) as { id?: string };
      for (const prompt of await world.phone.prompts(payer))
        await world.phone.post(`/prompts/${prompt.id}`, { action: 'decline' });
      world.advance(20);
      await ended(id, 'FAILED');
    }
    await told();
    for (const payer of [...payers, '390000101']) expect(await world.phone.messages(payer), payer).toEqual([]);
  });

  test('what the wallet answered is told to nobody: no money, no wallet, locked and declined read alike', async () => {
    const reasons = new Set<string>();
    for (const payer of ['390000004', '390000006', '390000007', '390000011']) {
      const { id = '' } = (await push(payer)) as { id?: string };
      for (const prompt of await world.phone.prompts(payer))
        await world.phone.post(`/prompts/${prompt.id}`, { action: 'decline' });
      await ended(id, 'FAILED');
      const { statusReason, ...status } = await statusOf(id);
      reasons.add(statusReason);
      expect(JSON.stringify(status)).not.toMatch(/money\.|wallet|locked|insufficient|declined/i);
      world.advance(60);
    }
    expect([...reasons]).toEqual([expect.stringMatching(/^The payment was not approved/)]);
  });

  test('while another request is open on the phone: the one sentence says what to do, to the owner and to anybody alike', async () => {
    const owner = '390000204';
    await push(owner, 'MPESA', {}, { visit: 'stranger', ip: '198.51.100.50' });
    await expect.poll(async () => (await world.phone.prompts(owner)).length, { interval: 20 }).toBe(1);
    const { id = '' } = (await push(owner, 'MPESA', { amount: 2_000 }, { visit: 'owner' })) as { id?: string };
    await ended(id, 'FAILED');
    expect((await world.running.portal.payments.find(id))?.payment.reason).toBe('requestOpen');
    expect((await statusOf(id)).statusReason).toMatch(
      /^The payment was not approved.*another request was still open on it.*answer it or wait until it ends/,
    );
  });

  test('an approved request gives its place back: who pays is not held up by having paid', async () => {
    for (let round = 0; round < 6; round += 1) {
      const answer = await push('390000301', 'FANILO_MONEY', { amount: 1_000 + round });
      expect(answer.http, answer.text).toBe(200);
      const [prompt] = (await world.phone.prompts('390000301')).filter(({ state }) => state === 'pending');
      await world.phone.post(`/prompts/${prompt?.id}`, { action: 'approve', pin: '1234' });
      const id = (answer as { id?: string }).id ?? '';
      world.advance(30);
      await ended(id, 'SUCCESS');
    }
  });

  test('messages to a line that proved nothing stop at three in an hour', async () => {
    const receiver = '390000401';
    for (let round = 0; round < 5; round += 1) {
      const payer = `39000050${round}`;
      const answer = await push(payer, 'FANILO_MONEY', { mobileNumber: `0${receiver}` });
      const [prompt] = await world.phone.prompts(payer);
      await world.phone.post(`/prompts/${prompt?.id}`, { action: 'approve', pin: '1234' });
      world.advance(30);
      const id = (answer as { id?: string }).id ?? '';
      await ended(id, 'SUCCESS');
      // The payer who approved gets a message each time.
      await expect.poll(async () => (await world.phone.messages(payer)).length).toBe(1);
    }
    await told();
    expect(await world.phone.messages(receiver)).toHaveLength(3);
  });
});

/** A wallet token for one payment, after its code was entered. */
async function tokenOf(wallet: string, mode: string, payment: object): Promise<Record<string, string>> {
  const data = { msisdn: `0${wallet}`, paymentMode: mode, payment };
  const { refId, otp } = await pinWorld.sentCode('sendCode', { data }, wallet);
  const verified = await pinWorld.call('verifyUser', { data: { refId, otp, paymentMode: mode } });
  return { authorization: `${verified.result.tokenType} ${verified.result.accessToken}` };
}

async function withPin(payment: object, headers: Record<string, string>, pin: string) {
  const { result } = await pinWorld.call('authInitiate', payment, { headers: { ...headers, ...key() } });
  const sealed = sealPin(pin, result.transactionId, result.encryptionKeyDetails);
  return () => pinWorld.call('authProcess', { transactionId: result.transactionId, ...sealed }, { headers });
}

const reachedWallet = (wallet: string) =>
  pinWorld.db
    .selectFrom('payments')
    .select('id')
    .where(isHashOf(pinWorld.db, 'payer_hash', ['number', `0${wallet}`]))
    .where('submitted_at', 'is not', null)
    .execute();

describe('SEC-18 a thief tries PINs', () => {
  test.each([
    ['FANILO_MONEY', '390000211'],
    ['SMARTCASH_SECURE', '390000212'],
  ] as const)(
    'thirty orders of %s, thirty PINs at once: five reach the wallet',
    async (mode, wallet) => {
      const payment = order(mode, wallet);
      const guesses = [];
      for (let guess = 0; guess < 30; guess += 1)
        guesses.push(await withPin(payment, await tokenOf(wallet, mode, payment), String(5_000 + guess)));
      const answers = await Promise.all(guesses.map((guess) => guess()));
      expect(await reachedWallet(wallet)).toHaveLength(5);
      // A slow wallet is not awaited; its refusal appears on the status page.
      for (const { result } of answers.filter(({ http }) => http === 200)) {
        const status = () => pinWorld.call('transactionStatus', { tid: result.transactionId });
        await expect.poll(async () => (await status()).result.status).toBe('FAILED');
      }
      expect(answers.filter(({ http }) => ![200, 401, 423, 429].includes(http))).toEqual([]);
      const headers = await tokenOf(wallet, mode, payment);
      const right = await pinWorld.call('authInitiate', payment, { headers: { ...headers, ...key() } });
      expect(right.code).toBe(1006);
    },
    60_000,
  );

  test('PINs that the wallet does not answer hold its owner up, and are not called wrong', async () => {
    const [mode, wallet] = ['SMARTCASH_SECURE', '390000213'];
    const payment = order(mode, wallet);
    const tries = [];
    for (let index = 0; index < 6; index += 1)
      tries.push(await withPin(payment, await tokenOf(wallet, mode, payment), '1234'));
    await pinWorld.phone.fault({ provider: 'smartcash', fault: 'error500', rate: 1 });
    const unanswered = await Promise.all(tries.slice(0, 5).map((pay) => pay()));
    await pinWorld.phone.clearFaults();
    expect(unanswered.map(({ http }) => http)).toEqual([200, 200, 200, 200, 200]);
    const [sixth] = await Promise.all(tries.slice(5).map((pay) => pay()));
    expect([sixth?.http, sixth?.code]).toEqual([429, 'PAYER_BUSY']);
    expect(sixth?.text).not.toMatch(/incorrect/i);
  });
});

describe('SEC-25 one code of a wallet, several orders', () => {
  test.each([
    ['FANILO_MONEY', '390000214'],
    ['SMARTCASH_SECURE', '390000215'],
  ] as const)(
    '%s: the right PIN pays one of them, at once and one after the other',
    async (mode, wallet) => {
      const payment = order(mode, wallet);
      const headers = await tokenOf(wallet, mode, payment);
      // A wrong PIN closes its order; the next one uses the same code.
      expect((await (await withPin(payment, headers, '9999'))()).http).toBe(401);
      const ways = [];
      for (let index = 0; index < 6; index += 1) ways.push(await withPin(payment, headers, '1234'));
      const answers = [...(await Promise.all(ways.slice(0, 4).map((pay) => pay())))];
      for (const pay of ways.slice(4)) answers.push(await pay());
      expect(answers.map(({ http }) => http).sort()).toEqual([200, 401, 401, 401, 401, 401]);
      const paid = async () => {
        const books = await pinWorld.phone.books();
        const ids = (await reachedWallet(wallet)).map(({ id }) => id);
        return ids.map((id) => (books.wallet[id] ?? books.smartcash[id])?.taken ?? 0).sort();
      };
      await expect.poll(paid).toEqual([0, 5_000]);
      expect(await reachedWallet(wallet)).toHaveLength(2);
    },
    60_000,
  );
});

describe('SEC-27 somebody knows the id or the key of another visit', () => {
  const payer = '390000221';
  const shared = { headers: { 'idempotency-key': 'a-key-that-was-seen' } };
  const owner = { visit: 'owner' };

  test('an attempt key of one visit is a fresh one for another', async () => {
    const body = order('MPESA', payer);
    const own = await calm.call('mpesaInitiate', body, { ...owner, ...shared });
    const again = await calm.call('mpesaInitiate', body, { ...owner, ...shared });
    expect(again.result.transactionId).toBe(own.result.transactionId);
    for (const visit of ['thief', null]) {
      const other = await calm.call('mpesaInitiate', body, { visit, ...shared });
      expect(other.result.transactionId).not.toBe(own.result.transactionId);
    }
  });

  test('an open order is carried out by the visit that made it, and nobody else', async () => {
    const { result } = await calm.call('mpesaInitiate', order('MPESA', payer), { ...owner, headers: key() });
    const { transactionId } = result;
    for (const visit of ['thief', null])
      for (const name of ['process', 'mpesaProcess'] as const)
        expect((await calm.call(name, { transactionId }, { visit })).code).toBe('NOT_FOUND');
    expect(await calm.phone.prompts(payer)).toEqual([]);
    expect((await calm.call('mpesaProcess', { transactionId }, owner)).http).toBe(200);
    expect(await calm.phone.prompts(payer)).toHaveLength(1);
  });

  test('the live page of a gateway is for the visit that ordered', async () => {
    const body = order('PAYMENT_GATEWAY', '', { paymentMobile: '', paymentGateway: 'CARD', emailId: 'a@example.mg' });
    const { result } = await calm.call('initiate', body, { ...owner, headers: key() });
    const { transactionId } = result;
    const { redirectUrl } = (await calm.call('process', { transactionId }, owner)).result;
    expect(redirectUrl).toMatch(/^http/);
    expect((await calm.call('process', { transactionId }, owner)).result.redirectUrl).toBe(redirectUrl);
    for (const visit of ['thief', null]) {
      const answer = await calm.call('process', { transactionId }, { visit });
      expect(answer.result).toMatchObject({ status: 'ALREADY_PROCESSED' });
      // No other response reveals whose number it is either.
      const guess = await calm.call('process', { transactionId, paymentMobile: '0390000299' }, { visit });
      expect(guess.text).toBe(answer.text);
      expect(answer.text).not.toContain(redirectUrl.slice(redirectUrl.lastIndexOf('/') + 1));
    }
  });

  test('a proof, a token and a bill are for the visit that verified the code', async () => {
    const number = '390000002';
    const sent = await calm.sentCode(
      'sendInvoiceCode',
      { data: { text: `0${number}`, otpAction: 'INVOICE' } },
      number,
      owner,
    );
    const { uniqueCode } = (await calm.call('verifyInvoiceCode', { data: { otpId: sent.refId, otp: sent.otp } }, owner))
      .result;
    const bill = { data: { msisdn: `0${number}`, uniqueCode } };
    for (const visit of ['thief', null]) expect((await calm.call('bill', bill, { visit })).code).toBe('NOT_VERIFIED');
    expect((await calm.call('bill', bill, owner)).http).toBe(200);
  });
});

describe('SEC-27 clients that keep no cookies', () => {
  const here = { visit: null, ip: '203.0.113.21' };
  const there = { visit: null, ip: '203.0.113.22' };

  test('go on from their own network, and have nothing of another', async () => {
    const body = order('PAYMENT_GATEWAY', '', { paymentMobile: '', paymentGateway: 'CARD', emailId: 'a@example.mg' });
    const headers = key();
    const { result } = await calm.call('initiate', body, { ...here, headers });
    const { transactionId } = result;
    expect((await calm.call('initiate', body, { ...there, headers })).result.transactionId).not.toBe(transactionId);
    expect((await calm.call('process', { transactionId }, there)).code).toBe('NOT_FOUND');
    expect((await calm.call('process', { transactionId }, here)).result.redirectUrl).toMatch(/^http/);
    expect((await calm.call('process', { transactionId }, there)).result.redirectUrl).toBeUndefined();
    const line = '390000222';
    const sent = await calm.sentCode('sendCode', { data: { msisdn: `0${line}` } }, line, here);
    expect((await calm.call('verifyCode', { data: sent }, there)).code).toBe(2003);
    expect((await calm.call('verifyCode', { data: sent }, here)).http).toBe(200);
  });
});

test('SEC-27 clients without cookies behind one address: none reads a number, an account or a question of another', async () => {
  const one: Sender = { visit: null, ip: '203.0.113.31' };
  const other: Sender = { ...one, headers: { 'user-agent': 'another phone' } };
  const line = '390000232';
  const { id = '' } = (await push(line, 'MPESA', { mobileNumber: `0${line}` }, one)) as { id?: string };
  for (const from of [one, other]) {
    const shown = await world.call('transactionStatus', { tid: id }, from);
    expect(shown.text).not.toContain(line);
    expect(shown.text).not.toContain('39 00 002 32');
    expect(shown.result.order).toBeUndefined();
  }
  const written = await world.call('writeTicket', { tid: id, text: 'Where is it?' }, one);
  expect(written.http, written.text).toBe(200);
  expect((await world.call('ticket', { tid: id }, other)).result.ticket).toBeNull();
});

describe('SEC-25 a code is for one purpose', () => {
  const number = '390000231';
  test('one that pays is sent for a payment, and for one that can be made', async () => {
    const data = { msisdn: `0${number}`, paymentMode: 'AIRTIME' };
    expect((await calm.call('sendCode', { data })).code).toBe('MALFORMED');
    const made = (payment: object) => calm.call('sendCode', { data: { ...data, payment } });
    expect((await made(order('AIRTIME', number, { amount: 1 }))).code).toBe('AMOUNT_OUT_OF_RANGE');
    expect((await made(order('AIRTIME', number, { mobileNumber: '0390000009' }))).code).toBe('LINE_UNKNOWN');
    expect(
      (await made(order('AIRTIME', number, { mobileNumber: '', invoiceNumber: 'CALL 0341234567 NOW' }))).http,
    ).toBeGreaterThanOrEqual(400);
    for (const paymentMode of ['MPESA', 'PAYMENT_GATEWAY', 'NOBODYS', 'INVOICE', 'HBB_LEADS'])
      expect(
        (await calm.call('sendCode', { data: { ...data, paymentMode, payment: order('AIRTIME', number) } })).code,
      ).toBe('NOT_OFFERED');
    expect(await calm.phone.messages(number)).toEqual([]);
  });

  test('one that was asked for without a purpose pays nothing and opens no bill', async () => {
    const { refId, otp } = await calm.sentCode('sendCode', { data: { msisdn: `0${number}` } }, number);
    for (const paymentMode of ['AIRTIME', 'SMARTCASH_SECURE', 'FANILO_MONEY'])
      expect((await calm.call('verifyCode', { data: { refId, otp, paymentMode } })).code).toBe(2003);
    const { uniqueCode } = (await calm.call('verifyCode', { data: { refId, otp } })).result;
    const paid = await calm.call('initiate', { ...order('AIRTIME', number), uniqueCode }, { headers: key() });
    expect(paid.code).toBe('NOT_VERIFIED');
    expect((await calm.call('bill', { data: { msisdn: `0${number}`, uniqueCode } })).code).toBe('NOT_VERIFIED');
  });
});
