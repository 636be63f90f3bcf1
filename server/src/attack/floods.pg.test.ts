import { type BudgetName, standardBudgets } from '@portal/domain/budgets.ts';
import { baseBits } from '@portal/domain/challenge/difficulty.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { solve } from '../testing/challenges.ts';
import { type DeskBrowser, signIn } from '../testing/console.ts';
import { type Answer, attackTests, type Sender, world } from './attack-world.fixture.ts';

attackTests();
beforeEach(async () => {
  await world.db.deleteFrom('proofs').execute();
});

const customer = { visit: 'customer', ip: '192.0.2.7' };
const codeTo = (number: string, from: Sender) => world.call('sendCode', { data: { msisdn: `0${number}` } }, from);
const mailTo = (email: string, from: Sender) =>
  world.call('sendLeadCode', { email, customerDetails: { fullName: 'Made Up' }, requestType: 'HBB' }, from);
const asked = ({ http, code }: Answer) => http === 428 && code === 'CHALLENGE_NEEDED';
const solving = (from: Sender, { error }: Answer): Sender => ({
  ...from,
  headers: { 'x-challenge': solve(error.challenge) },
});

/** Sets a budget's count to this many. */
async function useUp(budget: BudgetName, count: number) {
  const rows = world.db.selectFrom('rate_limits').selectAll().where('key', 'like', `budget-${budget}:%`);
  const { key, window_start } = await rows.orderBy('window_start', 'desc').executeTakeFirstOrThrow();
  const row = world.db.updateTable('rate_limits').where('key', '=', key).where('window_start', '=', window_start);
  await row.set({ count }).execute();
}

/** Requests a code, solves the challenge if there is one, reads the SMS and enters the code. */
async function getsThrough(number: string, from: Sender): Promise<number> {
  const first = await codeTo(number, from);
  const sent = asked(first) ? await codeTo(number, solving(from, first)) : first;
  if (sent.http !== 200) return sent.http;
  let otp: string | undefined;
  await expect
    .poll(
      async () => {
        const [newest] = await world.phone.messages(number);
        otp = /#(\d{6})$/.exec(newest?.text ?? '')?.[1];
        return otp;
      },
      { interval: 10 },
    )
    .toBeDefined();
  return (await world.call('verifyCode', { data: { refId: sent.result.refId, otp } }, from)).http;
}

describe('SEC-19 somebody uses up what all share', () => {
  test('codes to made-up emails from 56 networks leave SMS alone, and mail to who works for it', async () => {
    const answers: Answer[] = [];
    const flood = async (index: number) => {
      const from = { visit: `mail-${index}`, ip: `2001:db8:${index % 56}:${index}::1` };
      answers.push(await mailTo(`made${index}@up.example`, from));
    };
    await flood(0);
    // Most of the budget is used; the rest shows what happens then.
    await useUp('codeMailAll', standardBudgets.codeMailAll.most * 0.8 - 56);
    for (let index = 1; index <= 112; index += 1) await flood(index);
    expect(answers.slice(0, 57).map(({ http }) => http)).toEqual(Array(57).fill(200));
    expect(answers.slice(57).every(asked)).toBe(true);
    expect((await codeTo('390000301', customer)).http).toBe(200);
    const first = await mailTo('real@example.mg', customer);
    expect(first.error.challenge.bits).toBe(baseBits);
    expect((await mailTo('real@example.mg', solving(customer, first))).http).toBe(200);
  });

  test('sixty codes to a block of numbers keep nobody of that block from theirs', async () => {
    for (let index = 0; index < 60; index += 1)
      await codeTo(`39055${String(index).padStart(4, '0')}`, { visit: `block-${index}`, ip: '203.0.113.5' });
    expect(await getsThrough('390559001', customer)).toBe(200);
    expect((await codeTo('390660001', { visit: 'else', ip: '192.0.2.9' })).http).toBe(200);
  });

  test('a reserve that is bought up to the last code is still there for networks where codes are verified', async () => {
    expect(await getsThrough('390000401', customer)).toBe(200);
    await world.db.deleteFrom('proofs').execute();
    await useUp('codeSmsAll', standardBudgets.codeSmsAll.most);
    expect(await getsThrough('390000402', { visit: 'stranger', ip: '198.51.100.1' })).toBe(502);
    expect(await getsThrough('390000403', { visit: 'neighbour', ip: '192.0.2.200' })).toBe(200);
  });
});

