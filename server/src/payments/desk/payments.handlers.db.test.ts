import { randomUUID } from 'node:crypto';
import { consoleCallPath } from '@portal/contract/console/calls.ts';
import { hiddenFields } from '@portal/contract/console/payments.ts';
import { mayDo, type Permission, type Role, roles } from '@portal/contract/console/permissions.ts';
import { storyCodes } from '@portal/contract/console/story.ts';
import { calendarDay } from '@portal/domain/calendar-day.ts';
import { type DeskAct, deskActsOf } from '@portal/domain/payment/desk-acts.ts';
import { isFinal, paymentStates } from '@portal/domain/payment/transitions.ts';
import { writeTicketNumber } from '@portal/domain/ticket.ts';
import { toWall } from '@portal/domain/zoned-time.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealPatch } from '../../db/personal-data.ts';
import { fillHashes } from '../../db/reseal.ts';
import { insertLead } from '../../leads/leads.store.ts';
import { type DeskBrowser, postedHere, userAgent } from '../../testing/console.ts';
import { type DeskWorld, deskWorld } from './desk-world.fixture.ts';

let world: DeskWorld;
let care: DeskBrowser;
let finance: DeskBrowser;
let finance2: DeskBrowser;
beforeAll(async () => {
  // High enough that no decision in these tests needs two people.
  world = await deskWorld({ fourEyesOver: 1_000_000 });
  [care, finance, finance2] = [await world.as('care'), await world.as('finance'), await world.as('finance2')];
});
afterAll(() => world.stop());

const pay: DeskWorld['pay'] = (...order) => world.pay(...order);
const until: DeskWorld['until'] = (...state) => world.until(...state);
const inReview: DeskWorld['inReview'] = (payer) => world.inReview(payer);
const actsOn: DeskWorld['actsOn'] = (id) => world.actsOn(id);

async function file(by: DeskBrowser, name: 'exportFound' | 'exportFoundInFull', payload: object): Promise<string> {
  const answer = await world.running.portal.http.inject({
    ...{ method: 'POST', url: consoleCallPath(name), payload },
    headers: { cookie: by.cookie, 'user-agent': userAgent, ...postedHere },
  });
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
  return answer.body;
}

