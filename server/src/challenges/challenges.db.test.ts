import type { Challenge } from '@portal/contract/challenge.ts';
import { challengeAnswer } from '@portal/contract/challenge-header.ts';
import { standardBudgets } from '@portal/domain/budgets.ts';
import { baseBits, reservedShare } from '@portal/domain/challenge/difficulty.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Budgets, createBudgets } from '../budgets/budgets.service.ts';
import type { Database } from '../db/database.ts';
import { sealRow } from '../db/personal-data.ts';
import { createMetrics } from '../http/metrics.ts';
import type { PortalError } from '../http/portal-error.ts';
import { sealedTokens } from '../http/sealed-token.ts';
import { createVisits } from '../http/visits.ts';
import { solve } from '../testing/challenges.ts';
import { testDatabase } from '../testing/database.ts';
import { challengeEvents } from './challenges.events.ts';
import { type Asker, askerOf, type Challenges, createChallenges, type Wanted } from './challenges.service.ts';

const secret = 'a secret for tests, long enough to be one';
/** Twenty in all, so four are reserved for those who solved a challenge. */
const rules = { ...standardBudgets, codeSmsAll: { most: 20, seconds: 600 } };
const freely = 16;
const scarce = { budget: 'codeSmsAll', subject: '' } as const;

let database: Database;
let budgets: Budgets;
let challenges: Challenges;
let time: number;
let told: string[];
let done: string[];
const now = () => new Date(time);

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await sql`truncate proofs, rate_limits, solved_challenges`.execute(database.db);
  time = Date.parse('2026-03-02T08:00:00Z');
  told = [];
  done = [];
  const { db } = database;
  budgets = createBudgets(db, { secret, scale: 1, rules, now, events: { refused() {} } });
  challenges = createChallenges({
    db,
    budgets,
    tokens: sealedTokens(secret, now),
    now,
    events: {
      given: (effect) => void told.push(`given ${effect}`),
      solved: (effect, outcome) => void told.push(`${outcome} ${effect}`),
    },
  });
});

type Changes = Partial<Omit<Wanted, 'asker'>> & Partial<Asker>;

const wantedBy = ({ visit = 'visit', address = '203.0.113.1', solved, ...more }: Changes): Wanted => ({
  effect: 'sms',
  subject: '0390000001',
  scarce,
  reserved: ['codeSmsAll'],
  asker: { visit, address, solved },
  ...more,
});

/** The used-up budget, or the challenge that is required. */
function ask(changes: Changes = {}): Promise<string | null | Challenge> {
  const wanted = wantedBy(changes);
  return challenges
    .admit(wanted, async (transaction, { room, keptDraws, askedFrom, keptFor }) => {
      const part = room === 'open' ? { reserved: reservedShare } : {};
      const draws = room === 'kept' ? keptDraws : [{ ...scarce, ...part }];
      const spent = await budgets.take(draws, transaction);
      if (!spent)
        done.push(`${askedFrom === null ? 'freely' : 'after a challenge'}${keptFor === null ? '' : ', kept'}`);
      return spent;
    })
    .catch((error: PortalError) => {
      if (error.kind !== 'challengeNeeded' || !error.extra.challenge) throw error;
      return error.extra.challenge;
    });
}

async function challengeFor(changes: Changes = {}): Promise<Challenge> {
  const asked = await ask(changes);
  if (asked === null || typeof asked === 'string') throw new Error(`no challenge, but ${asked}`);
  return asked;
}

/** Uses all but the last fifth, without traces of how. */
async function runLow(already = freely) {
  for (let round = 0; round < already; round += 1) await budgets.note([scarce]);
}

