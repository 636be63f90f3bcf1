import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { leadOf } from '../attack/attack-world.fixture.ts';
import { type DeskWorld, deskWorld } from '../payments/desk/desk-world.fixture.ts';
import type { DeskBrowser } from '../testing/console.ts';

let world: DeskWorld;
let admin: DeskBrowser;
let admin2: DeskBrowser;
beforeAll(async () => {
  world = await deskWorld();
  [admin, admin2] = [await world.as('admin'), await world.as('admin2')];
});
afterAll(() => world.stop());

async function paid(payer: string): Promise<string> {
  const id = await world.pay(payer);
  await world.until(id, 'SUCCEEDED');
  await world.running.portal.payments.drain();
  await sql`update payments set due_at = null where id = ${id}`.execute(world.db);
  return id;
}
async function asked(payer: string): Promise<string> {
  const id = await paid(payer);
  expect((await world.call('writeTicket', { tid: id, text: 'Where is it, please?' })).http).toBe(200);
  return id;
}
const requested = async (payer: string) => {
  const request = leadOf(payer, await world.leadProof(payer));
  return String((await world.call('submitLead', request)).result.refLeadId);
};

const about = async (text: string) => (await admin.call('searchPerson', { text, reason: 'asked by letter' })).result;
const propose = (text: string) => admin.call('proposeErasure', { text, reason: 'asked by letter' });
const seen = async (id: string) => (await admin2.call('approval', { id })).result;
const factsOf = ({ evidence }: Awaited<ReturnType<typeof seen>>) =>
  Object.fromEntries(evidence.map(({ what, detail }) => [what, Number(detail)]));
const sumOf = (held: readonly { count: number; open: number }[]) => ({
  count: held.reduce((sum, one) => sum + one.count, 0),
  open: held.reduce((sum, one) => sum + one.open, 0),
});

test('a person of whom everything is under way is not proposed to be erased, and the reason is told', async () => {
  const payer = '390000612';
  await asked(payer);
  const { held, erasable } = await about(payer);
  const { count, open } = sumOf(held);
  expect([count > 0, open, erasable]).toEqual([true, count, 0]);
  expect((await propose(payer)).error?.code).toBe('nothingToErase');
  expect((await propose('390000698')).error?.code).toBe('nothingToErase');
  expect((await about(payer)).proposal).toBeNull();
});

test('whoever approves an erasure reads what the proposer read, and afterwards how much was erased and how much kept', async () => {
  const payer = '390000613';
  await asked(payer);
  await paid(payer);
  const { held, erasable } = await about(payer);
  const { count, open } = sumOf(held);
  expect([erasable > 0, open > 0, erasable + open]).toEqual([true, true, count]);
  const { proposal: id } = (await propose(payer)).result;
  const shown = await seen(id);
  expect(shown.evidence.flatMap((fact) => fact.held ?? [])).toEqual(held);
  const { underWay } = await about(payer);
  expect(underWay).toHaveLength(1);
  expect(shown.evidence.flatMap((fact) => fact.underWay ?? [])).toEqual(underWay);
  expect(factsOf(shown)).toMatchObject({ toErase: erasable, open });

  expect((await admin2.call('approve', { id, digest: shown.digest })).status).toBe(200);
  expect(factsOf(await seen(id))).toEqual({ erased: erasable, kept: open });
  expect(sumOf((await about(payer)).held)).toEqual({ count: open, open });
});

test('what came under way since it was proposed is not erased: the approval says so and changes nothing', async () => {
  const payer = '390000614';
  const tid = await paid(payer);
  const { proposal: id } = (await propose(payer)).result;
  const { digest } = await seen(id);
  expect((await world.call('writeTicket', { tid, text: 'Where is it, please?' })).http).toBe(200);
  const shown = await seen(id);
  const { open } = factsOf(shown);
  expect(factsOf(shown)).toMatchObject({ toErase: 0 });
  expect((await admin2.call('approve', { id, digest })).error?.code).toBe('nothingToErase');
  expect(await seen(id)).toMatchObject({ state: 'open' });
  expect(factsOf(await seen(id))).toMatchObject({ toErase: 0, open });
});

test('what stays is named: open payments, tickets, proposals, and a paid request that is to be installed', async () => {
  const payer = '390000615';
  const tid = await asked(payer);
  const waiting = await world.inReview(payer);
  const finance = await world.as('finance');
  const { proposal } = (await finance.call('proposeRefund', { id: waiting, reason: 'they took another amount' }))
    .result;
  const [lead, other] = [await requested(payer), await requested(payer)];
  await sql`update leads set paid_by = ${tid} where id = ${lead}`.execute(world.db);
  const { underWay, held } = await about(payer);
  // A code only says until when it holds.
  const oldestOf = (name: string) => held.find(({ table }) => table === name)?.oldest;
  expect([oldestOf('codes'), oldestOf('leads')]).toEqual([null, expect.any(String)]);
  const ticket = await world.db.selectFrom('tickets').select('id').where('payment_id', '=', tid).executeTakeFirst();
  expect(underWay.map(({ kind, id, state }) => [kind, id, state])).toEqual([
    ['payment', waiting, 'REVIEW'],
    ['ticket', ticket?.id, 'new'],
    ['proposal', proposal, 'refund'],
    ['lead', lead, 'new'],
  ]);
  expect(JSON.stringify(underWay)).not.toContain(other);
});