describe('finding a payment', () => {
  test('CNS-4 (by what; how quickly among five million, in bench:find) by anything printed about it: numbers as people write them, email, reference, id, receipt and ticket, and a whole SMS with one of them', async () => {
    const id = await pay('390000311', { mobileNumber: '0390000312' });
    await until(id, 'SUCCEEDED');
    const { result: story } = await care.call('payment', { id });
    expect(story.providerReference).toBeTruthy();
    const printed = [
      id,
      id.toUpperCase(),
      story.reference,
      story.reference.replace(/(.{4})/g, '$1 '),
      '390000311',
      '0390000311',
      '+261 39 00 003 11',
      '039 00 003 12',
      'rasoa@example.mg',
      'RASOA@example.mg',
      story.providerReference ?? '',
      await asked(id),
      `Fanilo: delivered. MGA 5,000 of credit for 0390000312. Thank you. Ref ${story.reference}`,
      'Fanilo: 123456 is the code to pay MGA 5,000 for 0390000312. Good for 5 minutes. Not you? Give it to nobody.',
    ];
    for (const text of printed) {
      const { status, result } = await care.call('find', { text });
      expect([status, result.payments.map((payment) => payment.id)], text).toEqual([200, [id]]);
    }
    for (const text of ['390000319', 'nobody@example.mg', 'x', '%', "' or 1=1 --", '\u0000'])
      expect((await care.call('find', { text })).result?.payments ?? [], text).toEqual([]);
    const [listed] = (await care.call('find', { text: id })).result.payments;
    expect(listed?.taken).toBeNull();
    expect(JSON.stringify(listed)).not.toMatch(/39 ?00 ?003 ?12|390000312|390000311|rasoa/);
  });

  test('many payments of one number come page by page, newest first, none twice and none left out', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 53; count += 1) ids.push(await ordered('390000321'));
    const first = (await care.call('find', { text: '390000321' })).result;
    const second = (await care.call('find', { text: '390000321', before: first.next ?? '' })).result;
    expect([first.payments.length, second.payments.length, second.next]).toEqual([50, 3, null]);
    expect([...first.payments, ...second.payments].map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect((await care.call('find', { text: '390000321', before: 'nonsense' })).status).toBe(422);
  });

  test('CNS-4 (lines, accounts, leads) an account number leads to its payments, and a request for home broadband is found by its number, phone and email', async () => {
    const id = await pay('390000331', { mobileNumber: '0390000332', emailId: 'soa@example.mg' });
    await world.db
      .updateTable('payments')
      .set(sealPatch(world.db, 'payments', { id }, { account_id: 'PA1000000331' }))
      .where('id', '=', id)
      .execute();
    const found = async (text: string) => {
      const { result } = await care.call('find', { text });
      return [...result.payments.map((one) => one.id), ...result.leads.map((one) => one.id)];
    };
    expect(await found('PA1000000331')).toEqual([id]);
    expect(await found(' pa1000000331 ')).toEqual([id]);

    const lead = 'HB00112233445566778899';
    await insertLead(world.db, leadRow(lead));
    for (const text of [lead, 'hb 0011 2233 4455 6677 8899', '+261 39 00 003 39', 'vao@example.mg', 'VAO@example.mg'])
      expect(await found(text), text).toEqual([lead]);
    const { result } = await care.call('find', { text: lead });
    expect(result.leads).toMatchObject([{ id: lead, status: 'SUBMITTED', plan: 'Home 20' }]);
    expect(JSON.stringify(result)).not.toMatch(/003 ?39|vao@/);

    // Like rows from before these hash columns existed.
    await sql`update payments set account_hash = null where id = ${id}`.execute(world.db);
    await sql`update leads set number_hash = null, email_hash = null where id = ${lead}`.execute(world.db);
    expect([...(await found('PA1000000331')), ...(await found('vao@example.mg'))]).toEqual([]);
    await fillHashes(world.db);
    expect([...(await found('PA1000000331')), ...(await found('vao@example.mg'))]).toEqual([id, lead]);
  });

  test('by filters of some days without a text, and as a table: masked, in full for who may, formulas harmless', async () => {
    const id = await pay('390000341', { mobileNumber: '0390000342', emailId: 'fara@example.mg' });
    await until(id, 'SUCCEEDED');
    const day = calendarDay(new Date(), 'Indian/Antananarivo');
    const listed = { state: 'SUCCEEDED' as const, way: 'mpesa', from: day, until: day };
    const { result } = await care.call('find', listed);
    expect(result.days).toEqual({ from: day, until: day });
    expect(result.payments.map((one) => one.id)).toContain(id);
    expect(new Set(result.payments.map(({ state }) => state))).toEqual(new Set(['SUCCEEDED']));
    for (const other of [
      { state: 'FAILED' as const },
      { way: 'wallet' },
      { from: '2020-01-01', until: '2020-01-02' },
    ]) {
      const { payments } = (await care.call('find', { ...listed, ...other })).result;
      expect(payments.map((one) => one.id)).not.toContain(id);
      const same = await care.call('find', { ...listed, ...other, text: '390000342' });
      expect(same.result.payments).toEqual([]);
    }
    expect((await care.call('find', { from: '2026-01-01', until: '2026-02-01' })).status).toBe(422);
    expect((await care.call('find', { from: '2026-02-01', until: '2026-01-01' })).status).toBe(422);

    const masked = await file(care, 'exportFound', { text: '390000342', reason: 'for the month' });
    expect(masked.split('\r\n')).toHaveLength(3);
    expect(masked).toContain(id);
    expect(masked).not.toMatch(/39 ?00 ?003 ?4[12]|fara@/);
    const invoice_number = '=HYPERLINK("http://evil")';
    await world.db
      .updateTable('payments')
      .set(sealPatch(world.db, 'payments', { id }, { invoice_number }))
      .where('id', '=', id)
      .execute();
    const full = await file(finance, 'exportFoundInFull', { text: '390000342', reason: 'for the auditors' });
    expect(full).toMatch(/39 00 003 42.*39 00 003 41.*fara@example\.mg/);
    expect(full).toContain(`"'=HYPERLINK(""http://evil"")"`);
    expect((await care.call('exportFoundInFull', { reason: 'may I' })).error?.code).toBe('notPermitted');
  });

  test('by what was asked for or taken, and about when, where a customer knows no more than that', async () => {
    const [id, other] = [await pay('390000345', { amount: 4_321 }), await pay('390000346', { amount: 4_322 })];
    await until(id, 'SUCCEEDED');
    await until(other, 'SUCCEEDED');
    const { created_at } = await world.db
      .updateTable('payments')
      .set({ taken_amount: 4_320, taken_currency: 'MGA' })
      .where('id', '=', id)
      .returning('created_at')
      .executeTakeFirstOrThrow();
    const found = async (sought: Parameters<typeof care.call<'find'>>[1]) => {
      const { status, result } = await care.call('find', sought);
      return [status, ...(result.payments ?? []).map((one) => one.id)];
    };
    const sum = (amount: number, currency = 'MGA') => ({ sums: [{ amount, currency }] });
    expect(await found(sum(4_321))).toEqual([200, id]);
    // The amount taken matches too. The same number in another currency does not.
    expect(await found(sum(4_320))).toEqual([200, id]);
    expect(await found({ sums: [...sum(4_321).sums, ...sum(4_322).sums] })).toEqual([200, other, id]);
    expect(await found(sum(4_321, 'EUR'))).toEqual([200]);
    expect(await found({ ...sum(4_321), text: '390000345' })).toEqual([200, id]);
    expect(await found({ ...sum(4_321), text: '390000346' })).toEqual([200]);
    // The last minute is included. Times without a day mean today.
    const [day = '', minute = ''] = toWall(created_at.toISOString(), 'Indian/Antananarivo').split('T');
    const [, before = ''] = toWall(new Date(created_at.getTime() - 60_000).toISOString(), 'Indian/Antananarivo').split(
      'T',
    );
    const days = { from: day, until: day };
    expect(await found({ ...sum(4_321), ...days, fromTime: minute, untilTime: minute })).toEqual([200, id]);
    expect(await found({ ...sum(4_321), from: day, fromTime: minute })).toEqual([200, id]);
    expect(await found({ ...sum(4_321), until: day, fromTime: '00:00', untilTime: minute })).toEqual([200, id]);
    if (before < minute) {
      expect(await found({ ...sum(4_321), ...days, untilTime: before })).toEqual([200]);
      expect((await care.call('find', { ...days, fromTime: minute, untilTime: before })).error?.code).toBe(
        'endBeforeStart',
      );
    }
    const { result } = await care.call('find', { ...sum(4_321), fromTime: '00:00' });
    expect(result.days?.from).toBe(calendarDay(new Date(), 'Indian/Antananarivo'));
    expect(result.days?.until).toBe(result.days?.from);
    for (const wrong of [{ fromTime: '24:00' }, { sums: [] }, sum(0), sum(1.5), { from: '2026-99-99' }])
      expect((await found(wrong))[0], JSON.stringify(wrong)).toBe(422);
    expect((await care.call('find', { ...sum(4_321), from: '2026-01-01', until: '2026-02-01' })).error?.code).toBe(
      'tooManyDays',
    );
    const looks = await world.db.selectFrom('audit').select('after').where('act', '=', 'payments.found').execute();
    expect(looks.map(({ after }) => after)).toContainEqual(
      expect.objectContaining({ by: 'filter', amounts: ['4321 MGA'], fromTime: minute }),
    );
  });

  test('who looked for whom stands in the audit without anybody’s number, once for the same look', async () => {
    const looks = () =>
      world.db.selectFrom('audit').selectAll().where('act', '=', 'payments.found').orderBy('number').execute();
    const before = (await looks()).length;
    for (const text of ['0390000349', '+261 39 00 003 49', 'Sought@example.mg', 'sought@example.mg', 'PA77'])
      await care.call('find', { text });
    await finance.call('find', { text: '0390000349' });
    const found = (await looks()).slice(before);
    const said = found.map(({ person, subject_kind, after }) => [person, subject_kind, (after as { by: string }).by]);
    expect(said).toEqual([
      ['care@console.example', 'customer', 'number'],
      ['care@console.example', 'customer', 'email'],
      ['care@console.example', 'search', 'text'],
      ['finance@console.example', 'customer', 'number'],
    ]);
    // Both searches log the same pseudonym, and an admin can find it by the number.
    expect(found[0]?.subject_id).toBe(found[3]?.subject_id);
    const admin = await world.as('admin');
    const { result } = await admin.call('searchPerson', { text: '0390000349', reason: 'they ask who looked' });
    expect(result.person).toBe(found[0]?.subject_id);
    expect(JSON.stringify(found)).not.toMatch(/390000349|003 ?49|nobody|PA77/i);
    // Neither does the server's log of the request.
    expect(world.running.lines.join()).not.toMatch(/390000349|nobody@|PA77/i);
  });

  const leadRow = (id: string): Parameters<typeof insertLead>[1] => ({
    id,
    proof_digest: id,
    body_digest: id,
    full_name: 'Vao',
    contact_number: '0390000339',
    line_type: 'PREPAID',
    email: 'vao@example.mg',
    is_feasible: true,
    address: JSON.stringify({ city: 'Antananarivo' }),
    plan_code: 'HOME20',
    plan_amount: 20_000,
    plan_currency: 'MGA',
    plan_description: 'Home 20',
    source: 'web',
    reference: 'web',
    works_id: null,
    language: 'en-GB',
    visit: null,
    status: 'SUBMITTED',
    handover: 'accepted',
    crm_reference: null,
    paid_by: null,
    due_at: null,
    looked_at: null,
    created_at: new Date(),
    changed_at: new Date(),
  });

  /** Opens a ticket about the payment. Returns its number as printed in SMS. */
  async function asked(tid: string): Promise<string> {
    const { result } = await world.call('writeTicket', { tid, text: 'Where is it, please?' });
    return result.ticket.number;
  }

  async function ordered(to: string): Promise<string> {
    const order = {
      amount: 1_000,
      mobileNumber: `0${to}`,
      paymentMobile: '0390000329',
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: 'MPESA',
      paymentGateway: 'MPESA',
      currencyCode: 'MGA',
      confirmRepeat: true,
    };
    const { result } = await world.call('initiate', order, { headers: { 'idempotency-key': randomUUID() } });
    return result.transactionId;
  }
});

