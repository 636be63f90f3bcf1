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

test('SEC-19 one address writes at most twenty an hour, with however many browsers about however many payments', async () => {
  const ids: string[] = [];
  for (const payer of ['390000562', '390000563', '390000564']) ids.push(await pay(payer, {}, { visit: payer }));
  const before = await stored();
  const answers: number[] = [];
  for (let count = 0; count < 24; count += 1) {
    const visit = `39000056${2 + (count % 3)}`;
    answers.push(await write(ids[count % 3] ?? '', `Text number ${count}`, { visit, ip: '198.51.100.99' }));
  }
  expect(answers.filter((http) => http === 200)).toHaveLength(20);
  expect(answers.slice(20)).toEqual([429, 429, 429, 429]);
  expect((await stored()) - before).toBe(20);
  // Somebody elsewhere is none the worse for it.
  expect(await write(ids[0] ?? '', 'And now?', { visit: '390000562', ip: '192.0.2.77' })).toBe(200);
});
