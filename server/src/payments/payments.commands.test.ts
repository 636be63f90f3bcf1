import { describe, expect, test } from 'vitest';
import { isDay, runCommand, usage } from './payments.commands.ts';
import { DecisionRefused } from './review/payments.review.ts';

const at = new Date('2026-03-02T08:00:00Z');
const help = usage(['delivered', 'notTaken', 'givenBack', 'deliver', 'giveBack', 'letGoOn']);
const payment = {
  id: 'id1',
  short_reference: 'short',
  state: 'REVIEW',
  reason: 'amountConflict',
  transaction_type: 'PREPAID_RECHARGE',
  currency: 'XTS',
  amount: 5_000,
  gateway: 'wallet',
  provider_reference: 'money-1',
  changed_at: at,
};

async function run(words: string[], desk: { payments?: object; reconcile?: object; decisions?: object[] } = {}) {
  const lines: string[] = [];
  const risk = { decisionsOf: async () => desk.decisions ?? [] };
  const given = { payments: desk.payments ?? {}, risk, reconcile: async () => desk.reconcile } as never;
  const code = await runCommand(words, given, (line) => void lines.push(line));
  return { code, lines };
}

describe('an invalid command', () => {
  test.each([
    [[]],
    [['review']],
    [['review', 'show']],
    [['review', 'settle', 'id1', 'delivered', 'Lova']],
    [['review', 'settle', 'id1', 'somehow', 'Lova', 'why']],
    [['review', 'other', 'id1', 'delivered', 'Lova', 'why']],
    [['reconcile']],
    [['reconcile', '2026-02-31']],
  ])('%j shows the usage', async (words) => {
    expect(await run(words)).toEqual({ code: 2, lines: help.split('\n') });
  });

  test('the help lists every command', () => {
    expect(help).toBe(`npm run review -- list                     payments that wait for a person, oldest first
npm run review -- show <id>                one payment and everything that happened to it
npm run review -- ask <id>                 asks the provider now, and shows all that it ever stated
npm run review -- settle <id> <delivered|notTaken|givenBack|deliver|giveBack|letGoOn> <your name> <reason>
npm run reconcile -- <day, as 2026-03-02>  the providers, our books and the deliveries compared`);
  });
});

