import { standardBudgets } from '@portal/domain/budgets.ts';
import { codeLifeSeconds, proofLifeSeconds, tokenLifeSeconds } from '@portal/domain/verification/limits.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBudgets } from '../budgets/budgets.service.ts';
import type { Database } from '../db/database.ts';
import { sealedTokens } from '../http/sealed-token.ts';
import { testDatabase } from '../testing/database.ts';
import { createOtp, isProved, type Otp, type Proved, purposes } from './otp.service.ts';

const secret = 'a secret for tests, long enough to be one';
const number = '0390000001';
const visit = 'the visit';

let database: Database;
let otp: Otp;
let time: number;
let sent: { to: string; text: string }[];
let scale: number;

const now = () => new Date(time);
const lastCode = () => /\d{6}/.exec(sent.at(-1)?.text ?? '')?.[0] ?? '';
const wrongCode = () => String((Number(lastCode()) + 1) % 1_000_000).padStart(6, '0');

async function createService(): Promise<Otp> {
  const budgets = createBudgets(database.db, { secret, scale, rules: standardBudgets, now, events: { refused() {} } });
  return createOtp({
    db: database.db,
    pack: await loadPack('mg'),
    sms: {
      async send(message) {
        if (message.to.endsWith('390000010')) throw new Error('the centre refused it');
        sent.push(message);
        return { messageId: String(sent.length) };
      },
      close: async () => {},
    },
    mail: { send: async (mail) => void sent.push(mail), close: async () => {} },
    texts: { text: (_locale, _key, params) => Object.values(params ?? {}).join(' ') },
    budgets,
    tokens: sealedTokens(secret, now),
    secret,
    host: 'portal.example',
    now,
    events: { sent() {}, verified() {}, refused() {}, notSent() {} },
  });
}

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate codes, proofs, rate_limits`.execute(database.db);
  time = Date.parse('2026-03-02T08:00:00Z');
  sent = [];
  scale = 1;
  otp = await createService();
});

const send = (msisdn = number, purpose: string = purposes.invoice) =>
  otp.send({ msisdn, purpose, visit, language: 'en-GB' });
const verify = (id: string, code: string, more: { purpose?: string; visit?: string | null } = {}) =>
  otp.verify({ id, code, visit, ...more });

describe('a code', () => {
  test('OTP-4 proves its number once, and never again', async () => {
    const id = await send();
    expect(await verify(id, lastCode())).toMatchObject({ subject: number, purpose: purposes.invoice });
    await expect(verify(id, lastCode())).rejects.toMatchObject({ kind: 'codeRefused' });
  });

  test('OTP-4 dies when its time is over', async () => {
    const id = await send();
    time += (codeLifeSeconds + 1) * 1000;
    await expect(verify(id, lastCode())).rejects.toMatchObject({ kind: 'codeRefused' });
  });

  test('OTP-4 dies when a newer one is sent, by resending and by sending', async () => {
    const id = await send();
    const first = lastCode();
    time += 61_000;
    await otp.resend({ id, visit, language: 'en-GB' });
    const second = lastCode();
    if (first !== second) await expect(verify(id, first)).rejects.toMatchObject({ kind: 'wrongCode' });
    await send();
    await expect(verify(id, second)).rejects.toMatchObject({ kind: 'codeRefused' });
  });

  test('OTP-4 tries are not given back by resending', async () => {
    const id = await send();
    for (const left of [4, 3, 2, 1])
      await expect(verify(id, wrongCode())).rejects.toMatchObject({ kind: 'wrongCode', extra: { attemptsLeft: left } });
    time += 61_000;
    await otp.resend({ id, visit, language: 'en-GB' });
    await expect(verify(id, wrongCode())).rejects.toMatchObject({ kind: 'attemptsExhausted' });
    await expect(verify(id, lastCode())).rejects.toMatchObject({ kind: 'attemptsExhausted' });
  });

  test('SEC-1 takes at most five tries, however many come at once from however many processes', async () => {
    const id = await send();
    const code = lastCode();
    const processes = await Promise.all([createService(), createService(), createService()]);
    const guesses = Array.from({ length: 300 }, (_, index) =>
      processes[index % 3]
        ?.verify({
          id,
          code: String(index).padStart(6, '0') === code ? wrongCode() : String(index).padStart(6, '0'),
          visit,
        })
        .catch((error: { kind: string }) => error.kind),
    );
    const outcomes = await Promise.all(guesses);
    // The fifth wrong try is told as the last.
    expect(outcomes.filter((outcome) => outcome === 'wrongCode')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'attemptsExhausted')).toHaveLength(296);
    await expect(verify(id, code)).rejects.toMatchObject({ kind: 'attemptsExhausted' });
  });

  test('SEC-1 used by many at once proves its number to one of them', async () => {
    const id = await send();
    const code = lastCode();
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => verify(id, code)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('SEC-1 for one number, purpose or visit never verifies another', async () => {
    scale = 1_000;
    otp = await createService();
    const numbers = fc.constantFrom('0390000001', '0390000002', '0391234567');
    const kinds = fc.constantFrom<string>(...Object.values(purposes), 'AIRTIME');
    const visits = fc.constantFrom<string | null>('one', 'other', null);
    const request = fc.record({ msisdn: numbers, purpose: kinds, visit: visits });
    await fc.assert(
      fc.asyncProperty(request, request, async (one, other) => {
        fc.pre(JSON.stringify(one) !== JSON.stringify(other));
        const id = await otp.send({ ...one, language: 'en-GB' });
        const code = lastCode();
        const otherId = await otp.send({ ...other, language: 'en-GB' });
        const otherCode = lastCode();
        fc.pre(code !== otherCode);
        await expect(otp.verify({ id: otherId, code, visit: other.visit, purpose: other.purpose })).rejects.toThrow();
        if (one.visit !== other.visit)
          await expect(otp.verify({ id: otherId, code: otherCode, visit: one.visit })).rejects.toThrow();
        if (one.purpose !== other.purpose)
          await expect(
            otp.verify({ id: otherId, code: otherCode, visit: other.visit, purpose: one.purpose }),
          ).rejects.toThrow();
        void id;
      }),
      { numRuns: 40 },
    );
  });

  test('is stored only as a keyed hash', async () => {
    await send();
    const rows = await database.db.selectFrom('codes').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(lastCode());
  });
});

describe('sending', () => {
  test('SEC-3 waits a minute before another code', async () => {
    const id = await send();
    time += 59_000;
    await expect(otp.resend({ id, visit, language: 'en-GB' })).rejects.toMatchObject({
      kind: 'codeRefused',
      extra: { retryAfterSeconds: 1 },
    });
    time += 1_000;
    expect(await otp.resend({ id, visit, language: 'en-GB' })).toBe(id);
    expect(sent).toHaveLength(2);
  });

  test('SEC-3 to one number stops at three in ten minutes and ten a day, over any number of processes', async () => {
    for (let hour = 0; hour < 12; hour += 1) {
      for (let attempt = 0; attempt < 5; attempt += 1)
        await (await createService())
          .send({ msisdn: number, purpose: 'AIRTIME', visit: `v${attempt}`, language: 'en-GB' })
          .catch(() => {});
      expect(sent.length).toBe(
        Math.min((hour + 1) * standardBudgets.codeNumberSoon.most, standardBudgets.codeNumberDay.most),
      );
      time += 3_600_000;
    }
    await expect(send()).rejects.toMatchObject({
      kind: 'maxLimit',
      message: 'max limit exhausted, please try after sometime.',
    });
  });

  test('SEC-3 to a block of numbers stops at its budget, and what is verified gives its place back', async () => {
    const block = (index: number) => `039000${String(index).padStart(4, '0')}`;
    for (let index = 100; index < 200; index += 1) await send(block(index)).catch(() => {});
    expect(sent).toHaveLength(standardBudgets.codeBlock.most);
    await sql`truncate rate_limits`.execute(database.db);
    sent = [];
    for (let index = 200; index < 300; index += 1) await verify(await send(block(index)), lastCode());
    expect(sent).toHaveLength(100);
  });

  test('SEC-3 to thousands of numbers stops at the budget of all', async () => {
    scale = 0.02;
    otp = await createService();
    const most = standardBudgets.codeAll.most * scale;
    for (let index = 0; index < most + 20; index += 1)
      await send(`039${String(index * 10_000 + 7).padStart(7, '0')}`).catch(() => {});
    expect(sent.length).toBeLessThanOrEqual(most);
  });

  test('goes to our own numbers only', async () => {
    for (const other of ['0340000001', '0320000001', '0201234567'])
      await expect(send(other)).rejects.toMatchObject({ kind: 'codeRefused' });
    expect(sent).toEqual([]);
  });

  test('OTP-3 that the SMS centre refuses is told as the limit', async () => {
    await expect(send('0390000010')).rejects.toMatchObject({ kind: 'maxLimit' });
  });
});

describe('what a verified code is worth', () => {
  const proved: Proved = { purpose: 'AIRTIME', subject: number, visit, payment: 'the payment' };
  const others: Proved[] = [
    { ...proved, subject: '0390000002' },
    { ...proved, purpose: 'INVOICE' },
    { ...proved, visit: 'another visit' },
    { ...proved, visit: null },
    { ...proved, payment: 'another payment' },
    { ...proved, payment: null },
  ];
  const spend = (proof: string, wanted: Proved, attempt: string) => otp.spendProof(database.db, proof, wanted, attempt);

  test('SEC-7 one payment, though the same attempt may come again', async () => {
    const proof = await otp.issueProof(proved);
    await spend(proof, proved, 'attempt-1');
    await spend(proof, proved, 'attempt-1');
    await expect(spend(proof, proved, 'attempt-2')).rejects.toMatchObject({ kind: 'notVerified' });
  });

  test('SEC-7 SEC-25 SEC-27 nothing for another number, purpose, payment or visit, and nothing after its time', async () => {
    const proof = await otp.issueProof(proved);
    for (const other of others) await expect(spend(proof, other, 'a')).rejects.toMatchObject({ kind: 'notVerified' });
    const reading = { purposes: ['AIRTIME', 'BALANCE'], subject: number, visit };
    await expect(otp.requireProof(proof, { ...reading, purposes: ['INVOICE'] })).rejects.toThrow();
    await expect(otp.requireProof(proof, { ...reading, visit: 'another visit' })).rejects.toThrow();
    await otp.requireProof(proof, reading);
    time += proofLifeSeconds * 1000;
    await expect(otp.requireProof(proof, reading)).rejects.toThrow();
  });

  test('SEC-7 a token says all that was proved, for a quarter of an hour', () => {
    const { tokenType, accessToken } = otp.issueToken(proved, 'a code');
    const header = `${tokenType} ${accessToken}`;
    expect(otp.openToken(header)).toMatchObject(proved);
    expect(others.filter((other) => isProved(otp.openToken(header), other))).toEqual([]);
    for (const bad of [undefined, '', 'Bearer', 'Bearer x', `Basic ${accessToken}`, `${header}x`])
      expect(() => otp.openToken(bad)).toThrow('Please verify your number first.');
    time += tokenLifeSeconds * 1000;
    expect(() => otp.openToken(header)).toThrow();
  });
});

describe('SEC-25 the SMS of a code', () => {
  const payment = { digest: 'the payment', amount: 12_500, currency: 'MGA', payee: '39 00 000 02' };
  const pay = () => otp.send({ msisdn: number, purpose: 'AIRTIME', payment, visit, language: 'en-GB' });

  test('that pays names amount and payee, also when it is sent again, and verifies that payment only', async () => {
    const id = await pay();
    expect(sent.at(-1)?.text).toContain('12,500');
    expect(sent.at(-1)?.text).toContain('39 00 000 02');
    time += 61_000;
    await otp.resend({ id, visit, language: 'en-GB' });
    expect(sent.at(-1)?.text).toContain('39 00 000 02');
    expect(await verify(id, lastCode())).toEqual({
      subject: number,
      purpose: 'AIRTIME',
      visit,
      payment: 'the payment',
    });
  });

  test('ends with the line that binds it to this site', async () => {
    await pay();
    expect(sent.at(-1)?.text).toMatch(new RegExp(`\\n\\n@portal\\.example #${lastCode()}$`));
    await send();
    expect(sent.at(-1)?.text).toMatch(new RegExp(`\\n\\n@portal\\.example #${lastCode()}$`));
  });

  test('that was asked for without a purpose verifies no purpose but the number', async () => {
    for (const purpose of ['AIRTIME', 'INVOICE', 'SMARTCASH_SECURE', purposes.lead, purposes.balance]) {
      await sql`truncate rate_limits`.execute(database.db);
      const id = await send(number, purposes.number);
      await expect(verify(id, lastCode(), { purpose })).rejects.toMatchObject({ kind: 'wrongCode' });
    }
  });
});
