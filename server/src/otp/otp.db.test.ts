import { standardBudgets } from '@portal/domain/budgets.ts';
import { codeLifeSeconds, proofLifeSeconds, tokenLifeSeconds } from '@portal/domain/verification/lifetimes.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBudgets } from '../budgets/budgets.service.ts';
import { type Asker, createChallenges } from '../challenges/challenges.service.ts';
import type { Database } from '../db/database.ts';
import { openRow } from '../db/personal-data.ts';
import { createMetrics } from '../http/metrics.ts';
import type { PortalError } from '../http/portal-error.ts';
import { sealedTokens } from '../http/sealed-token.ts';
import { solve } from '../testing/challenges.ts';
import { testDatabase } from '../testing/database.ts';
import { otpEvents } from './otp.events.ts';
import { createOtp, isProved, type Otp, type Proved, purposes } from './otp.service.ts';

const secret = 'a secret for tests, long enough to be one';
const number = '0390000001';
const visit = 'the visit';

let database: Database;
let otp: Otp;
let time: number;
let sent: { to: string; text: string }[];
let scale: number;
/** The texts that were requested, and the events for log and metrics. */
let texts: { language: string; key: string; params: object | undefined }[];
let told: string[];
let challenged: string[];

const now = () => new Date(time);
const lastCode = () => /\d{6}/.exec(sent.at(-1)?.text ?? '')?.[0] ?? '';
const wrongCode = () => String((Number(lastCode()) + 1) % 1_000_000).padStart(6, '0');

