import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AttackWorld, attackWorld, type Sender } from '../attack/attack-world.fixture.ts';
import { type DeskBrowser, signIn } from '../testing/console.ts';
import { deskPayments } from '../testing/desk-payments.fixture.ts';

let world: AttackWorld;
beforeAll(async () => {
  world = await attackWorld({ rateLimitScale: 1_000, walletPinMode: false });
});
afterAll(() => world.stop());
beforeEach(async () => {
  await world.phone.clearFaults();
});

const { pay, until, inReview } = deskPayments(() => world);
const as = (role: string): Promise<DeskBrowser> => signIn(world.running.portal.http, `${role}@console.example`);
const tickets = () => world.running.portal.tickets;

const owner: Sender = { visit: 'owner' };
const stranger: Sender = { visit: 'stranger', ip: '198.51.100.7' };

const read = async (tid: string, from: Sender, key?: string) =>
  (await world.call('ticket', { tid, ...(key ? { key } : {}) }, from)).result;
const write = (tid: string, text: string, from: Sender, key?: string) =>
  world.call('writeTicket', { tid, text, ...(key ? { key } : {}) }, from);

async function paid(payer: string, more: object = {}): Promise<string> {
  const id = await pay(payer, more, owner);
  await until(id, 'SUCCEEDED');
  return id;
}
const referenceOf = async (id: string) => (await world.running.portal.payments.find(id))?.payment.short_reference ?? '';
const textsOf = (view: { ticket: { messages: { text: string }[] } }) => view.ticket.messages.map(({ text }) => text);
const ticketOf = async (id: string) => (await tickets().ofPayment(id))[0];
const actsOn = async (id: string) =>
  (await world.db.selectFrom('audit').select('act').where('subject_id', '=', id).orderBy('number').execute()).map(
    ({ act }) => act,
  );