describe('a payment', () => {
  test('CNS-5 tells its whole story in the order in which it happened, in codes that have words, and masks whom it is about', async () => {
    const id = await pay('390000331', { mobileNumber: '0390000332' });
    await until(id, 'SUCCEEDED');
    await world.call('writeTicket', { tid: id, text: 'I am Rasoa and it did not come' });
    await care.call('reveal', { id, field: 'payer', reason: 'the customer asks' });
    await care.call('receiptAgain', { id });
    const told = async () => {
      const { result } = await care.call('payment', { id });
      return result.events
        .filter(({ kind }) => kind === 'message')
        .map(({ what, codes }) => [what, ...codes].join(' '));
    };
    // SMS and email to the payer, SMS to the recipient, and the receipt sent again by email.
    await expect
      .poll(async () => (await told()).sort())
      .toEqual([
        'delivered way.mail outcome.sent',
        'delivered way.mail outcome.sent',
        'delivered way.sms outcome.sent',
        'received way.sms outcome.sent',
      ]);
    const { result: story } = await care.call('payment', { id });
    const kinds = new Set(story.events.map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(['audit', 'evidence', 'message', 'posting', 'risk', 'state', 'ticket']);
    const codes = story.events.flatMap(({ kind, what, codes: more }) => [
      ...(kind === 'state' ? [] : [`${kind === 'audit' ? 'act' : kind}.${what}`]),
      ...more,
    ]);
    expect(codes.filter((code) => !storyCodes.includes(code))).toEqual([]);
    expect(story.tickets).toEqual([{ id: expect.any(String), number: expect.any(String), state: 'new' }]);
    expect(JSON.stringify(story)).not.toContain('did not come');
    expect(await actsOn(id)).toEqual(['payment.revealed care: the customer asks', 'payment.receiptAgain care']);
    expect(story.events.filter(({ kind }) => kind === 'state').at(-1)?.what).toBe('SUCCEEDED');
    const times = story.events.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect([story.provider.said, story.provider.amount, story.delivery.said]).toEqual(['paid', 5_000, 'delivered']);
    expect(JSON.stringify(story)).not.toMatch(/39 ?00 ?003 ?3[12]|39000033[12]|rasoa@/);
    expect(story.actions).toMatchObject({
      ...{ ask: false, decisions: [], propose: ['goodwill'], receiptAgain: 'mail', openTicket: false },
    });
    expect((await care.call('payment', { id: 'f'.repeat(26) })).status).toBe(404);
  });

  test('an open one says when the provider was asked, what it said, and when it is asked again', async () => {
    const id = await pay('390000008');
    await until(id, 'AWAITING_PAYER');
    // The portal still enquires in the background, and may overwrite the time that is set here.
    const due_at = new Date(Date.now() + 3_600_000);
    const asksAgain = async () => {
      await world.db.updateTable('payments').set({ due_at }).where('id', '=', id).execute();
      return (await care.call('payment', { id })).result.enquiry.nextAt;
    };
    await expect.poll(asksAgain).toBe(due_at.toISOString());
    // There are no further enquiries in this state, so no time is shown.
    await world.db.updateTable('payments').set({ state: 'SUCCEEDED' }).where('id', '=', id).execute();
    expect((await care.call('payment', { id })).result.enquiry.nextAt).toBeNull();
    await world.db.updateTable('payments').set({ state: 'AWAITING_PAYER' }).where('id', '=', id).execute();
  });

  test('the account of a bill that was paid by its line: its end, once money was taken, and nobody is shown more of it', async () => {
    const bill = { transactionType: 'POSTPAID_BILL', mobileNumber: '0390000002', amount: 1_000 };
    // The payer is prompted and does not respond.
    const waiting = await pay('390000008', bill);
    await until(waiting, 'AWAITING_PAYER');
    expect((await care.call('payment', { id: waiting })).result.billedAccount).toBeNull();
    const id = await pay('390000338', bill);
    await until(id, 'SUCCEEDED');
    const { result: story } = await care.call('payment', { id });
    expect([story.account, story.billedAccount]).toEqual([null, '•••0002']);
    expect(JSON.stringify(story)).not.toContain('1000000002');
    expect((await care.call('reveal', { id, field: 'account', reason: 'to see it' })).status).toBe(404);
  });

  test('what another system said is a quotation beside our own words; what was answered stands before what it made of the payment', async () => {
    const id = await pay('390000336', { mobileNumber: '0390000012' });
    await until(id, 'REFUNDED');
    const { events } = (await care.call('payment', { id })).result;
    const found = (what: string) => events.findIndex((one) => one.what === what);
    expect(events[found('deliver.refused')]).toMatchObject({ detail: null, quote: 'the line does not accept top-ups' });
    expect(events.filter(({ kind, quote }) => kind !== 'evidence' && quote !== null)).toEqual([]);
    // An accepted refund is not a refund yet: first the response, then the state it led to, then the proof.
    const told = ['deliver.refused', 'REFUND_DUE', 'refund.unclear', 'findRefund.refunded', 'REFUNDED'].map(found);
    expect(told).not.toContain(-1);
    expect(told).toEqual([...told].sort((one, other) => one - other));
  });

  test('CNS-5 shows of what can be done only what its state takes and the role may, in every state for every role', async () => {
    const id = await pay('390000335');
    await until(id, 'SUCCEEDED');
    const asFound = await world.db
      .selectFrom('payments')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const state of paymentStates) {
      await world.db.updateTable('payments').set({ state, due_at: null }).where('id', '=', id).execute();
      for (const [role, browser] of Object.entries({ care, finance }) as [Role, DeskBrowser][]) {
        const { actions } = (await browser.call('payment', { id })).result;
        const may = (act: DeskAct, permission: Permission) =>
          deskActsOf({ state, wasSent: true }).includes(act) && mayDo([role], permission);
        const where = `${state} ${role}`;
        expect(actions.ask, where).toBe(may('ask', 'payments.ask') || may('askInReview', 'review.ask'));
        expect(actions.receiptAgain, where).toBe(may('receiptAgain', 'payments.receipt') ? 'mail' : null);
        expect(actions.openTicket, where).toBe(may('openTicket', 'tickets.answer'));
        if (!may('settle', 'review.settle')) expect(actions.decisions, where).toEqual([]);
        // An act that is not shown is refused when called.
        const tried = {
          ask: actions.ask || (await browser.call('ask', { id })).status,
          receipt: actions.receiptAgain || (await browser.call('receiptAgain', { id })).status,
          settle:
            actions.decisions[0] ?? (await browser.call('settle', { id, as: 'notTaken', reason: 'to try' })).status,
        };
        for (const answer of Object.values(tried))
          expect([200, 500], `${where} ${JSON.stringify(tried)}`).not.toContain(answer);
      }
    }
    await world.db.updateTable('payments').set(asFound).where('id', '=', id).execute();
    for (const role of roles.filter((one) => one !== 'care' && one !== 'finance'))
      expect((await (await world.as(role)).call('payment', { id })).status, role).toBe(403);
  });

  test('CNS-3 what is masked is shown one field at a time, for a reason, and that stands in the audit without it', async () => {
    const id = await pay('390000341', { mobileNumber: '0390000342' });
    expect((await care.call('reveal', { id, field: 'payer', reason: ' ' })).error?.code).toBe('invalid');
    const shown = await care.call('reveal', { id, field: 'payer', reason: 'the customer calls from it' });
    expect(shown.result.value.replaceAll(' ', '')).toBe('390000341');
    expect((await care.call('reveal', { id, field: 'email', reason: 'to write' })).result.value).toBe(
      'rasoa@example.mg',
    );
    expect((await care.call('reveal', { id, field: 'invoice', reason: 'none there' })).status).toBe(404);
    expect(await actsOn(id)).toEqual([
      'payment.revealed care: the customer calls from it',
      'payment.revealed care: to write',
    ]);
    const rows = await world.db.selectFrom('audit').selectAll().execute();
    expect(JSON.stringify(rows)).not.toMatch(/390000341|rasoa/);
    expect(hiddenFields).toHaveLength(5);
  });
});