async function createService(): Promise<Otp> {
  const budgets = createBudgets(database.db, { secret, scale, rules: standardBudgets, now, events: { refused() {} } });
  const tokens = sealedTokens(secret, now);
  const note = (outcome: string) => void challenged.push(outcome);
  const challenges = createChallenges({
    db: database.db,
    budgets,
    tokens,
    now,
    events: { given: () => note('given'), solved: (_effect, outcome) => note(outcome) },
  });
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
    texts: {
      text(language, key, params) {
        texts.push({ language, key, params });
        return Object.values(params ?? {}).join(' ');
      },
    },
    budgets,
    challenges,
    tokens,
    secret,
    host: 'portal.example',
    now,
    events: {
      sent: () => void told.push('sent'),
      verified: () => void told.push('verified'),
      refused: (why) => void told.push(why),
      notSent: (error) => void told.push(String(error)),
    },
  });
}

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate codes, proofs, rate_limits, solved_challenges`.execute(database.db);
  time = Date.parse('2026-03-02T08:00:00Z');
  sent = [];
  texts = [];
  told = [];
  challenged = [];
  askers = 0;
  scale = 1;
  otp = await createService();
});

/** A new address each time, so that limits per address do not interfere. */
let askers: number;
const asking = (from: { visit?: string | null; address?: string; solved?: string } = {}): Asker => {
  askers += 1;
  return { visit, address: `2001:db8:${askers.toString(16)}::1`, solved: undefined, ...from };
};
const send = (msisdn = number, purpose: string = purposes.invoice, from = {}) =>
  otp.send({ msisdn, purpose, asker: asking(from), language: 'en-GB' });
const verify = (id: string, code: string, { purpose, ...from }: { purpose?: string; visit?: string | null } = {}) =>
  otp.verify({ id, code, asker: asking(from), ...(purpose ? { purpose } : {}) });

/** Asks, solves the challenge it gets, and asks again. */
async function sendSolved(msisdn: string): Promise<string> {
  const address = '2001:db8:ffff::1';
  const refused = await send(msisdn, purposes.invoice, { address }).then(
    () => null,
    (error: PortalError) => error,
  );
  const challenge = refused?.extra.challenge;
  if (!challenge) throw refused ?? new Error('nothing was asked');
  return send(msisdn, purposes.invoice, { address, solved: solve(challenge) });
}

describe('a code', () => {
  test('OTP-4 proves its number once, and never again', async () => {
    const id = await send();
    expect(await verify(id, lastCode(), { purpose: purposes.invoice })).toMatchObject({
      subject: number,
      purpose: purposes.invoice,
    });
    await expect(verify(id, lastCode())).rejects.toMatchObject({ kind: 'codeRefused' });
  });

  test('OTP-4 expires', async () => {
    const id = await send();
    time += (codeLifeSeconds + 1) * 1000;
    await expect(verify(id, lastCode())).rejects.toMatchObject({ kind: 'codeRefused' });
  });

  test('OTP-4 ends when a newer one is sent, by resend or by send', async () => {
    const id = await send();
    const first = lastCode();
    time += 61_000;
    await otp.resend({ id, asker: asking(), language: 'en-GB' });
    const second = lastCode();
    if (first !== second) await expect(verify(id, first)).rejects.toMatchObject({ kind: 'wrongCode' });
    time += 61_000;
    await send();
    await expect(verify(id, second)).rejects.toMatchObject({ kind: 'codeRefused' });
  });

  test('OTP-4 resending does not reset the attempts', async () => {
    const id = await send();
    for (const left of [4, 3, 2, 1])
      await expect(verify(id, wrongCode())).rejects.toMatchObject({ kind: 'wrongCode', extra: { attemptsLeft: left } });
    time += 61_000;
    await otp.resend({ id, asker: asking(), language: 'en-GB' });
    await expect(verify(id, wrongCode())).rejects.toMatchObject({ kind: 'attemptsExhausted' });
    await expect(verify(id, lastCode())).rejects.toMatchObject({ kind: 'attemptsExhausted' });
  });

  test('SEC-1 takes at most five attempts, with any number of concurrent requests and processes', async () => {
    const id = await send();
    const code = lastCode();
    const processes = await Promise.all([createService(), createService(), createService()]);
    const guesses = Array.from({ length: 300 }, (_, index) =>
      processes[index % 3]
        ?.verify({
          id,
          code: String(index).padStart(6, '0') === code ? wrongCode() : String(index).padStart(6, '0'),
          asker: asking(),
        })
        .catch((error: { kind: string }) => error.kind),
    );
    const outcomes = await Promise.all(guesses);
    // The fifth wrong attempt is reported as the last.
    expect(outcomes.filter((outcome) => outcome === 'wrongCode')).toHaveLength(4);
    expect(outcomes.filter((outcome) => outcome === 'attemptsExhausted')).toHaveLength(296);
    await expect(verify(id, code)).rejects.toMatchObject({ kind: 'attemptsExhausted' });
  });

  test('SEC-1 used by concurrent requests proves its number to one of them', async () => {
    const id = await send();
    const code = lastCode();
    // With a connection ready for each request, all of them start before one finishes.
    await Promise.all(Array.from({ length: 5 }, () => sql`select 1`.execute(database.db)));
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
        // A repeated request within a minute gets the same code.
        time += 61_000;
        const sendAs = ({ visit, ...what }: typeof one) =>
          otp.send({ ...what, asker: asking({ visit }), language: 'en-GB' });
        const id = await sendAs(one);
        const code = lastCode();
        const otherId = await sendAs(other);
        const otherCode = lastCode();
        fc.pre(code !== otherCode);
        await expect(verify(otherId, code, other)).rejects.toThrow();
        if (one.visit !== other.visit) await expect(verify(otherId, otherCode, { visit: one.visit })).rejects.toThrow();
        if (one.purpose !== other.purpose)
          await expect(verify(otherId, otherCode, { visit: other.visit, purpose: one.purpose })).rejects.toThrow();
        void id;
      }),
      { numRuns: 40 },
    );
  });

  test('OTP-2 that is still valid is entered when a code for something else went to the number a moment ago', async () => {
    const visiting = { visit: 'b'.repeat(22) };
    const id = await send(number, purposes.lead, visiting);
    const code = lastCode();
    time += 61_000;
    await send(number, purposes.invoice, visiting);
    time += 5_000;
    expect(await send(number, purposes.lead, visiting)).toBe(id);
    expect(sent).toHaveLength(2);
    expect(await verify(id, code, visiting)).toMatchObject({ purpose: purposes.lead });
  });

  test('is stored only as a keyed hash', async () => {
    await send();
    const rows = await database.db.selectFrom('codes').selectAll().execute();
    const opened = rows.map((row) => openRow(database.db, 'codes', row));
    expect(JSON.stringify([rows, opened])).not.toContain(lastCode());
  });
});

describe('sending', () => {
  test('SEC-3 waits a minute before another code', async () => {
    const id = await send();
    time += 59_000;
    await expect(otp.resend({ id, asker: asking(), language: 'en-GB' })).rejects.toMatchObject({
      kind: 'codeRefused',
      extra: { retryAfterSeconds: 1 },
    });
    time += 1_000;
    expect(await otp.resend({ id, asker: asking(), language: 'en-GB' })).toBe(id);
    expect(sent).toHaveLength(2);
  });

  test('SEC-3 the minute is the number’s: no other visit, network or purpose gets a code in it; one that was entered frees the next', async () => {
    const one = asking({ visit: 'a'.repeat(22) });
    const id = await asked(one, 'INVOICE');
    for (const purpose of ['INVOICE', 'AIRTIME'])
      for (const who of [asking({ visit: 'b'.repeat(22) }), asking({ visit: null })]) {
        time += 10_000;
        await expect(asked(who, purpose)).rejects.toMatchObject({ kind: 'codeRefused' });
      }
    expect(sent).toHaveLength(1);
    await otp.verify({ id, code: lastCode(), purpose: 'INVOICE', asker: one });
    await asked(asking({ visit: 'b'.repeat(22) }), 'AIRTIME');
    await expect(asked(asking({ visit: 'c'.repeat(22) }), 'AIRTIME')).rejects.toMatchObject({ kind: 'codeRefused' });
    expect(sent).toHaveLength(2);
    // Another number is not held up by it.
    await send('0390000002', 'AIRTIME', { visit: 'c'.repeat(22) });
    expect(sent).toHaveLength(3);
  });

  test('SEC-19 a stranger who asks again each minute lets the owner have the next code, at most a minute later', async () => {
    const who = stranger(1, '198.51.100.7');
    const id = await asked(who, 'AIRTIME');
    const owner = asking({ visit: 'o'.repeat(22), address: '192.0.2.1' });
    time += 5_000;
    const refused = await asked(owner, 'INVOICE').catch((error: PortalError) => error);
    const wait = (refused as PortalError).extra.retryAfterSeconds ?? 0;
    expect(wait).toBeGreaterThanOrEqual(55);
    expect(wait).toBeLessThanOrEqual(61);
    time += wait * 1000;
    await expect(otp.resend({ id, asker: who, language: 'en-GB' })).rejects.toMatchObject({ kind: 'codeRefused' });
    await expect(asked(stranger(2, '198.51.100.8'), 'AIRTIME')).rejects.toMatchObject({ kind: 'codeRefused' });
    expect(await asked(owner, 'INVOICE')).toEqual(expect.any(String));
    expect(sent).toHaveLength(2);
  });

  test('SEC-19 where the number was verified before, a stranger’s code holds nobody up', async () => {
    const owner = asking({ visit: 'o'.repeat(22), address: '192.0.2.1' });
    await otp.verify({ id: await asked(owner, 'INVOICE'), code: lastCode(), purpose: 'INVOICE', asker: owner });
    time += 86_400_000;
    await asked(stranger(1, '198.51.100.7'), 'AIRTIME');
    expect(await asked(owner, 'INVOICE')).toEqual(expect.any(String));
    await expect(asked(owner, 'AIRTIME')).rejects.toMatchObject({ kind: 'codeRefused' });
  });

  const asked = (who: Asker, purpose: string) => otp.send({ msisdn: number, purpose, asker: who, language: 'en-GB' });
  const stranger = (turn: number, address: string) => asking({ visit: `stranger-${turn}`, address });

  /** A minute apart. */
  async function fourTimes(address: string) {
    for (let turn = 0; turn < 4; turn += 1) {
      await asked(stranger(turn, address), 'AIRTIME').catch(() => {});
      time += 61_000;
    }
  }

  test('SEC-3 to one number stops at three in ten minutes and ten a day from a network, across processes', async () => {
    for (let hour = 0; hour < 12; hour += 1) {
      for (let attempt = 0; attempt < 5; attempt += 1) {
        await (await createService())
          .send({ msisdn: number, purpose: 'AIRTIME', asker: stranger(attempt, '198.51.100.7'), language: 'en-GB' })
          .catch(() => {});
        time += 61_000;
      }
      expect(sent.length).toBe(
        Math.min((hour + 1) * standardBudgets.codeNetworkSoon.most, standardBudgets.codeNetworkDay.most),
      );
      time += 3_600_000;
    }
    await expect(asked(stranger(9, '198.51.100.7'), 'AIRTIME')).rejects.toMatchObject({
      kind: 'maxLimit',
      message: 'max limit exhausted, please try after sometime.',
    });
  });

  test('SEC-19 one stranger cannot keep an owner from the first code, and two networks get no fifth one', async () => {
    for (const address of ['198.51.100.7', '198.51.100.8']) await fourTimes(address);
    expect(sent).toHaveLength(standardBudgets.codeNetworkSoon.most);
    expect(await asked(asking({ visit: 'o'.repeat(22), address: '192.0.2.1' }), 'AIRTIME')).toEqual(expect.any(String));
    time += 61_000;
    await expect(asked(asking({ visit: 'p'.repeat(22), address: '203.0.113.9' }), 'AIRTIME')).rejects.toMatchObject({
      kind: 'maxLimit',
    });
    expect(sent).toHaveLength(standardBudgets.codeNumberSoon.most);
  });

  test('SEC-19 a browser or address that verified the number within 30 days has its own small budget of codes', async () => {
    const owner = asking({ visit: 'o'.repeat(22), address: '192.0.2.1' });
    await otp.verify({ id: await asked(owner, 'INVOICE'), code: lastCode(), purpose: 'INVOICE', asker: owner });
    time += 29 * 86_400_000;
    for (const address of ['198.51.100.7', '203.0.113.9']) await fourTimes(address);
    await expect(asked(stranger(9, '192.0.2.2'), 'AIRTIME')).rejects.toMatchObject({ kind: 'maxLimit' });
    sent = [];
    const elsewhere = asking({ visit: 'o'.repeat(22), address: '192.0.2.77' });
    const sameHouse = asking({ visit: 'q'.repeat(22), address: '192.0.2.1' });
    for (const known of [elsewhere, sameHouse]) {
      const before = sent.length;
      for (let turn = 0; turn < 5; turn += 1) {
        await asked(known, `PURPOSE-${turn}`).catch(() => {});
        time += 61_000;
      }
      expect(sent).toHaveLength(before + standardBudgets.codeNetworkSoon.most);
    }
    time += 2 * 86_400_000;
    for (const address of ['198.51.100.7', '203.0.113.9']) await fourTimes(address);
    await expect(asked(sameHouse, 'AIRTIME')).rejects.toMatchObject({ kind: 'maxLimit' });
  });

  test('SEC-19 a browser that proved the number gets its code though strangers used up the budget of the number', async () => {
    const asker = asking({ visit: 'o'.repeat(22) });
    const id = await asked(asker, 'INVOICE');
    await otp.issueProof(await otp.verify({ id, code: lastCode(), purpose: 'INVOICE', asker }));
    for (let turn = 0; turn < 5; turn += 1) {
      await asked(asking({ visit: `stranger-${turn}` }), 'AIRTIME').catch(() => {});
      time += 61_000;
    }
    await expect(asked(asking({ visit: 'another' }), 'AIRTIME')).rejects.toMatchObject({ kind: 'maxLimit' });
    expect(await asked(asker, 'AIRTIME')).toEqual(expect.any(String));
    // Not without limit, and for no other number.
    for (let turn = 0; turn < 5; turn += 1) await asked(asker, `PURPOSE-${turn}`).catch(() => {});
    await expect(asked(asker, 'ONE-MORE')).rejects.toMatchObject({ kind: expect.stringMatching(/maxLimit|challenge/) });
  });

  const block = (index: number) => `039000${String(index).padStart(4, '0')}`;

  test('SEC-3 SEC-19 to a block of numbers requires a challenge from four fifths on, and a verified code is given back', async () => {
    const freely = standardBudgets.codeBlock.most * 0.8;
    for (let index = 100; index < 100 + freely; index += 1) await send(block(index));
    await expect(send(block(200))).rejects.toMatchObject({ kind: 'challengeNeeded' });
    expect(sent).toHaveLength(freely);
    // The block stays open to those who solve a challenge, and another block to everyone.
    for (let index = 201; index < 220; index += 1) await sendSolved(block(index));
    await send('0391230001');
    expect(sent).toHaveLength(freely + 20);
    await sql`truncate rate_limits, codes`.execute(database.db);
    sent = [];
    for (let index = 200; index < 300; index += 1) await verify(await send(block(index)), lastCode());
    expect(sent).toHaveLength(100);
  });

  test('SEC-3 SEC-19 to thousands of numbers requires challenges from four fifths on, and stops at the total budget', async () => {
    scale = 0.005;
    otp = await createService();
    const most = standardBudgets.codeSmsAll.most * scale;
    const far = (index: number) => `039${String(index * 10_000 + 7).padStart(7, '0')}`;
    for (let index = 0; index < most + 5; index += 1) await send(far(index)).catch(() => {});
    expect(sent).toHaveLength(most * 0.8);
    for (let index = 20; index < 22; index += 1) await sendSolved(far(index));
    // Each challenge is solved right before it is used; one solved earlier, at a lower price, would be refused.
    expect(sent).toHaveLength(most * 0.8 + 2);
    await sendSolved(far(30));
    await expect(sendSolved(far(31))).rejects.toMatchObject({ kind: 'maxLimit' });
    expect(sent).toHaveLength(most);
    // Mail has its own budget.
    await otp.send({ msisdn: 'v@example.mg', purpose: 'P', asker: asking(), language: 'en-GB' });
    expect(sent).toHaveLength(most + 1);
  });

  test('SEC-19 by mail to made-up addresses uses none of the SMS budget', async () => {
    scale = 0.1;
    otp = await createService();
    const mailTo = (address: string) =>
      otp.send({ msisdn: address, purpose: 'P', asker: asking(), language: 'en-GB' }).catch(({ kind }) => kind);
    const answers: string[] = [];
    for (let index = 0; index < 60; index += 1) answers.push(await mailTo(`made${index}@up.example`));
    expect(answers.filter((kind) => kind === 'challengeNeeded')).toHaveLength(60 - 48);
    for (let index = 0; index < 30; index += 1) await send(`039${String(index * 10_000 + 7).padStart(7, '0')}`);
    expect(challenged).toEqual(Array(12).fill('given'));
  });

  test('SEC-19 by mail counts addresses of one person as one', async () => {
    const mailTo = (address: string) => otp.send({ msisdn: address, purpose: 'P', asker: asking(), language: 'en-GB' });
    const mailbox = ['v@example.mg', 'v+1@example.mg', 'V+two@example.mg', 'v+3@example.mg'];
    for (const address of mailbox) {
      await mailTo(address);
      time += 61_000;
    }
    await expect(mailTo('v+4@example.mg')).rejects.toMatchObject({ kind: 'maxLimit' });
    expect(sent.map(({ to }) => to)).toEqual(mailbox);
  });

  test('goes to our own numbers only', async () => {
    for (const other of ['0340000001', '0320000001', '0201234567'])
      await expect(send(other)).rejects.toMatchObject({ kind: 'codeRefused' });
    expect(sent).toEqual([]);
  });

  test('OTP-3 that the SMS centre refuses is reported as the limit', async () => {
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

  test('SEC-7 one payment, though the same attempt may be retried', async () => {
    const proof = await otp.issueProof(proved);
    await spend(proof, proved, 'attempt-1');
    await spend(proof, proved, 'attempt-1');
    await expect(spend(proof, proved, 'attempt-2')).rejects.toMatchObject({ kind: 'notVerified' });
  });

  test('SEC-7 SEC-25 SEC-27 nothing for another number, purpose, payment or visit, and nothing after it expired', async () => {
    const proof = await otp.issueProof(proved);
    for (const other of others) await expect(spend(proof, other, 'a')).rejects.toMatchObject({ kind: 'notVerified' });
    const reading = { purposes: ['AIRTIME', 'BALANCE'], subject: number, visit };
    await expect(otp.requireProof(proof, { ...reading, purposes: ['INVOICE'] })).rejects.toThrow();
    await expect(otp.requireProof(proof, { ...reading, visit: 'another visit' })).rejects.toThrow();
    await otp.requireProof(proof, reading);
    time += proofLifeSeconds * 1000;
    await expect(otp.requireProof(proof, reading)).rejects.toThrow();
  });

  test('SEC-7 a token carries all that was proved, for a quarter of an hour', () => {
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
  const pay = () => otp.send({ msisdn: number, purpose: 'AIRTIME', payment, asker: asking(), language: 'en-GB' });

  test('that pays names amount and payee, also when it is resent, and verifies that payment only', async () => {
    const id = await pay();
    expect(sent.at(-1)?.text).toContain('12,500');
    expect(sent.at(-1)?.text).toContain('39 00 000 02');
    time += 61_000;
    await otp.resend({ id, asker: asking(), language: 'en-GB' });
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
    time += 61_000;
    await send();
    expect(sent.at(-1)?.text).toMatch(new RegExp(`\\n\\n@portal\\.example #${lastCode()}$`));
  });

  test('that was requested without a purpose verifies only the number', async () => {
    for (const purpose of ['AIRTIME', 'INVOICE', 'SMARTCASH_SECURE', purposes.lead, purposes.balance]) {
      await sql`truncate rate_limits, codes`.execute(database.db);
      const id = await send(number, purposes.number);
      await expect(verify(id, lastCode(), { purpose })).rejects.toMatchObject({ kind: 'wrongCode' });
    }
  });
});