describe('payments that wait for a person', () => {
  const list = (...found: object[]) =>
    run(['review', 'list'], { payments: { listReview: async (most: number) => (most === 200 ? found : []) } });

  test('are listed, one a line', async () => {
    expect(await list(payment, { ...payment, id: 'id2', reason: null })).toEqual({
      code: 0,
      lines: [
        'id1  2026-03-02T08:00:00.000Z  wallet  XTS 5000  amountConflict',
        'id2  2026-03-02T08:00:00.000Z  wallet  XTS 5000  ',
      ],
    });
    expect(await list()).toEqual({ code: 0, lines: ['No payment waits for a person.'] });
  });

  const show = (found: object | null) =>
    run(['review', 'show', 'id1'], {
      payments: { find: async (id: string) => (id === 'id1' ? found : null), evidence: async () => stated },
    });
  const nothing = { amount: null, currency: null, receipt: null, detail: null };
  let stated: object[] = [];

  test('are shown with everything that happened to them', async () => {
    const changes = [
      { at, event: 'create', to: 'CREATED', by: null, note: null },
      { at, event: 'settleDelivered', to: 'SUCCEEDED', by: 'Lova', note: 'seen in their list' },
    ];
    expect(await show({ payment, changes })).toEqual({
      code: 0,
      lines: [
        'id1 (short): REVIEW, amountConflict',
        'PREPAID_RECHARGE XTS 5000 by wallet',
        "provider's reference: money-1",
        '2026-03-02T08:00:00.000Z  create  CREATED  ',
        '2026-03-02T08:00:00.000Z  settleDelivered  SUCCEEDED  by Lova: seen in their list',
      ],
    });
    const plain = { ...payment, reason: null, provider_reference: null };
    expect((await show({ payment: plain, changes: [] })).lines).toEqual([
      'id1 (short): REVIEW',
      'PREPAID_RECHARGE XTS 5000 by wallet',
      "provider's reference: none",
    ]);
    expect(await show(null)).toEqual({ code: 1, lines: ['We do not know this payment.'] });
    stated = [{ ...nothing, at, call: 'start', answer: 'unclear', detail: 'HTTP 502' }];
    expect((await show({ payment, changes })).lines.at(-1)).toBe('2026-03-02T08:00:00.000Z  start  unclear  HTTP 502');
  });

  test('are enquired about, and the evidence is shown', async () => {
    const said = {
      ...nothing,
      at,
      call: 'enquire',
      answer: 'paid',
      amount: 4_000,
      currency: 'XTS',
      receipt: 'money-1',
    };
    const ask = async (id: string) => (id === 'id1' ? [said] : []);
    expect(await run(['review', 'ask', 'id1'], { payments: { ask } })).toEqual({
      code: 0,
      lines: ['2026-03-02T08:00:00.000Z  enquire  paid  XTS 4000  money-1'],
    });
    const refuse = () => Promise.reject(new DecisionRefused('notWaiting'));
    expect(await run(['review', 'ask', 'id1'], { payments: { ask: refuse } })).toEqual({
      code: 1,
      lines: ['Not asked. It does not wait for a person.'],
    });
    expect((await run(['review', 'ask'])).code).toBe(2);
  });

  test('SEC-28 risk decisions are in the history, before what followed from them', async () => {
    const changes = [
      { at, event: 'create', to: 'CREATED', by: null },
      { at, event: 'hold', to: 'REVIEW', by: null },
    ];
    const decisions = [
      { at, decision: 'ask', rule: 'payerPayments' },
      { at, decision: 'hold', rule: 'simSwap' },
    ];
    const payments = { find: async () => ({ payment, changes }), evidence: async () => [] };
    expect((await run(['review', 'show', 'id1'], { payments, decisions })).lines.slice(3)).toEqual([
      '2026-03-02T08:00:00.000Z  create  CREATED  ',
      '2026-03-02T08:00:00.000Z  decided  ask (payerPayments)',
      '2026-03-02T08:00:00.000Z  decided  hold (simSwap)',
      '2026-03-02T08:00:00.000Z  hold  REVIEW  ',
    ]);
  });

  test('SEC-28 a held one that is released is reported as released', async () => {
    const decide = async () => ({ state: 'CREATED' });
    expect(await run(['review', 'settle', 'id1', 'letGoOn', 'Lova', 'called back'], { payments: { decide } })).toEqual({
      code: 0,
      lines: ['id1 goes on.'],
    });
  });

  const words = ['review', 'settle', 'id1', 'givenBack', 'Lova', 'seen', 'in', 'their', 'list'];

  test('are settled with a name and a reason, or the refusal is explained', async () => {
    const asked: unknown[] = [];
    const decide = async (...args: unknown[]) => {
      asked.push(args);
      return { state: 'REFUNDED' };
    };
    expect(await run(words, { payments: { decide } })).toEqual({
      code: 0,
      lines: ['Settled: id1 is now REFUNDED. The customer is told.'],
    });
    expect(asked).toMatchObject([['id1', { as: 'givenBack', by: 'Lova', note: 'seen in their list' }]]);
    const refuse = (error: Error) => ({ payments: { decide: () => Promise.reject(error) } });
    expect(await run(words, refuse(new DecisionRefused('notWaiting')))).toEqual({
      code: 1,
      lines: ['Not settled. It does not wait for a person.'],
    });
    await expect(run(words, refuse(new Error('no database')))).rejects.toThrow('no database');
  });
});

describe('a day that is reconciled', () => {
  const day = '2026-03-02';
  const report = { taken: 3, delivered: 2, givenBack: 1, differences: [], unchecked: [], unanswered: [] };
  const compare = (over: object) => run(['reconcile', day], { reconcile: { ...report, ...over } });
  const difference = { what: 'notDelivered', gateway: 'wallet', reference: 'id1' };
  const sums = '2026-03-02: 3 taken, 2 delivered, 1 given back.';

  test('without a difference is in order', async () => {
    expect(await compare({})).toEqual({ code: 0, lines: [sums, 'Nothing unexplained.'] });
    expect(await compare({ unchecked: ['a', 'b'] })).toEqual({
      code: 0,
      lines: [sums, 'Not checked: a, b', 'Nothing unexplained.'],
    });
  });

  test('with differences names each of them', async () => {
    expect(await compare({ differences: [difference] })).toEqual({
      code: 1,
      lines: [sums, 'notDelivered  wallet  id1', '1 unexplained.'],
    });
  });

  test('without all responses is not compared in full', async () => {
    expect(await compare({ unanswered: ['a', 'b'] })).toEqual({
      code: 1,
      lines: [sums, 'No answer about: a, b', 'Not compared in full: ask again later.'],
    });
    expect((await compare({ unanswered: ['a'], differences: [difference] })).lines.at(-1)).toBe(
      'Not compared in full: ask again later. 1 unexplained so far.',
    );
  });
});

test.each([
  ['2026-03-02', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['x2026-03-02', false],
  ['2026-03-02x', false],
  ['2026-3-2', false],
  ['', false],
])('%j is a day: %s', (text, is) => {
  expect(isDay(text)).toBe(is);
});
