import { expect, test } from 'vitest';
import { deskPayments } from '../testing/desk-payments.fixture.ts';
import { attackTests, type Sender, world } from './attack-world.fixture.ts';

attackTests();

const { pay } = deskPayments(() => world);
const write = async (tid: string, text: string, from: Sender) =>
  (await world.call('writeTicket', { tid, text }, from)).http;
const stored = async () =>
  (
    await world.db
      .selectFrom('ticket_messages')
      .select((query) => query.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count;

test('SEC-16 at most ten texts an hour are taken about a payment, from however many addresses; what is refused leaves nothing', async () => {
  const visit = 'owner';
  const id = await pay('390000561', {}, { visit });
  const before = await stored();
  const answers: number[] = [];
  for (let count = 0; count < 13; count += 1)
    answers.push(await write(id, `Text number ${count}`, { visit, ip: `198.51.100.${count}` }));
  expect(answers).toEqual([...Array(10).fill(200), 429, 429, 429]);
  expect((await stored()) - before).toBe(10);
});

test('SEC-19 who did not pay opens at most twenty tickets an hour from one address, and keeps nobody behind it from asking about their own', async () => {
  const ip = '198.51.100.99';
  const ids: string[] = [];
  for (let count = 0; count < 22; count += 1)
    ids.push(
      await pay(
        `3900006${10 + count}`,
        { mobileNumber: `03900006${10 + count}` },
        { visit: `payer ${count}`, ip: `192.0.2.${count}` },
      ),
    );
  const before = await stored();
  const answers: number[] = [];
  for (const [count, id] of ids.entries())
    answers.push(await write(id, 'Where is it?', { visit: `stranger ${count}`, ip }));
  expect(answers).toEqual([...Array(20).fill(200), 429, 429]);
  expect((await stored()) - before).toBe(20);
  expect(await write(ids[21] ?? '', 'Where is my money?', { visit: 'payer 21', ip })).toBe(200);
});

test('SEC-19 what a stranger writes about a payment takes no room from who paid it', async () => {
  const owner = { visit: 'owner of the room' };
  const id = await pay('390000563', {}, owner);
  const stranger = { visit: 'stranger in the room', ip: '203.0.113.9' };
  const opened = await world.call('writeTicket', { tid: id, text: 'spam' }, stranger);
  const { key } = opened.result.ticket;
  const answers: number[] = [];
  for (let count = 0; count < 10; count += 1)
    answers.push((await world.call('writeTicket', { tid: id, text: `spam ${count}`, key }, stranger)).http);
  expect(answers).toEqual([...Array(9).fill(200), 429]);
  expect(await write(id, 'My money was taken, and nothing came.', owner)).toBe(200);
});