describe('SEC-19 a rising share of wrong codes', () => {
  const far = (index: number) => `039${String(index * 10_000 + 7).padStart(7, '0')}`;
  const guess = (id: string, code: string, address: string) =>
    otp
      .verify({ id, code, asker: { visit, address } })
      .then(() => 'verified')
      .catch(({ kind }) => kind);
  const { most } = standardBudgets.guessWrong;
  /** Sends that many wrong codes, four for each code. */
  async function guessFrom(addressOf: (index: number) => string, wrong: number, numberOf = far) {
    for (let index = 0; index * 4 < wrong; index += 1) {
      const id = await send(numberOf(index + 100));
      for (let attempt = 0; attempt < Math.min(4, wrong - index * 4); attempt += 1)
        await guess(id, wrongCode(), addressOf(index));
    }
  }
  const afterOneMistake = async (address: string, to = far(1)) => {
    const id = await send(to);
    const first = await guess(id, wrongCode(), address);
    return [first, await guess(id, lastCode(), address)];
  };
  const open = ['wrongCode', 'verified'];
  const closed = ['wrongCode', 'attemptsExhausted'];

  test('closes guessing for that network and no other, and a right first attempt is still accepted there', async () => {
    await guessFrom(() => '2001:db8:1:2::9', most - 2);
    expect(await afterOneMistake('2001:db8:1:2::1', far(2))).toEqual(open);
    expect(await afterOneMistake('2001:db8:1:2::1')).toEqual(closed);
    expect(await afterOneMistake('2001:db8:1:3::1', far(3))).toEqual(open);
    expect(await guess(await send(far(4)), lastCode(), '2001:db8:1:2::1')).toBe('verified');
    expect(told).toContain('closed');
    time += 800_000;
    expect(await afterOneMistake('2001:db8:1:2::1', far(5))).toEqual(open);
  });

  test('is counted by /56 and /48 if addresses change, and by /24', async () => {
    await guessFrom((index) => `2001:db8:1:${(index % 200).toString(16)}::9`, most * 4);
    expect(await afterOneMistake('2001:db8:1:fe::1')).toEqual(closed);
    expect(await afterOneMistake('2001:db8:1:9999::1', far(2))).toEqual(open);
    await sql`truncate rate_limits, codes`.execute(database.db);
    await guessFrom((index) => `203.0.113.${index % 250}`, most * 16);
    expect(await afterOneMistake('203.0.113.251', far(3))).toEqual(closed);
    expect(await afterOneMistake('203.0.114.1', far(4))).toEqual(open);
  });

  test('closes guessing for a block of numbers, whatever network it comes from', async () => {
    const near = (index: number) => `0395550${String(index).padStart(3, '0')}`;
    await guessFrom((index) => `2001:db8:${index.toString(16)}::9`, most * 4, near);
    expect(await afterOneMistake('198.51.100.1', near(7))).toEqual(closed);
    expect(await afterOneMistake('198.51.100.1', far(7))).toEqual(open);
  });

  test('stays low among many right ones: a network of many customers stays open', async () => {
    const address = '198.51.100.7';
    for (let index = 0; index < most; index += 1) await guess(await send(far(index)), lastCode(), address);
    await guessFrom(() => address, most - 1);
    expect(await afterOneMistake(address)).toEqual(open);
  });
});