describe('SEC-19 a challenge', () => {
  test('is required when a fifth of the budget is left, and never before', async () => {
    for (let round = 0; round < freely; round += 1) expect(await ask()).toBeNull();
    expect(await challengeFor()).toMatchObject({ bits: baseBits, waitSeconds: 10 });
    expect(done).toHaveLength(freely);
    expect(told).toEqual(['given sms']);
  });

  test('that is solved opens the last fifth, until that is used up too', async () => {
    await runLow();
    for (let round = 0; round < 4; round += 1) {
      const from = { address: `203.0.${round}.1` };
      expect(await ask({ ...from, solved: solve(await challengeFor(from)) })).toBeNull();
    }
    expect(done).toEqual(Array(4).fill('after a challenge'));
    const last = await challengeFor({ address: '198.51.100.1' });
    expect(await ask({ address: '198.51.100.1', solved: solve(last) })).toBe('codeSmsAll');
    expect(told.slice(-2)).toEqual(['given sms', 'inVain sms']);
  });

  test('is accepted once, also when submitted concurrently', async () => {
    await runLow();
    const solved = solve(await challengeFor());
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask({ solved })));
    expect(answers.filter((answer) => answer === null)).toHaveLength(1);
    expect(done).toEqual(['after a challenge']);
    time += 60_000;
    expect(await ask({ solved })).toMatchObject({ bits: expect.any(Number) });
  });

  test('is valid for its effect, subject and visit only, for three minutes', async () => {
    await runLow();
    const solved = solve(await challengeFor());
    const others: Changes[] = [
      { subject: '0390000002' },
      { effect: 'mail' },
      { effect: 'bills' },
      { visit: 'another visit' },
      { visit: null },
    ];
    for (const other of others) await challengeFor({ ...other, solved });
    time += 180_000;
    await challengeFor({ solved });
    expect(done).toEqual([]);
    time -= 1;
    // The network may change meanwhile, as it often does on phones.
    expect(await ask({ solved, address: '198.51.100.77' })).toBeNull();
  });

  test('is not solved by the solution of another, by none, or by a made-up one', async () => {
    await runLow();
    const [one, other] = [await challengeFor(), await challengeFor()];
    const [, , numbers = ''] = solve(other).split('.');
    const wrong = [
      challengeAnswer(one.token, 'work', numbers),
      challengeAnswer(one.token, 'work', '0-0-0-0-0-0-0-0'),
      challengeAnswer(`${one.token.slice(0, -2)}AA`, 'work', numbers),
      challengeAnswer('made-up', 'work', numbers),
      one.token,
      `${one.token}..`,
      '..',
    ];
    for (const solved of wrong) await challengeFor({ solved });
    expect(done).toEqual([]);
    expect(told.filter((outcome) => outcome === 'wrong sms').length).toBeGreaterThanOrEqual(wrong.length - 1);
  });

  test('is not required once the budget has room again', async () => {
    await runLow();
    await challengeFor();
    time += 800_000;
    expect(await ask({ solved: 'too.old.now' })).toBeNull();
    expect(done).toEqual(['freely']);
  });
});

describe('SEC-19 its price', () => {
  const bitsFor = async (address: string) => (await challengeFor({ address })).bits - baseBits;

  test('doubles as a network requests more of them, and stays the lowest for every other', async () => {
    await runLow();
    const prices: number[] = [];
    for (let round = 0; round < 16; round += 1) prices.push(await bitsFor('203.0.113.1'));
    expect(prices).toEqual([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 3]);
    expect(await bitsFor('203.0.113.2')).toBe(0);
    expect(await bitsFor('2001:db8::1')).toBe(0);
    time += 800_000;
    await runLow();
    expect(await bitsFor('203.0.113.1')).toBe(0);
  });

  test('doubles by /56 and /48 for a client that changes its /64', async () => {
    await runLow();
    for (let part = 0; part < 100; part += 1) await challengeFor({ address: `2001:db8:1:${part}::1` });
    expect(await bitsFor('2001:db8:1:ff::1')).toBeGreaterThanOrEqual(2);
    expect(await bitsFor('2001:db8:1:9900::1')).toBeGreaterThanOrEqual(1);
    expect(await bitsFor('2001:db8:2::1')).toBe(0);
  });

  test('doubles with each half of the reserve that is used', async () => {
    const prices: number[] = [];
    for (const [index, used] of [16, 2, 1, 1].entries()) {
      await runLow(used);
      prices.push(await bitsFor(`198.51.${index}.1`));
    }
    expect(prices).toEqual([0, 1, 2, 4]);
  });

  test('must be met when spent: solutions collected while it was low are refused when the reserve is nearly used up', async () => {
    await runLow();
    const gathered: string[] = [];
    for (let index = 0; index < 6; index += 1)
      gathered.push(solve(await challengeFor({ address: `198.51.${index}.1` })));
    for (const solved of gathered) await ask({ solved });
    // Half of the reserve costs the lowest price, the rest more.
    expect(done).toHaveLength(3);
  });
});

