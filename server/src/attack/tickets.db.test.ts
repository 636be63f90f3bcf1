import { expect, test } from 'vitest';
import { signIn } from '../testing/console.ts';
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

test('SEC-19 strangers from twelve networks give customer care one ticket about a payment, and read nothing of one another', async () => {
  const owner = { visit: 'owner of one question' };
  const id = await pay('390000564', {}, owner);
  const strangers = Array.from({ length: 12 }, (_, count) => ({
    visit: `stranger with a network ${count}`,
    ip: `${60 + count}.51.100.9`,
  }));
  const texts = ({ result }: Awaited<ReturnType<typeof world.call>>) =>
    result.ticket.messages.map(({ text }: { text: string }) => text);
  const keys: string[] = [];
  for (const [count, from] of strangers.entries()) {
    const written = await world.call('writeTicket', { tid: id, text: `Who paid it? ${count}` }, from);
    expect(texts(written)).toEqual([`Who paid it? ${count}`]);
    keys.push(written.result.ticket.key);
  }
  expect(new Set(keys).size).toBe(12);
  const opened = await world.running.portal.tickets.ofPayment(id);
  expect(opened.map(({ is_own }) => is_own)).toEqual([false]);

  // Each stranger continues in their own thread, and reads the answers of customer care to it.
  const [first, second] = strangers;
  const again = await world.call('writeTicket', { tid: id, text: 'And once more.', key: keys[0] }, first);
  expect(texts(again)).toEqual(['Who paid it? 0', 'And once more.']);
  const care = await signIn(world.running.portal.http, 'care@console.example');
  const seen = (await care.call('ticket', { id: opened[0]?.id ?? '' })).result;
  expect(seen.messages.map(({ writer }) => writer)).toEqual([...Array.from({ length: 12 }, (_, at) => at + 1), 1]);
  await care.call('answerTicket', { id: seen.id, version: seen.version, text: 'We tell that to the payer alone.' });
  expect(texts(await world.call('ticket', { tid: id, key: keys[1] ?? '' }, second))).toEqual([
    'Who paid it? 1',
    'We tell that to the payer alone.',
  ]);
  // The browser that wrote has access without the link; no other browser has.
  expect(texts(await world.call('ticket', { tid: id }, second))[0]).toBe('Who paid it? 1');
  const later = { visit: 'a later stranger', ip: '80.51.100.9' };
  expect((await world.call('ticket', { tid: id }, later)).result.ticket).toBeNull();
  expect(texts(await world.call('writeTicket', { tid: id, text: 'What did they say?' }, later))).toEqual([
    'What did they say?',
  ]);

  // The payer has a separate ticket.
  expect((await world.call('ticket', { tid: id }, owner)).result.ticket).toBeNull();
  expect(texts(await world.call('writeTicket', { tid: id, text: 'It is mine.' }, owner))).toEqual(['It is mine.']);
  expect(await world.running.portal.tickets.ofPayment(id)).toHaveLength(2);
});

test('SEC-19 strangers write at most twenty texts an hour about one payment; who paid writes on, also by the link that we sent', async () => {
  const owner = { visit: 'owner of twenty' };
  const id = await pay('390000565', {}, owner);
  const own = await world.call('writeTicket', { tid: id, text: 'Where is it?' }, owner);
  const answers: number[] = [];
  for (let count = 0; count < 23; count += 1)
    answers.push(await write(id, `Noise ${count}`, { visit: `noise ${count}`, ip: `${60 + count}.51.100.9` }));
  expect(answers).toEqual([...Array(20).fill(200), 429, 429, 429]);
  expect(await write(id, 'It is still not there.', owner)).toBe(200);
  const { key } = own.result.ticket;
  const elsewhere = { visit: 'another phone of the owner', ip: '90.51.100.9' };
  expect((await world.call('writeTicket', { tid: id, text: 'I write from home.', key }, elsewhere)).http).toBe(200);
});