describe('the message with a code', () => {
  const payment = { digest: 'the payment', amount: 12_500, currency: 'MGA', payee: '39 00 000 02' };

  test('has the code, the brand and the minutes to expiry, and goes to the number in international form', async () => {
    await send();
    const brand = (await loadPack('mg')).brand.name;
    expect(texts).toEqual([
      { language: 'en-GB', key: 'notices.code', params: { code: lastCode(), brand, minutes: codeLifeSeconds / 60 } },
    ]);
    expect(sent[0]?.to).toBe('261390000001');
    expect(lastCode()).toMatch(/^\d{6}$/);
  });

  test('has the amount of a payment too, formatted for the language', async () => {
    await otp.send({ msisdn: number, purpose: 'AIRTIME', payment, asker: asking(), language: 'fr-FR' });
    expect(texts).toEqual([
      {
        language: 'fr-FR',
        key: 'notices.payCode',
        params: expect.objectContaining({ amount: 'MGA 12\u202f500', payee: payment.payee, minutes: 5 }),
      },
    ]);
    time += 61_000;
    await otp.send({ msisdn: number, purpose: 'AIRTIME', payment, asker: asking(), language: 'en-US' });
    expect(texts[1]?.params).toMatchObject({ amount: 'MGA 12,500' });
  });

  test('goes by mail to an email address, with a subject and without the origin-bound line', async () => {
    const address = 'lova@example.mg';
    const id = await otp.send({
      msisdn: number,
      recipient: address,
      purpose: purposes.lead,
      asker: asking(),
      language: 'en-GB',
    });
    expect(texts.map(({ key }) => key)).toEqual(['notices.code', 'notices.codeSubject']);
    expect(sent).toEqual([{ to: address, subject: '', text: expect.not.stringContaining('@portal.example') }]);
    expect(await verify(id, lastCode())).toMatchObject({ subject: number, purpose: purposes.lead });
    for (let other = 0; other < standardBudgets.codeBlock.most + 5; other += 1)
      await otp.send({
        msisdn: number,
        recipient: `a${other}@example.mg`,
        purpose: `P${other}`,
        asker: asking(),
        language: 'en-GB',
      });
    expect(sent).toHaveLength(standardBudgets.codeBlock.most + 6);
  });

  test('refusals use the wording of the specification', async () => {
    await expect(send('0340000001')).rejects.toMatchObject({
      message: 'We can only send a code to one of our own numbers.',
      extra: { field: 'data.msisdn' },
    });
    await expect(otp.resend({ id: 'nobody', asker: asking(), language: 'en-GB' })).rejects.toMatchObject({
      kind: 'codeRefused',
      message: 'Please ask for a new code.',
    });
    const id = await send();
    await expect(otp.resend({ id, asker: asking({ visit: 'another' }), language: 'en-GB' })).rejects.toThrow(
      'Please ask for a new code.',
    );
    await expect(otp.resend({ id, asker: asking(), language: 'en-GB' })).rejects.toThrow(
      'You can ask for another code in 60 seconds.',
    );
    await expect(verify(id, wrongCode())).rejects.toThrow('Please enter correct OTP');
    await expect(verify('nobody', '123456')).rejects.toThrow('This code is no longer valid. Please ask for a new one.');
    await verify(id, lastCode());
    await expect(otp.resend({ id, asker: asking(), language: 'en-GB' })).rejects.toThrow('Please ask for a new code.');
    await expect(otp.requireProof('nobody', { purposes: [], subject: number, visit })).rejects.toThrow(
      'Please verify your number first.',
    );
  });

  test('after the last attempt says that none is left', async () => {
    const id = await send();
    for (let round = 0; round < 4; round += 1) await verify(id, wrongCode()).catch(() => {});
    for (let round = 0; round < 2; round += 1)
      await expect(verify(id, wrongCode())).rejects.toMatchObject({
        kind: 'attemptsExhausted',
        message: 'Maximum attempts exhausted.',
        extra: { attemptsLeft: 0 },
      });
    time += 61_000;
    await send();
    await expect(verify(id, lastCode())).rejects.toMatchObject({ kind: 'codeRefused' });
  });
});