describe('SEC-19 without script', () => {
  const answered = ({ token, question }: Challenge, add = 0) =>
    challengeAnswer(token, 'answer', String(question.left + question.right + add));

  test('a sum and a wait are required: an early answer has to be sent again, a wrong one is refused', async () => {
    await runLow();
    const asked = await challengeFor();
    time += 4_000;
    // The same question, so that the wait does not start anew.
    expect(await challengeFor({ solved: answered(asked) })).toEqual({ ...asked, waitSeconds: 6 });
    time += 6_000;
    expect((await challengeFor({ solved: answered(asked, 1) })).token).not.toBe(asked.token);
    expect(await ask({ solved: answered(asked) })).toBeNull();
    expect(await ask({ solved: answered(asked) })).not.toBeNull();
    expect(done).toEqual(['after a challenge']);
  });

  test('answers need no work, so a network has two of them, and all together few', async () => {
    await runLow();
    const asked: Challenge[] = [];
    for (let index = 0; index < 3; index += 1) asked.push(await challengeFor());
    time += 10_000;
    const answers: unknown[] = [];
    for (const each of asked) answers.push(await ask({ solved: answered(each) }));
    expect(answers).toEqual([null, null, 'questionNetwork']);
  });
});

test('SEC-19 without script the wait doubles with the answers of an hour from a network, for that network only', async () => {
  await runLow();
  const waits: number[] = [];
  for (let answers = 0; answers < 5; answers += 1) {
    const asked = await challengeFor();
    waits.push(asked.waitSeconds);
    time += asked.waitSeconds * 1000;
    const { left, right } = asked.question;
    // A network has two answers in the span of its budget, so the clock moves past it after each second one.
    await ask({ solved: challengeAnswer(asked.token, 'answer', String(left + right)) });
    if (answers % 2) {
      time += 700_000;
      await runLow();
    }
  }
  expect(waits).toEqual([10, 20, 20, 40, 40]);
  expect((await challengeFor({ address: '198.51.77.1' })).waitSeconds).toBe(10);
  time += 4_500_000;
  await runLow();
  expect((await challengeFor()).waitSeconds).toBe(10);
});

describe('SEC-19 a browser that has a proof already', () => {
  const prove = (visit: string | null) =>
    database.db
      .insertInto('proofs')
      .values(
        sealRow(database.db, 'proofs', {
          digest: `of ${visit}`,
          purpose: 'NUMBER',
          subject: '0390000009',
          visit,
          payment: null,
          spent_by: null,
          expires_at: new Date(time + 600_000),
        }),
      )
      .execute();

  test('needs no challenge for a few codes, until the proof expires', async () => {
    await runLow(freely + 1);
    await prove('proved');
    for (let round = 0; round < 3; round += 1) expect(await ask({ visit: 'proved' })).toBeNull();
    expect(told).toEqual(Array(3).fill('proof sms'));
    await challengeFor({ visit: 'another' });
    await sql`truncate rate_limits`.execute(database.db);
    await runLow();
    time += 600_000;
    await runLow();
    await challengeFor({ visit: 'proved' });
  });

  test('needs one again after five codes, since one proof must not open the whole reserve', async () => {
    await sql`truncate rate_limits`.execute(database.db);
    await prove('proved');
    for (let round = 0; round < 5; round += 1) await budgets.take([{ budget: 'codeProved', subject: '0390000009' }]);
    await runLow();
    await challengeFor({ visit: 'proved' });
    // The same proof made again in another visit does not help.
    await prove('another');
    await challengeFor({ visit: 'another' });
  });

  test('must be a browser: clients of one network without cookies are many people', async () => {
    await runLow();
    await prove('network-of-many');
    await challengeFor({ visit: 'network-of-many' });
    await challengeFor({ visit: null });
  });
});