describe('the desk for what waits for a person', () => {
  test('CNS-6 claim, compare, ask the provider now, settle with a reason: each in the audit and in the story', async () => {
    const id = await inReview('390000351');
    const waiting = (await finance.call('review')).result.find((payment) => payment.id === id);
    expect(waiting).toMatchObject({ state: 'REVIEW', reason: 'amountConflict', claimedBy: null, proposal: null });
    expect(Date.parse(waiting?.promisedAt ?? '') - Date.parse(waiting?.changedAt ?? '')).toBe(24 * 3_600_000);
    expect((await care.call('payment', { id })).result.actions).toMatchObject({
      ...{ ask: false, decisions: [], propose: ['refund'] },
    });

    expect((await finance.call('claim', { id, isTaken: true })).status).toBe(200);
    const other = await finance2.call('claim', { id, isTaken: true });
    expect([other.status, other.error?.code]).toEqual([409, 'workedOnByOther']);
    for (const refused of [
      await finance2.call('ask', { id }),
      await finance2.call('settle', { id, as: 'givenBack', reason: 'seen in the list' }),
    ])
      expect(refused.error).toEqual({ code: 'workedOn', parameters: { person: 'finance@console.example' } });

    const { result: story } = await finance.call('payment', { id });
    expect(story.claim).toMatchObject({ by: 'finance@console.example', isOwn: true });
    expect([story.amount, story.provider.said]).toEqual([5_000, 'paid']);
    expect(story.provider.amount).not.toBe(5_000);
    // The amount taken is shown beside the amount asked for: in both lists, the story, the export and, below, a ticket.
    const taken = { amount: story.provider.amount, currency: 'MGA' };
    const [inList] = (await finance.call('find', { text: id })).result.payments;
    expect([waiting?.taken, story.taken, inList?.taken]).toEqual([taken, taken, taken]);
    expect(await file(finance, 'exportFound', { text: id, reason: 'both sums' })).toContain(
      `,"5000","MGA","${taken.amount}","MGA",`,
    );
    expect(story.actions.ask).toBe(true);
    expect(story.actions.decisions).toEqual(['delivered', 'givenBack', 'giveBack']);
    const before = (await finance.call('payment', { id })).result;
    world.advance(5);
    expect((await finance.call('ask', { id })).status).toBe(200);
    // An identical response is not stored as evidence again, but the enquiry's time is updated.
    const asked = (await finance.call('payment', { id })).result;
    expect(asked.provider).toEqual(before.provider);
    expect(asked.enquiry).toMatchObject({ said: 'paid', nextAt: null });
    expect(Date.parse(asked.enquiry.askedAt ?? '')).toBeGreaterThan(Date.parse(before.enquiry.askedAt ?? ''));
    const wrong = await finance.call('settle', { id, as: 'notTaken', reason: 'it seems so' });
    expect([wrong.status, wrong.error?.code]).toEqual([409, 'provedTaken']);

    const settled = await finance.call('settle', { id, as: 'giveBack', reason: 'another amount was taken' });
    expect([settled.status, settled.result]).toEqual([200, { state: 'REFUND_DUE' }]);
    expect(await actsOn(id)).toEqual([
      'payment.claimed finance',
      'payment.asked finance',
      // A decision that the provider's response contradicts is refused and audited.
      'payment.settleRefused finance: it seems so',
      'payment.settled finance: another amount was taken',
    ]);
    const admin = await world.as('admin');
    const found = async (filter: object) => (await admin.call('audit', filter)).result.rows.map(({ act }) => act);
    const all = await found({ about: id });
    expect(all).toHaveLength(4);
    // The reference as printed for the customer, in any case and grouping.
    expect(await found({ about: story.reference })).toEqual(all);
    expect(await found({ about: ` ${story.reference.toUpperCase().replace(/(....)/g, '$1 ')}` })).toEqual(all);
    const ticket = (await care.call('openTicket', { payment: id, text: 'The customer calls' })).result.id;
    expect((await care.call('ticket', { id: ticket })).result.payment).toMatchObject({ amount: 5_000, taken });
    expect(await found({ about: writeTicketNumber(ticket) })).toContain('ticket.opened');
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await found({ about: id, from: day(-1), day: day(1) })).toEqual(expect.arrayContaining(all));
    expect(await found({ about: id, from: day(2) })).toEqual([]);
    const after = (await finance.call('payment', { id })).result;
    expect(after.claim).toBeNull();
    expect(after.events.some(({ kind, by }) => kind === 'state' && by === 'finance@console.example')).toBe(true);
    await until(id, 'REFUNDED');
  });

  test('CNS-6 two people who settle the same one at once: one of them does, once', async () => {
    const id = await inReview('390000361');
    const both = await Promise.all([
      finance.call('settle', { id, as: 'giveBack', reason: 'seen by one' }),
      finance2.call('settle', { id, as: 'givenBack', reason: 'seen by the other' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await actsOn(id)).filter((act) => act.startsWith('payment.settled'))).toHaveLength(1);
  });

  test('CNS-6 what cannot be written down is not done', async () => {
    const id = await inReview('390000371');
    await expect(
      world.running.portal.payments.decide(id, {
        as: 'giveBack',
        by: 'finance@console.example',
        note: 'seen',
        record: () => Promise.reject(new Error('the audit cannot be written')),
      }),
    ).rejects.toThrow('the audit cannot be written');
    expect((await world.running.portal.payments.find(id))?.payment.state).toBe('REVIEW');
  });
});

describe('the day', () => {
  const count = <T>(items: T[], keyOf: (item: T) => string) => {
    const counts = new Map<string, number>();
    for (const item of items) counts.set(keyOf(item), (counts.get(keyOf(item)) ?? 0) + 1);
    return counts;
  };

  test('CNS-9 its figures are those of the rows of the database, counted one by one', async () => {
    const id = await pay('390000381');
    await until(id, 'SUCCEEDED');
    await until(await pay('390000004'), 'FAILED');
    await world.running.portal.payments.drain();
    // The health of the ways to pay is cached for half a minute.
    world.advance(31);
    const { status, result } = await finance.call('today');
    expect(status).toBe(200);

    const at = Date.parse(result.at);
    const dayOf = (moment: Date) =>
      new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone: 'Indian/Antananarivo' }).format(moment);
    const postings = (await world.db.selectFrom('ledger_postings').selectAll().execute()).filter(
      (posting) => dayOf(posting.at) === dayOf(new Date(at)),
    );
    const [sum] = result.sums;
    for (const [kind, name] of [
      ['paid', 'taken'],
      ['delivered', 'delivered'],
      ['refunded', 'givenBack'],
    ] as const) {
      const rows = postings.filter((posting) => posting.kind === kind);
      const amount = rows.reduce((total, posting) => total + posting.amount, 0);
      expect(sum?.[name], name).toEqual({ amount, count: rows.length });
    }
    expect(sum?.taken.count).toBeGreaterThan(0);

    const payments = await world.db.selectFrom('payments').selectAll().execute();
    // A failed payment is still enquired about for a day because of late money, but does not count as waiting.
    expect(payments.some(({ due_at, state }) => due_at !== null && isFinal(state))).toBe(true);
    const open = payments.filter(({ due_at, state }) => state === 'REVIEW' || (due_at !== null && !isFinal(state)));
    expect(new Map(result.waiting.map((row) => [row.state, row.count]))).toEqual(count(open, ({ state }) => state));
    const lately = payments.filter(({ submitted_at }) => submitted_at && submitted_at.getTime() >= at - 3_600_000);
    const minute = (moment: Date | null) => new Date(Math.floor(Number(moment) / 60_000) * 60_000).toISOString();
    expect(new Map(result.minutes.map((row) => [row.at, row.count]))).toEqual(
      count(lately, ({ submitted_at }) => minute(submitted_at)),
    );
    // Refunded payments count as taken too.
    const mpesa = payments.filter(({ gateway, taken_amount }) => gateway === 'mpesa' && taken_amount !== null);
    expect(result.ways.find(({ way }) => way === 'MPESA')).toMatchObject({ taken: mpesa.length, failed: 0 });
  });
});