describe('SEC-19 somebody gets around a challenge', () => {
  /** A block of numbers whose budget runs low. */
  async function runLow() {
    await world.db.deleteFrom('codes').execute();
    for (let index = 0; index < 48; index += 1)
      await codeTo(`39077${String(index).padStart(4, '0')}`, { visit: `low-${index}`, ip: `10.0.${index}.1` });
  }

  test('with a solution for another number, way, visit or bill, or the same one again', async () => {
    await runLow();
    const from = { visit: 'solver', ip: '203.0.113.9' };
    const paid = solving(from, await codeTo('390770900', from));
    const others = [
      await codeTo('390770901', paid),
      await codeTo('390770900', { ...paid, visit: 'another' }),
      await world.call('sendInvoiceCode', { data: { text: '0390770902', otpAction: 'INVOICE' } }, paid),
    ];
    expect(others.every(asked)).toBe(true);
    expect((await codeTo('390770900', paid)).http).toBe(200);
    // Within a minute the code is the same.
    world.advance(61);
    expect(asked(await codeTo('390770900', paid))).toBe(true);
  });

  test('with a header that is no solution, or none that can be read: it is asked for again, or refused in words', async () => {
    await runLow();
    const { error } = await codeTo('390770900', customer);
    const { token } = error.challenge;
    const made = ['x', token, `${token}.work.`, `${token}.work.0-0-0-0-0-0-0-0`, `${token}.answer.0`, 'a.work.b', '..'];
    for (const header of made) {
      const { http } = await codeTo('390770900', { ...customer, headers: { 'x-challenge': header } });
      expect([422, 428], header).toContain(http);
    }
  });

  test('by naming another address: the price is that of the address itself, where no proxy is trusted', async () => {
    await runLow();
    const bits: number[] = [];
    for (let index = 0; index < 4; index += 1) {
      const headers = { 'x-forwarded-for': `198.51.${index}.1`, 'x-real-ip': `198.51.${index}.2` };
      const { error } = await codeTo('390770900', { visit: `forged-${index}`, ip: '203.0.113.77', headers });
      bits.push(error.challenge.bits);
    }
    expect(bits).toEqual([baseBits, baseBits, baseBits, baseBits + 1]);
  });
});

test('SEC-19 wrong codes from behind an address close guessing there, and keep none of its neighbours from a right code', async () => {
  const ip = '203.0.113.50';
  for (let index = 0; index < 6; index += 1) {
    const from = { visit: `guesser-${index}`, ip };
    const { result } = await codeTo(`3908800${10 + index}`, from);
    for (let guess = 0; guess < 4; guess += 1)
      await world.call('verifyCode', { data: { refId: result.refId, otp: `00000${guess}` } }, from);
  }
  const guesser = { visit: 'one more', ip };
  const { result } = await codeTo('390880099', guesser);
  const guess = (otp: string) => world.call('verifyCode', { data: { refId: result.refId, otp } }, guesser);
  expect([(await guess('111111')).http, (await guess('222222')).http]).toEqual([401, 429]);
  expect(await getsThrough('390880050', { visit: 'neighbour', ip })).toBe(200);
});

test('SEC-19 codes that are refused by a limit write no errors into the log', async () => {
  const number = '390000781';
  const answers: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    const from = { visit: `log-${index}`, ip: `192.0.2.${60 + index}` };
    answers.push((await codeTo(number, from)).http);
    world.advance(61);
  }
  expect(answers).toContain(502);
  expect(world.running.lines.filter((line) => line.includes('request failed'))).toEqual([]);
});

describe('limits of the console', () => {
  const http = () => world.running.portal.http;
  const write = (desk: DeskBrowser) => desk.call('endSession', { session: 'x' });

  test('a stranger at the operator’s own address uses up nothing of who is signed in, and neither does a colleague', async () => {
    const finance = await signIn(http(), 'finance@console.example');
    const colleague = await signIn(http(), 'finance2@console.example');
    const statuses = new Set<number>();
    for (let sent = 0; sent < 1_300; sent += 1)
      statuses.add((await http().inject({ url: '/console/api/nothing' })).statusCode);
    expect([...statuses].sort()).toEqual([404, 429]);
    expect((await write(finance)).status).toBe(404);
    // A client that uses up its own budget is refused alone.
    const own = new Set<number>();
    for (let sent = 0; sent < 130; sent += 1) own.add((await write(colleague)).status);
    expect([...own].sort()).toEqual([404, 429]);
    expect((await write(finance)).status).toBe(404);
  });
});