describe('log and metrics of a code', () => {
  test('get its outcome', async () => {
    const id = await send();
    await verify(id, wrongCode()).catch(() => {});
    await verify(id, lastCode());
    await verify(id, lastCode()).catch(() => {});
    await send('0390000010').catch(() => {});
    for (let again = 0; again < 4; again += 1) {
      time += 61_000;
      await send().catch(() => {});
    }
    expect(told).toEqual([
      'sent',
      'wrong',
      'verified',
      'spent',
      'Error: the centre refused it',
      'sent',
      'sent',
      'sent',
      'budget',
    ]);
  });

  test('count by outcome, and warn when sending fails', async () => {
    const metrics = createMetrics();
    const warned: unknown[] = [];
    const events = otpEvents({ warn: (...args: unknown[]) => void warned.push(args) } as never, metrics);
    events.sent();
    events.verified();
    events.refused('wrong');
    events.notSent('why');
    const text = await metrics.text();
    expect(text).toContain('# HELP portal_codes_total One-time codes by what became of them');
    for (const outcome of ['sent', 'verified', 'wrong', 'notSent'])
      expect(text).toContain(`portal_codes_total{outcome="${outcome}"} 1`);
    expect(warned).toEqual([[{ err: 'why' }, 'a code could not be sent']]);
  });
});