describe('a customer', () => {
  test('TKT-1 opens a ticket from the status page without login: about this payment, with a number and a promise of time, and sees it there', async () => {
    const id = await paid('390000511');
    expect(await read(id, owner)).toEqual({ mayWrite: true, ticket: null });
    const opened = await write(id, '  Where is\r\nmy credit?\u202e ', owner);
    expect(opened.http, opened.text).toBe(200);
    const view = await read(id, owner);
    expect(view).toMatchObject({ mayWrite: true, ticket: { state: 'new', isLate: false } });
    expect(view.ticket.number).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
    const hours = (Date.parse(view.ticket.promisedAt) - Date.parse(view.ticket.openedAt)) / 3_600_000;
    expect(hours).toBe(24);
    // Reduced to one printable line.
    expect(textsOf(view)).toEqual(['Where is my credit?']);
    const care = await as('care');
    const { result } = await care.call('ticket', { id: view.ticket.number });
    expect(result).toMatchObject({ paymentId: id, openedBy: 'customer', isOwn: true, payment: { state: 'SUCCEEDED' } });
  });

  test('TKT-1 who merely knows the reference learns that there is a ticket and nothing of what is in it; what they write stands in another', async () => {
    const id = await paid('390000512');
    const key = (await write(id, 'My card ends in 1234.', owner)).result.ticket.key;
    for (const tid of [id, await referenceOf(id)])
      for (const wrong of [undefined, 'x'.repeat(16), key.slice(1)]) {
        const seen = await read(tid, stranger, wrong);
        expect(seen).toMatchObject({ mayWrite: true, ticket: { state: 'new', messages: [] } });
        expect(seen.ticket.key).toBeUndefined();
      }
    const other = (await write(await referenceOf(id), 'Tell me more.', stranger, key.slice(1))).result;
    expect(textsOf(other)).toEqual(['Tell me more.']);
    expect(other.ticket.key).not.toBe(key);
    expect(textsOf(await read(id, { visit: null }, key))).toEqual(['My card ends in 1234.']);
    expect(textsOf(await read(id, owner))).toEqual(['My card ends in 1234.']);
  });

  test('TKT-1 who paid is not led into a ticket that a stranger opened first: theirs stands apart, and the stranger reads nothing of it', async () => {
    const id = await paid('390000518');
    const { key } = (await write(await referenceOf(id), 'I am the payer, believe me.', stranger)).result.ticket;
    expect(await read(id, owner)).toEqual({ mayWrite: true, ticket: null });
    expect((await write(id, 'My name is Rasoa.', owner)).http).toBe(200);
    expect(textsOf(await read(id, owner))).toEqual(['My name is Rasoa.']);
    expect(textsOf(await read(id, stranger, key))).toEqual(['I am the payer, believe me.']);
    expect((await tickets().ofPayment(id)).map(({ is_own }) => is_own).sort()).toEqual([false, true]);
    // The payer may use another device by now: a stranger's ticket does not prevent a new one, and is not shown.
    const elsewhere = { visit: 'third', ip: '198.51.100.8' };
    expect(textsOf((await write(id, 'I paid on my old phone.', elsewhere)).result)).toEqual([
      'I paid on my old phone.',
    ]);
    // Customer care has one ticket for everybody who did not prove that they paid.
    expect(await tickets().ofPayment(id)).toHaveLength(2);
  });

  test('care’s answer to a stranger is read by their link, and told to nobody; the payer’s own is told', async () => {
    const id = await paid('390000519');
    const asked = (await write(await referenceOf(id), 'Where is the money of it?', stranger)).result.ticket;
    const own = (await write(id, 'Where is mine?\nCall 039 00 007 07 or lova@example.mg', owner)).result.ticket;
    const sent = async () =>
      (await sql<{ data: unknown }>`select data from jobs.job`.execute(world.db)).rows.filter(
        ({ data }) => JSON.stringify(data).includes('careWrote') && JSON.stringify(data).includes(id),
      ).length;
    const care = await signIn(world.running.portal.http, 'care@console.example');
    const before = await sent();
    const listed = (await care.call('tickets', {})).result.tickets.filter(({ paymentId }) => paymentId === id);
    expect(listed.find(({ isOwn }) => isOwn)).toMatchObject({
      ...{ beginning: 'Where is mine? Call # or #', said: null },
      payment: { amount: 5_000, currency: 'MGA' },
    });
    expect(listed.map(({ number, isOwn }) => [number, isOwn]).sort()).toEqual(
      [
        [asked.number, false],
        [own.number, true],
      ].sort(),
    );
    /** Answers as customer care; returns the channels that the page announced before sending. */
    const answer = async (number: string, text: string) => {
      const { id: ticket, version, toldBy } = (await care.call('ticket', { id: number })).result;
      expect((await care.call('answerTicket', { id: ticket, version, text })).status).toBe(200);
      return toldBy;
    };
    expect(await answer(asked.number, 'We tell the payer alone.')).toEqual([]);
    expect(await sent()).toBe(before);
    expect(textsOf(await read(id, stranger, asked.key))).toContain('We tell the payer alone.');
    expect(await answer(own.number, 'It is on its way.')).toEqual(['sms', 'mail']);
    expect(await sent()).toBeGreaterThan(before);
  });

  test('what the page says about who is told is what is sent: by SMS alone where the payment has no email', async () => {
    const id = await paid('390000520', { emailId: undefined });
    const { number } = (await write(id, 'Where is mine?', owner)).result.ticket;
    const care = await as('care');
    const { id: ticket, version, toldBy } = (await care.call('ticket', { id: number })).result;
    expect((await care.call('answerTicket', { id: ticket, version, text: 'It is there.' })).status).toBe(200);
    const sent = async () =>
      (
        await world.db
          .selectFrom('sent_messages')
          .select('way')
          .where('payment_id', '=', id)
          .where('kind', '=', 'careWrote')
          .execute()
      ).map(({ way }) => way);
    await expect.poll(sent).toEqual(toldBy);
    expect(toldBy).toEqual(['sms']);
  });

  test('has one open ticket a payment, however many texts come at once, and each text once', async () => {
    const id = await paid('390000513');
    const sent = await Promise.all(['First.', 'Second.', 'Third.', 'First.'].map((text) => write(id, text, owner)));
    expect(sent.map(({ http }) => http)).toEqual([200, 200, 200, 200]);
    await write(id, 'Last.', owner);
    await write(id, 'Last.', owner);
    expect(await tickets().ofPayment(id)).toHaveLength(1);
    const texts = textsOf(await read(id, owner));
    expect(texts.filter((text) => text === 'Last.')).toHaveLength(1);
    expect(new Set(texts)).toEqual(new Set(['First.', 'Second.', 'Third.', 'Last.']));
  });

  test('opens none about an order that nobody paid, a payment that is not there, or with a text that is too short or too long', async () => {
    const order = {
      ...{ amount: 5_000, mobileNumber: '0390000101', paymentMobile: '0390000514' },
      ...{ transactionType: 'PREPAID_RECHARGE', paymentMode: 'MPESA', paymentGateway: 'MPESA', currencyCode: 'MGA' },
      ...{ emailId: 'rasoa@example.mg', confirmRepeat: true },
    };
    const headers = { 'idempotency-key': randomUUID() };
    const { result, text: said } = await world.call('initiate', order, { ...owner, headers });
    expect(result?.transactionId, said).toBeTruthy();
    expect((await read(result.transactionId, owner)).mayWrite).toBe(false);
    expect((await write(result.transactionId, 'Hello there', owner)).http).toBe(409);
    expect((await write('f'.repeat(26), 'Hello there', owner)).http).toBe(404);
    const id = await paid('390000514');
    for (const text of ['', 'ab', ' \r\n\t ', 'x'.repeat(1_001)]) expect((await write(id, text, owner)).http).toBe(422);
    expect(await tickets().ofPayment(id)).toEqual([]);
  });
});

