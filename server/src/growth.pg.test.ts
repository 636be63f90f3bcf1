import { randomBytes, randomInt } from 'node:crypto';
import { type CallName, callPath } from '@portal/contract/calls.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../sandbox/src/sandbox.ts';
import { newPaymentId } from './payments/core/payment-id.ts';
import { testQuote } from './testing/payments-world.ts';
import { type TestPortal, testPortal } from './testing/portal.ts';
import { visitCookie } from './testing/visit-cookie.ts';

/** Limits and bar are scaled alike, so that an hour takes seconds. */
const scale = 0.05;
const mostBytes = 10 * 1024 * 1024 * scale;
const minutes = 60;
/** Callbacks have room for ten times as many as anything else: they come in one minute of twenty and count twentyfold. */
const callbackMinutes = 20;

const pack = await loadPack('mg');
let time = Date.parse('2026-03-02T08:00:00Z');
let sandbox: Sandbox;
let running: TestPortal;
/** A payment of the stranger's own, which waits for its payer all the time. */
let ownPayment: string;
let ownKey: string;

beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 600_000, promptExpiryMs: 600_000 });
  // Budgets of texts are per payment. Here they are large, because one payment stands for the many of an attacker.
  const ticketPayment = { most: 10_000, seconds: 3_600 };
  running = await testPortal(sandbox, { rateLimitScale: scale, logLevel: 'silent' }, () => new Date(time), {
    budgets: { ticketPayment, ticketVisit: ticketPayment, ticketUnproved: ticketPayment },
  });
  const { payments } = running.portal;
  ({ id: ownPayment } = await payments.initiate(
    { ...testQuote, currency: pack.currency.code, msisdn: '0390000001', payerMsisdn: '0390000001' },
    { key: 'own', body: {} },
  ));
  await payments.process(ownPayment);
  const opened = await running.portal.http.inject(call('writeTicket', { tid: ownPayment, text: 'Hello?' }));
  ownKey = opened.json().result.ticket.key;
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});

/** Random text, which no database can compress. */
const noise = (length: number) => randomBytes(length).toString('base64url').slice(0, length);
const name = (length: number) => Array.from({ length }, () => 'abcdefghijklmnopqrstuvwxyz_'[randomInt(27)]).join('');
const pick = <Item>(items: readonly Item[]) => items[randomInt(items.length)] as Item;

const call = (to: CallName, payload: object, headers: Record<string, string> = {}): InjectOptions => ({
  method: 'POST',
  url: callPath(to, { slug: pack.brand.slug }),
  payload,
  headers,
});
const callback = (provider: string, body: object): InjectOptions => ({
  method: 'POST',
  url: `/callbacks/${provider}`,
  payload: body,
  headers: { 'user-agent': noise(2_000), 'x-forwarded-for': noise(2_000) },
});

/** Every way for a stranger to store something. Each is repeated until it is refused for the current minute. */
const attacks: Record<string, () => InjectOptions> = {
  'callbacks that name nothing': () => callback(pick(['wallet', 'card', 'mpesa']), { filler: noise(3_900) }),
  'callbacks that name a made-up payment': () =>
    callback('wallet', { transaction: { id: newPaymentId() }, filler: noise(3_900) }),
  'callbacks that name a payment of their own': () =>
    callback('wallet', { transaction: { id: ownPayment }, filler: noise(3_900) }),
  forms: () =>
    call('saveForm', { formType: 'ENTERPRISE', data: { one: noise(1_950), two: noise(1_950) }, email: 'a@example.mg' }),
  tickets: () => call('writeTicket', { tid: ownPayment, key: ownKey, text: noise(1_000) }),
  votes: () =>
    call(
      'vote',
      { questionId: pick(['reset-pin', 'pin-wrong', 'pay-part']), isLike: true, opco: pack.opco },
      { cookie: visitCookie(noise(22)) },
    ),
  'unpaid orders': () =>
    call(
      'mpesaInitiate',
      {
        amount: 1_000 + randomInt(400_000),
        mobileNumber: `039${String(randomInt(10_000_000)).padStart(7, '0')}`,
        paymentMobile: `034${String(randomInt(10_000_000)).padStart(7, '0')}`,
        emailId: `${name(60).replaceAll('_', 'x')}@example.mg`,
        transactionType: 'PREPAID_RECHARGE',
        paymentMode: 'MPESA',
      },
      { 'idempotency-key': noise(128), cookie: visitCookie(noise(22)) },
    ),
  codes: () => call('sendCode', { data: { msisdn: `039${String(randomInt(10_000_000)).padStart(7, '0')}` } }),
  searches: () =>
    call('recordSearch', { text: name(40).replaceAll(/[^a-z]/g, 'x') }, { cookie: visitCookie(noise(22)) }),
  events: () => call('recordEvent', { event: 'failure', page_name: name(64), flow: 'otp', outcome: name(32) }),
};

/**
 * The bytes of each table, those of the queue too: rows with their headers, indexes and TOAST. File sizes are not
 * measured, because PostgreSQL enlarges files ahead of concurrent writes by as much as this test allows in all.
 */
async function storedBytes(): Promise<Record<string, number>> {
  const { db } = running.database;
  const { rows: tables } = await sql<{ name: string; bytes: number }>`
    select nspname || '.' || relname as name,
      (pg_indexes_size(pg_class.oid) + case when reltoastrelid = 0 then 0 else pg_total_relation_size(reltoastrelid) end)::bigint as bytes
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and nspname in ('public', 'jobs')`.execute(db);
  const stored: Record<string, number> = {};
  for (const { name, bytes } of tables) {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(pg_column_size(row.*) + 28), 0)::bigint as bytes from ${sql.table(name)} row`.execute(db);
    stored[name] = (bytes + (rows[0]?.bytes ?? 0)) * (name === 'public.callbacks' ? callbackMinutes : 1);
  }
  return stored;
}

/** The attacks take turns, because several share a limit. */
async function sendUntilRefused(minute: number, most = Number.POSITIVE_INFINITY): Promise<Record<string, number>> {
  const taken: Record<string, number> = {};
  let open = Object.entries(attacks).filter(
    ([attack]) => minute % callbackMinutes === 0 || !attack.startsWith('callbacks'),
  );
  for (let round = 0; open.length > 0 && round < most; round += 1) {
    const answered: boolean[] = [];
    for (const [attack, request] of open) {
      const { statusCode } = await running.portal.http.inject({ ...request(), remoteAddress: '203.0.113.9' });
      if (statusCode === 200) taken[attack] = (taken[attack] ?? 0) + 1;
      else expect([429, 502], attack).toContain(statusCode);
      answered.push(statusCode === 200);
    }
    open = open.filter((_, index) => answered[index]);
  }
  await running.portal.analytics.settle();
  return taken;
}

test('SEC-17 a stranger who sends for an hour at the limit makes the database grow by at most 10 MB', async () => {
  // A first round fills the first pages of each table and what is stored once per payment; neither counts as growth.
  // Two hours later the budgets start again.
  expect(Object.keys(await sendUntilRefused(0, 5)).sort()).toEqual(Object.keys(attacks).sort());
  time += 2 * 3_600_000;
  const before = await storedBytes();
  for (let minute = 0; minute < minutes; minute += 1) {
    time += 60_000;
    await sendUntilRefused(minute);
  }
  const growth = Object.entries(await storedBytes())
    .map(([table, bytes]) => ({ table, bytes: bytes - (before[table] ?? 0) }))
    .filter(({ bytes }) => bytes !== 0);
  const total = growth.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(total, JSON.stringify(growth)).toBeLessThanOrEqual(mostBytes);
});