describe('what is stored', () => {
  const proved: Proved = { purpose: 'AIRTIME', subject: number, visit, payment: null };
  const digestOf = (proof: string) => otp.openToken(`Bearer ${otp.issueToken(proved, proof).accessToken}`).proofDigest;
  const hold = (digest: string, payment: string) => otp.holdProof(database.db, digest, payment);

  test('a proof is held by one payment until that releases it or it expires', async () => {
    const digest = digestOf(await otp.issueProof(proved));
    expect([await hold(digest, 'one'), await hold(digest, 'one'), await hold(digest, 'other')]).toEqual([
      true,
      true,
      false,
    ]);
    await otp.releaseProof(database.db, digest, 'other');
    expect(await hold(digest, 'other')).toBe(false);
    await otp.releaseProof(database.db, digest, 'one');
    expect(await hold(digest, 'other')).toBe(true);
    time += proofLifeSeconds * 1000;
    expect(await hold(digest, 'other')).toBe(false);
  });

  test('a proof is stored as a keyed hash, and so is the attempt that spent it', async () => {
    const proof = await otp.issueProof(proved);
    await otp.spendProof(database.db, proof, proved, 'attempt');
    const rows = await database.db.selectFrom('proofs').select(['digest', 'spent_by']).execute();
    expect(rows).toEqual([{ digest: digestOf(proof), spent_by: expect.stringMatching(/^[\w-]{43}$/) }]);
    expect(rows[0]?.digest).toMatch(/^[\w-]{43}$/);
    expect(proof).toMatch(/^[0-9a-f]{32}$/);
  });

  test('the same code under another id has another hash', async () => {
    const hashes = async () =>
      (await database.db.selectFrom('codes').select(['id', 'code_hash']).execute()).map(({ code_hash }) => code_hash);
    const seen = new Set<string>();
    for (let round = 0; round < 3; round += 1) {
      await send(`039000000${round + 1}`);
      for (const hash of await hashes()) seen.add(hash);
    }
    expect(seen.size).toBe(3);
    for (const hash of seen) expect(hash).toMatch(/^[\w-]{43}$/);
  });

  test('codes and proofs are deleted a day after they expire', async () => {
    await send();
    await otp.issueProof(proved);
    const left = async () => [
      (await database.db.selectFrom('codes').select('id').execute()).length,
      (await database.db.selectFrom('proofs').select('digest').execute()).length,
    ];
    time += (24 * 3_600 + codeLifeSeconds) * 1000;
    await otp.deleteExpired();
    expect(await left()).toEqual([1, 1]);
    time += 1;
    await otp.deleteExpired();
    expect(await left()).toEqual([0, 1]);
    time += (proofLifeSeconds - codeLifeSeconds) * 1000;
    await otp.deleteExpired();
    expect(await left()).toEqual([0, 0]);
  });

  test('a newer code ends only the one for the same number and purpose', async () => {
    const invoice = await send();
    const invoiceCode = lastCode();
    time += 61_000;
    await send(number, purposes.balance);
    await send('0390000002');
    expect(await verify(invoice, invoiceCode)).toMatchObject({ purpose: purposes.invoice });
  });

  test('of two concurrent resends one code is valid', async () => {
    const id = await send();
    time += 61_000;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 2 }, () => otp.resend({ id, asker: asking(), language: 'en-GB' })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(sent).toHaveLength(2);
    expect(await verify(id, lastCode())).toMatchObject({ subject: number });
  });

  test('the lifetime of a resent code starts anew', async () => {
    const id = await send();
    time += (codeLifeSeconds - 10) * 1000;
    await otp.resend({ id, asker: asking(), language: 'en-GB' });
    time += (codeLifeSeconds - 10) * 1000;
    expect(await verify(id, lastCode())).toMatchObject({ subject: number });
  });
});