describe('SEC-19 the budget kept for networks with real users', () => {
  const customer = { isKept: true, address: '198.51.100.7' };
  const neighbour = { isKept: true, address: '198.51.100.99' };
  const stranger = { isKept: true, address: '203.0.113.5' };
  const askSolved = async (changes: Changes) => ask({ ...changes, solved: solve(await challengeFor(changes)) });

  test('is available to them at the lowest price when all the rest is used up', async () => {
    for (let verified = 0; verified < 3; verified += 1) await challenges.noteVerified(customer.address);
    await runLow(rules.codeSmsAll.most);
    expect((await challengeFor(stranger)).bits).toBe(baseBits + 4);
    expect(await askSolved(stranger)).toBe('codeSmsAll');
    expect((await challengeFor(customer)).bits).toBe(baseBits);
    expect(await askSolved(neighbour)).toBeNull();
    expect(done).toEqual(['after a challenge, kept']);
    expect(await askSolved({ ...customer, isKept: false })).toBe('codeSmsAll');
  });

  test('allows as many open codes as were verified there in a day, and a verified code is given back', async () => {
    for (let verified = 0; verified < 2; verified += 1) await challenges.noteVerified(customer.address);
    await runLow(rules.codeSmsAll.most);
    expect([await askSolved(customer), await askSolved(neighbour)]).toEqual([null, null]);
    const refused = await challengeFor(customer);
    // It shows in the price, which is that of the reserve again.
    expect(refused.bits).toBeGreaterThan(baseBits + 3);
    const keptFor = `${budgets.networks(customer.address).split(' ').at(-1)} 2`;
    await budgets.giveBack(challenges.keptDraws(keptFor), now());
    expect(await askSolved({ ...customer, address: '198.51.100.50' })).toBeNull();
    time += 31 * 3_600_000;
    await runLow(rules.codeSmsAll.most);
    expect(await askSolved(customer)).toBe('codeSmsAll');
  });

  test('is available to a visit with a proof too, from any network', async () => {
    await runLow(rules.codeSmsAll.most);
    await database.db
      .insertInto('proofs')
      .values(
        sealRow(database.db, 'proofs', {
          digest: 'of a proved visit',
          purpose: 'NUMBER',
          subject: '0390000009',
          visit: 'proved',
          payment: null,
          spent_by: null,
          expires_at: new Date(time + 600_000),
        }),
      )
      .execute();
    expect(await ask({ ...stranger, visit: 'proved' })).toBeNull();
    expect(done).toEqual(['freely, kept']);
  });
});

test('a request that a narrower budget refuses neither requires nor spends a challenge', async () => {
  await runLow();
  const solved = solve(await challengeFor());
  const full = () => challenges.admit(wantedBy({ solved }), async () => 'codeNumberSoon');
  expect(await full()).toBe('codeNumberSoon');
  expect(await ask({ solved })).toBeNull();
});

test('a draw that throws leaves nothing spent and no transaction open', async () => {
  await runLow();
  const solved = solve(await challengeFor());
  const broken = challenges.admit(wantedBy({ solved }), async () => Promise.reject(new Error('broken off')));
  await expect(broken).rejects.toThrow('broken off');
  expect(await ask({ solved })).toBeNull();
});

test('solved challenges are deleted once they expire', async () => {
  await runLow();
  await ask({ solved: solve(await challengeFor()) });
  const kept = () => database.db.selectFrom('solved_challenges').selectAll().execute();
  await challenges.deleteExpired();
  expect(await kept()).toHaveLength(1);
  time += 181_000;
  await challenges.deleteExpired();
  expect(await kept()).toEqual([]);
});

test('the client is its visit, the address that trusted proxies report, and one header', () => {
  const visits = createVisits({ secret, isSecure: false });
  const of = (headers: Record<string, unknown>) => askerOf(visits)({ headers, ip: '203.0.113.9' });
  expect(of({ 'x-challenge': 'a.work.b' })).toMatchObject({ address: '203.0.113.9', solved: 'a.work.b' });
  expect(of({ 'x-challenge': ['a', 'b'] }).solved).toBeUndefined();
  expect(of({}).visit).toBe(visits.of({ headers: {}, ip: '203.0.113.9' }));
});

test('challenges are counted in the metrics by effect and outcome', async () => {
  const metrics = createMetrics();
  const events = challengeEvents(metrics);
  events.given('sms');
  events.solved('mail', 'work');
  const text = await metrics.text();
  expect(text).toContain('portal_challenges_total{effect="sms",outcome="given"} 1');
  expect(text).toContain('portal_challenges_total{effect="mail",outcome="work"} 1');
});