describe('customer care', () => {
  test('TKT-2 answers in the console; the answer comes by SMS and email and stands on the page, where the customer writes back', async () => {
    const id = await paid('390000531', { emailId: 'vola@example.mg' });
    await write(id, 'Where is my credit?', owner);
    const care = await as('care');
    const { id: ticket } = (await ticketOf(id)) ?? { id: '' };
    const listed = (await care.call('tickets', { state: 'new' })).result.tickets.find((one) => one.id === ticket);
    expect(listed).toMatchObject({ paymentId: id, state: 'new', answeredAt: null });
    const seen = (await care.call('ticket', { id: ticket })).result;
    const answer = 'It came at noon:\n\n- dial *100# to see it\n- or ask again.\nRabe';
    // Paragraphs stay; control characters are removed.
    const typed = answer
      .replaceAll('\n', '\r\n')
      .replace('came ', 'came \u202e')
      .replace('\r\n\r\n', '\r\n\r\n\r\n\r\n');
    expect((await care.call('answerTicket', { id: ticket, version: seen.version, text: typed })).status).toBe(200);

    const smsTo = async () => (await world.phone.messages('390000531')).map(({ text }) => text);
    await expect.poll(async () => (await smsTo()).some((text) => text.includes(seen.number))).toBe(true);
    const sms = (await smsTo()).find((text) => text.includes(seen.number)) ?? '';
    expect(sms).not.toContain('noon');
    const key = new URL(/https?:\S+/.exec(sms)?.[0] ?? '').searchParams.get('ticket') ?? '';
    const mailed = async () => (await world.phone.mail('vola@example.mg')).map(({ text }) => text).join('\n');
    await expect.poll(mailed).toContain(answer);

    // The link in the message works in any browser.
    for (const [from, by] of [
      [owner, undefined],
      [{ visit: 'another phone' }, key],
    ] as const) {
      const view = await read(id, from, by);
      expect(view.ticket.state).toBe('waitingForCustomer');
      expect(view.ticket.messages.map(({ author, text }: { author: string; text: string }) => [author, text])).toEqual([
        ['customer', 'Where is my credit?'],
        ['care', answer],
      ]);
    }
    expect((await write(id, 'Thank you, I see it.', { visit: 'another phone' }, key)).http).toBe(200);
    const back = (await care.call('ticket', { id: ticket })).result;
    expect(back.state).toBe('waitingForUs');
    expect(back.answeredAt).not.toBeNull();
    expect((await care.call('solveTicket', { id: ticket, version: back.version })).status).toBe(200);
    expect((await read(id, owner)).ticket).toMatchObject({ state: 'solved', solvedAt: expect.any(String) });
    // Another message reopens the same ticket, with a new promise.
    await write(id, 'It is gone again!', owner);
    expect(await ticketOf(id)).toMatchObject({ id: ticket, state: 'waitingForUs', solved_at: null });

    expect(await actsOn(id)).toEqual(['ticket.answered', 'ticket.solved']);
    const rows = JSON.stringify([
      await world.db.selectFrom('audit').selectAll().execute(),
      await world.db.selectFrom('ticket_messages').selectAll().execute(),
      (await sql`select data from jobs.job`.execute(world.db)).rows,
    ]);
    expect(rows).not.toMatch(/Where is my credit|It came at noon|gone again|vola@/);
    expect(world.running.lines.join('')).not.toMatch(/Where is my credit|It came at noon|gone again/);
  });

  test('a number that was only named gets no key to what the payer wrote', async () => {
    const more = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD', paymentMobile: '', emailId: '' };
    const id = await pay('390000532', { ...more, mobileNumber: '0390000533' }, owner);
    await write(id, 'A surprise for my sister.', owner);
    const { id: ticket, version } = (await ticketOf(id)) ?? { id: '', version: 0 };
    const care = await as('care');
    await care.call('answerTicket', { id: ticket, version, text: 'We look at it.' });
    const smsTo = async () => (await world.phone.messages('390000533')).map(({ text }) => text);
    await expect.poll(async () => (await smsTo()).some((text) => text.includes('in the browser that paid'))).toBe(true);
    // No link either: the page behind it would only refer back to this message.
    expect((await smsTo()).join()).not.toContain('http');
  });

  test('a number that was only named hears nothing where the mail has the answer and the way back to it', async () => {
    const more = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD', paymentMobile: '' };
    const id = await pay('390000535', { ...more, emailId: 'bery@example.mg', mobileNumber: '0390000536' }, owner);
    await write(id, 'A surprise for my sister.', owner);
    const { id: ticket } = (await ticketOf(id)) ?? { id: '' };
    const care = await as('care');
    const { version, toldBy } = (await care.call('ticket', { id: ticket })).result;
    expect(toldBy).toEqual(['mail']);
    await care.call('answerTicket', { id: ticket, version, text: 'We look at it.' });
    const mails = async () => (await world.phone.mail('bery@example.mg')).map(({ text }) => text);
    await expect.poll(async () => (await mails()).some((text) => text.includes('&ticket='))).toBe(true);
    expect((await world.phone.messages('390000536')).filter(({ text }) => text.includes('question'))).toEqual([]);
  });

  test('two at once: the second is told, and nothing is lost; what the customer wrote meanwhile counts too', async () => {
    const id = await paid('390000534');
    await write(id, 'Hello?', owner);
    const [one, other] = [await as('care'), await as('care')];
    const { id: ticket, version } = (await ticketOf(id)) ?? { id: '', version: 0 };
    const both = await Promise.all([
      one.call('answerTicket', { id: ticket, version, text: 'From the first.' }),
      other.call('answerTicket', { id: ticket, version, text: 'From the second.' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.error?.code).toBe('changed');
    const seen = (await one.call('ticket', { id: ticket })).result;
    await write(id, 'One more thing.', owner);
    const stale = await one.call('solveTicket', { id: ticket, version: seen.version });
    expect(stale.error?.code).toBe('changed');
    expect(await ticketOf(id)).toMatchObject({ state: 'waitingForUs' });
  });

  test('opens one for somebody who called, solves and opens again for a reason; never two at once', async () => {
    const id = await paid('390000535');
    const care = await as('care');
    const { result } = await care.call('openTicket', { payment: id, text: 'You called about a recharge.' });
    expect((await care.call('openTicket', { payment: id, text: 'Again.' })).status).toBe(409);
    expect((await read(id, owner)).ticket).toMatchObject({ state: 'waitingForUs' });
    const solve = await care.call('solveTicket', { id: result.id, version: 1 });
    expect(solve.status).toBe(200);
    expect((await care.call('solveTicket', { id: result.id, version: 2 })).status).toBe(409);
    expect((await care.call('answerTicket', { id: result.id, version: 2, text: 'Too late.' })).status).toBe(409);
    expect((await care.call('reopenTicket', { id: result.id, version: 2, reason: 'not yet' })).status).toBe(200);
    expect(await actsOn(id)).toEqual(['ticket.opened', 'ticket.solved', 'ticket.reopened']);
    expect((await care.call('ticket', { id: 'AAAAAAAA' })).status).toBe(404);
  });

  test('lists the oldest promise first, page by page in constant steps, none twice and none left out', async () => {
    const id = await paid('390000536');
    // Many promises at the same second: the number then decides the order.
    await sql`insert into tickets (id, payment_id, opened_by, is_own, state, version, opened_at, promised_at, changed_at, solved_at)
      select translate(lpad(n::text, 8, 'A'), '01', 'BC'), ${id}, 'customer', true, 'solved', 1, now(),
        date_trunc('second', now()) + make_interval(mins => n % 7), now(), now() from generate_series(2, 121) n`.execute(
      world.db,
    );
    const care = await as('care');
    const found: { id: string; promisedAt: string }[] = [];
    let after: string | undefined;
    for (let page = 0; page < 5; page += 1) {
      const { result } = await care.call('tickets', { state: 'solved', ...(after ? { after } : {}) });
      found.push(...result.tickets);
      if (!result.next) break;
      after = result.next;
    }
    const own = found.filter((one) => /^A+/.test(one.id));
    expect(own).toHaveLength(120);
    expect(new Set(own.map((one) => one.id)).size).toBe(120);
    const promised = found.map(({ promisedAt }) => promisedAt);
    expect(promised).toEqual([...promised].sort());
    expect((await care.call('tickets', { after: 'nonsense' })).status).toBe(422);
  });

  test('finds a ticket by its number as it is read out, and sees on Today how many wait', async () => {
    const id = await paid('390000537');
    await write(id, 'Hello?', owner);
    const number = (await read(id, owner)).ticket.number;
    const care = await as('care');
    for (const text of [number, number.toLowerCase(), number.replace('-', ' ')]) {
      const { result } = await care.call('find', { text });
      expect([result.payments.map((one) => one.id), result.ticket]).toEqual([[id], number.replace('-', '')]);
    }
    const finance = await as('finance');
    expect((await finance.call('find', { text: number })).result).toMatchObject({ ticket: null, payments: [{ id }] });
    const { result: today } = await care.call('today');
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from tickets where state = 'new'`.execute(world.db);
    expect(today.tickets.find(({ state }) => state === 'new')?.count).toBe(rows[0]?.count);
  });
});

describe('the portal itself', () => {
  const hour = 3_600;
  const watchAtOnce = () => Promise.all(Array.from({ length: 4 }, () => tickets().watchMoney()));
  /** Each enquiry is an hour after the previous one, because later enquiries are hours apart. */
  const refunded = (id: string) => {
    const { payments } = world.running.portal;
    const look = async () => {
      world.advance(hour);
      await payments.sweep(50);
      return (await payments.find(id))?.payment.state;
    };
    return expect.poll(look, { interval: 50 }).toBe('REFUNDED');
  };
  const saidIn = async (id: string) => {
    const ticket = await ticketOf(id);
    return ticket ? (await tickets().messagesOf(ticket.id)).map(({ said, author }) => said ?? author) : [];
  };

  test('TKT-3 opens one when REVIEW is over its time, once among several processes, and closes it when the money went back', async () => {
    const id = await inReview('390000541');
    await watchAtOnce();
    expect(await tickets().ofPayment(id)).toEqual([]);
    world.advance(25 * hour);
    await watchAtOnce();
    await watchAtOnce();
    expect(await tickets().ofPayment(id)).toHaveLength(1);
    expect(await saidIn(id)).toEqual(['reviewLate']);
    const { ticket } = await read(id, { visit: 'attacker' });
    expect(ticket.messages[0].text).toMatch(/^Looking at your payment takes longer than we told you/);
    await world.running.portal.payments.decide(id, { as: 'giveBack', by: 'rivo', note: 'another amount was taken' });
    await until(id, 'REFUNDED');
    await watchAtOnce();
    expect(await saidIn(id)).toEqual(['reviewLate', 'refunded']);
    expect(await ticketOf(id)).toMatchObject({ state: 'solved', opened_by: 'portal' });
  });

  test('TKT-3 opens one when a refund is over its clock, and closes it when the money is back; what a customer asks in it stays open', async () => {
    const wallet = { paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY', mobileNumber: '0390000012' };
    await world.phone.fault({ provider: 'wallet', operation: 'refund', fault: 'error500', rate: 1 });
    const [first, second] = [await pay('390000542', wallet, owner), await pay('390000543', wallet, owner)];
    for (const id of [first, second]) await until(id, 'REFUND_UNKNOWN');
    await watchAtOnce();
    expect(await tickets().ofPayment(first)).toEqual([]);
    world.advance(25 * hour);
    await watchAtOnce();
    for (const id of [first, second]) expect(await saidIn(id)).toEqual(['refundLate']);
    await write(second, 'So where is it?', owner);
    await world.phone.clearFaults();
    for (const id of [first, second]) await refunded(id);
    await watchAtOnce();
    await watchAtOnce();
    expect(await saidIn(first)).toEqual(['refundLate', 'refunded']);
    expect(await ticketOf(first)).toMatchObject({ state: 'solved' });
    expect(await saidIn(second)).toEqual(['refundLate', 'customer', 'refunded']);
    expect(await ticketOf(second)).toMatchObject({ state: 'new' });
  });

  test('TKT-3 promises nothing for a provider that tells no time for a refund, and so opens none', async () => {
    const [untimed, timed] = [await paid('390000545'), await paid('390000546')];
    const at = new Date(Date.now() - 100 * 86_400_000);
    const late = { state: 'REFUND_UNKNOWN', refund_expected_at: at, due_at: new Date(Date.now() + 1e12) } as const;
    await world.db
      .updateTable('payments')
      .set({ ...late, gateway: 'orange' })
      .where('id', '=', untimed)
      .execute();
    await world.db.updateTable('payments').set(late).where('id', '=', timed).execute();
    await watchAtOnce();
    expect([await saidIn(untimed), await saidIn(timed)]).toEqual([[], ['refundLate']]);
  });

  test('says in the ticket that the customer opened what is late, and opens no second one', async () => {
    const id = await inReview('390000544');
    await write(id, 'What is taking so long?', { visit: 'attacker' });
    world.advance(25 * hour);
    await watchAtOnce();
    expect(await tickets().ofPayment(id)).toHaveLength(1);
    expect(await saidIn(id)).toEqual(['customer', 'reviewLate']);
  });
});

describe('what was written', () => {
  test('is forgotten after a year; that somebody wrote stays', async () => {
    const id = await paid('390000551');
    await write(id, 'I am Rasoa', owner);
    await tickets().deleteExpired();
    expect(textsOf(await read(id, owner))).toEqual(['I am Rasoa']);
    world.advance(366 * 86_400);
    await tickets().deleteExpired();
    expect(textsOf(await read(id, owner))).toEqual([]);
    expect(await ticketOf(id)).toBeDefined();
  });
});
