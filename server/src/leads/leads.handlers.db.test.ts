import type { ConsoleCallName } from '@portal/contract/console/calls.ts';
import { consoleCallPath } from '@portal/contract/console/calls.ts';
import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AttackWorld, attackWorld, leadOf } from '../attack/attack-world.fixture.ts';
import { type DeskBrowser, postedHere, signIn, userAgent } from '../testing/console.ts';
import { runLeadsCommand } from './leads.commands.ts';
import { findLead, insertLead, type Lead } from './leads.store.ts';

let world: AttackWorld;
let care: DeskBrowser;
let admin: DeskBrowser;
beforeAll(async () => {
  world = await attackWorld({ rateLimitScale: 1_000_000 });
  [care, admin] = [await as('care'), await as('admin')];
});
afterAll(() => world.stop());

const number = '390000001';
const as = (person: string) => signIn(world.running.portal.http, `${person}@console.example`);

const orderOf = (id: string, payer: string) => ({
  ...{ amount: 90_000, mobileNumber: `0${payer}`, paymentMobile: `0${payer}`, transactionType: 'HBB_LEADS' },
  ...{ paymentMode: 'FANILO_MONEY', productCode: 'H50G30', txnId: id, confirmRepeat: true },
});

async function submitted(more: object = {}, by = number): Promise<string> {
  const uniqueCode = await world.leadProof(by);
  const { result, text } = await world.call('submitLead', leadOf(by, uniqueCode, { fullName: 'Lova Rabe', ...more }));
  expect(result?.refLeadId, text).toBeTruthy();
  return result.refLeadId;
}
const leadAt = async (id: string, by = care) => (await by.call('lead', { id })).result;
const actsOn = (id: string) =>
  world.db.selectFrom('audit').selectAll().where('subject_id', '=', id).orderBy('number').execute();

async function file(browser: DeskBrowser, name: ConsoleCallName, payload: object) {
  const answer = await world.running.portal.http.inject({
    method: 'POST',
    url: consoleCallPath(name),
    headers: { cookie: browser.cookie, 'user-agent': userAgent, ...postedHere },
    payload,
  });
  return { status: answer.statusCode, type: answer.headers['content-type'], text: answer.body };
}

describe('the pipeline', () => {
  test('a request starts as new, is moved, noted and assigned, each with a row in its history and the audit', async () => {
    const id = await submitted();
    const begun = await leadAt(id);
    expect(begun).toMatchObject({ stage: 'new', status: 'SUBMITTED', assignedTo: null, notes: [], version: 0 });
    expect(await care.call('moveLead', { id, version: 0, stage: 'contacted' })).toMatchObject({ status: 200 });
    const text = 'Wants it before Christmas; call 0390000001 after ten';
    expect(await care.call('noteLead', { id, version: 1, text })).toMatchObject({ status: 200 });
    const person = begun.people.find(({ name }) => name.length > 0);
    expect(await care.call('assignLead', { id, version: 2, person: person?.id ?? '' })).toMatchObject({ status: 200 });
    const worked = await leadAt(id);
    expect(worked).toMatchObject({ stage: 'contacted', assignedTo: person, version: 3 });
    expect(worked.notes).toEqual([{ at: expect.any(String), person: 'care@console.example', text }]);
    expect(worked.history.map(({ what, codes, detail }) => [what, ...codes, detail])).toEqual([
      ['lead.SUBMITTED', null],
      ['act.lead.moved', 'leadStage.contacted', null],
      ['act.lead.noted', null],
      ['act.lead.assigned', expect.stringContaining('@console.example')],
    ]);
    expect(JSON.stringify(await actsOn(id))).not.toMatch(/Christmas|390000001/);
    expect(await care.call('assignLead', { id, version: 3, person: null })).toMatchObject({ status: 200 });
    expect((await leadAt(id)).assignedTo).toBeNull();
  });

  test('of two changes to the same version one succeeds; the other gets a conflict, and nothing is written', async () => {
    const id = await submitted();
    const calls = await Promise.all([
      care.call('noteLead', { id, version: 0, text: 'one of two' }),
      care.call('moveLead', { id, version: 0, stage: 'lost' }),
      care.call('assignLead', { id, version: 0, person: null }),
    ]);
    expect(calls.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(calls.flatMap(({ error }) => (error ? [error.code] : []))).toEqual(['changed', 'changed']);
    const { version, history } = await leadAt(id);
    expect([version, history.filter(({ what }) => what.startsWith('act.')).length]).toEqual([1, 1]);
    expect((await care.call('moveLead', { id: 'HB00', version: 0, stage: 'lost' })).status).toBe(404);
  });

  test('a lead can only be assigned to people who work on leads', async () => {
    const id = await submitted();
    const [other] = (await admin.call('people')).result.filter(({ roles }) => !roles.includes('care'));
    for (const person of [other?.id ?? '', 'nobody at all'])
      expect((await care.call('assignLead', { id, version: 0, person })).error).toEqual({
        code: 'invalid',
        field: 'person',
      });
  });

  test.each([
    ['SCHEDULED', 'new', 'contacted'],
    ['SCHEDULED', 'lost', 'lost'],
    ['INSTALLED', 'contacted', 'installed'],
    ['CLOSED', 'contacted', 'lost'],
    ['CLOSED', 'installed', 'installed'],
    ['PAID', 'new', 'new'],
    ['PAID', 'lost', 'new'],
  ] as const)(
    'what the CRM says moves it: %s makes of %s %s, and who saw it before is told',
    async (status, stage, after) => {
      const id = await submitted();
      await care.call('moveLead', { id, version: 0, stage });
      await world.db.updateTable('leads').set({ status }).where('id', '=', id).execute();
      expect(await leadAt(id)).toMatchObject({ stage: after, status, version: 2 });
      expect((await care.call('moveLead', { id, version: 1, stage: 'new' })).error?.code).toBe('changed');
      expect((await care.call('moveLead', { id, version: 2, stage: 'new' })).status).toBe(200);
    },
  );

  test('is listed by stage and assignee, paginated, each once, with counts', async () => {
    await sql`delete from leads`.execute(world.db);
    const first = await submitted();
    const found = await findLead(world.db, first);
    const { stage: _, version: __, assigned_to: ___, ...copied } = found as Lead;
    // More than two pages with the same time: the id then decides the order.
    const ids = Array.from({ length: 110 }, (_each, n) => `HB${String(n).padStart(20, '0')}`);
    for (const id of ids)
      await insertLead(world.db, { ...copied, id, proof_digest: id, address: JSON.stringify(copied.address) });
    await world.db.updateTable('leads').set({ stage: 'lost' }).where('id', '=', first).execute();
    const { result: none } = await care.call('leads', { stage: 'lost', assigned: 'nobody' });
    expect(none.leads.map(({ id }) => id)).toEqual([first]);
    expect(none.counts).toEqual([
      { stage: 'new', count: 110, isMore: false },
      { stage: 'contacted', count: 0, isMore: false },
      { stage: 'installed', count: 0, isMore: false },
      { stage: 'lost', count: 1, isMore: false },
    ]);
    const seen: string[] = [];
    for (let before: string | undefined | null; before !== null; ) {
      const { leads, next }: ConsoleResult<'leads'> = (
        await care.call('leads', { stage: 'new', ...(before ? { before } : {}) })
      ).result;
      seen.push(...leads.map(({ id }) => id));
      before = next;
    }
    expect(seen).toEqual(ids.toReversed());
    const [person] = none.people;
    const { version } = await leadAt(first);
    await care.call('assignLead', { id: first, version, person: person?.id ?? '' });
    expect((await care.call('leads', { stage: 'lost', assigned: 'nobody' })).result.leads).toEqual([]);
    expect((await care.call('leads', { stage: 'lost', assigned: person?.id })).result.leads).toHaveLength(1);
    expect((await care.call('leads', { stage: 'new', before: 'yesterday' })).status).toBe(422);
  });
});

describe('personal data', () => {
  test('is masked, and shown one at a time for a reason, which the audit records', async () => {
    const id = await submitted({ address: { street1: 'Lot II 12 Analakely', landmark: 'Near the market' } });
    const lead = await leadAt(id);
    expect(lead).toMatchObject({ name: 'L. R.', email: 'o•••@example.mg', address: '•••', town: 'Antananarivo' });
    expect(JSON.stringify(lead)).not.toMatch(/Lova|Rabe|Analakely|39 00 000 01|390000001|own@/);
    const shown = async (field: 'name' | 'number' | 'email' | 'address') =>
      (await care.call('revealLead', { id, field, reason: 'to call them' })).result.value;
    expect([await shown('name'), await shown('number'), await shown('email')]).toEqual([
      'Lova Rabe',
      '39 00 000 01',
      'own@example.mg',
    ]);
    expect(await shown('address')).toBe('Lot II 12 Analakely, Near the market, Antananarivo');
    const acts = await actsOn(id);
    expect(acts.map(({ act, after, reason }) => [act, after, reason])).toContainEqual([
      'lead.revealed',
      { field: 'address' },
      'to call them',
    ]);
    expect((await admin.call('revealLead', { id, field: 'name', reason: 'curious' })).error?.code).toBe('notPermitted');
  });

  test('is exported masked by care and in full by an admin, as a streamed table; the audit records who and why', async () => {
    await sql`delete from leads`.execute(world.db);
    const id = await submitted({ fullName: 'Lova Rabe' });
    const masked = await file(care, 'exportLeads', { stage: 'new', reason: 'weekly list' });
    expect([masked.status, masked.type]).toEqual([200, 'text/csv; charset=utf-8']);
    const [head, row, end] = masked.text.split('\r\n');
    expect(head).toMatch(/^"id","created","status","stage","worked on by","name","number"/);
    expect(row).toContain(`"${id}"`);
    expect(end).toBe('');
    expect(masked.text).not.toMatch(/Lova|390000001|own@|Analakely|market/);
    const [person] = (await leadAt(id)).people;
    await care.call('assignLead', { id, version: 0, person: person?.id ?? '' });
    const created = new Date('2026-11-17T22:30:00Z');
    await world.db.updateTable('leads').set({ created_at: created }).where('id', '=', id).execute();
    const words = { 'column.created': 'When', 'status.SUBMITTED': 'sent', 'stage.new': 'fresh', yes: 'can be' };
    const [named, told] = (await file(care, 'exportLeads', { stage: 'new', reason: 'in words', words })).text.split(
      '\r\n',
    );
    expect(named).toContain('"id","When","status"');
    // Already the next day in Antananarivo.
    expect(told).toContain(`"${id}","2026-11-18 01:30","sent","fresh","${person?.name}"`);
    expect(told).toContain('"can be"');
    expect((await file(care, 'exportLeadsInFull', { reason: 'all of it' })).status).toBe(403);
    const full = await file(admin, 'exportLeadsInFull', { reason: 'for the installers' });
    for (const said of ['Lova Rabe', `0${number}`, 'own@example.mg', 'Lot II 12 Analakely'])
      expect(full.text).toContain(said);
    expect(
      (await file(care, 'exportLeads', { stage: 'lost', reason: 'none of them' })).text.split('\r\n'),
    ).toHaveLength(2);
    const acts = await world.db
      .selectFrom('audit')
      .selectAll()
      .where('act', '=', 'leads.exported')
      .orderBy('number')
      .execute();
    expect(acts.map(({ person, subject_id, after, reason }) => [person, subject_id, after, reason])).toEqual([
      ['care@console.example', 'new', { stage: 'new', inFull: false }, 'weekly list'],
      ['care@console.example', 'new', { stage: 'new', inFull: false }, 'in words'],
      ['admin@console.example', 'all', { inFull: true }, 'for the installers'],
      ['care@console.example', 'lost', { stage: 'lost', inFull: false }, 'none of them'],
    ]);
  });

  test('is erased with its notes by one person for a reason, and the audit keeps that it was done', async () => {
    const id = await submitted();
    await care.call('noteLead', { id, version: 0, text: 'call again' });
    expect((await care.call('eraseLead', { id, reason: 'asked on the phone' })).status).toBe(200);
    expect((await care.call('lead', { id })).status).toBe(404);
    expect((await care.call('eraseLead', { id, reason: 'asked on the phone' })).status).toBe(404);
    expect(await world.db.selectFrom('lead_notes').selectAll().where('lead_id', '=', id).execute()).toEqual([]);
    expect((await actsOn(id)).at(-1)).toMatchObject({ act: 'lead.erased', reason: 'asked on the phone' });
  });

  test('is not erased while a payment for it is open, by a command either', async () => {
    const id = await submitted();
    const { result } = await world.call('initiate', orderOf(id, number));
    expect(await leadAt(id)).toMatchObject({ money: 'underWay', paymentId: null });
    expect((await care.call('eraseLead', { id, reason: 'asked for it' })).error?.code).toBe('paymentUnderWay');
    const lines: string[] = [];
    const command = ['delete', id, 'Hery', 'asked by letter'];
    expect(await runLeadsCommand(command, world.running.portal, (line) => lines.push(line))).toBe(1);
    expect(lines).toEqual([expect.stringContaining('is under way')]);
    const admin = await as('admin');
    const { held } = (await admin.call('searchPerson', { text: number, reason: 'to be erased' })).result;
    expect(held.find(({ table }) => table === 'leads')?.open).toBe(1);
    await sql`update payments set state = 'FAILED', due_at = null where id = ${result.transactionId}`.execute(world.db);
    expect(await runLeadsCommand(command, world.running.portal, () => {})).toBe(0);
    expect((await actsOn(id)).at(-1)).toMatchObject({ person: 'Hery', roles: ['command'], act: 'lead.erased' });
  });

  test('is not erased while it is paid, by a command or with its person either, until it is installed or its money went back', async () => {
    const payer = '390000031';
    const id = await submitted({}, payer);
    const { result } = await world.call('initiate', orderOf(id, payer));
    const payment = result.transactionId;
    const paid = { state: 'SUCCEEDED', due_at: null } as const;
    await world.db.updateTable('payments').set(paid).where('id', '=', payment).execute();
    await world.db.updateTable('leads').set({ paid_by: payment, status: 'PAID' }).where('id', '=', id).execute();
    const held = async () => {
      const about = await admin.call('searchPerson', { text: payer, reason: 'to be erased' });
      const openOf = (name: string) => about.result.held.find(({ table }) => table === name)?.open;
      return [openOf('leads'), openOf('payments')];
    };
    const erased = () => care.call('eraseLead', { id, reason: 'asked for it' });
    const command = async () => {
      const lines: string[] = [];
      const status = await runLeadsCommand(['delete', id, 'Hery', 'a letter'], world.running.portal, (line) =>
        lines.push(line),
      );
      return [status, ...lines];
    };
    expect(await leadAt(id)).toMatchObject({ money: 'paid', paymentId: payment });
    for (const stage of ['new', 'contacted', 'lost'] as const) {
      await world.db.updateTable('leads').set({ stage }).where('id', '=', id).execute();
      expect((await erased()).error?.code).toBe('requestPaid');
      expect(await command()).toEqual([1, expect.stringContaining('is paid, and neither installed nor given back')]);
      expect(await held()).toEqual([1, 1]);
    }
    await world.db.updateTable('leads').set({ stage: 'installed' }).where('id', '=', id).execute();
    expect(await held()).toEqual([0, 0]);
    await world.db.updateTable('leads').set({ stage: 'new' }).where('id', '=', id).execute();
    await world.db.updateTable('payments').set({ state: 'REFUNDED' }).where('id', '=', payment).execute();
    expect(await leadAt(id)).toMatchObject({ money: 'givenBack' });
    expect(await held()).toEqual([0, 0]);
    const status = async () =>
      (await world.call('transactionStatus', { tid: payment }, { visit: 'somebody' })).result.metaInfo;
    expect(await status()).toMatchObject({ leadId: id, note: expect.any(String) });
    expect((await erased()).status).toBe(200);
    expect(await status()).toEqual({ isErased: true, lineType: 'PREPAID', email: expect.stringContaining('•••') });
  });

  test('CNS-13 the money of a paid request that is lost waits for finance, who records once that it went back; then it may be erased', async () => {
    const payer = '390000041';
    const id = await submitted({}, payer);
    const { result } = await world.call('initiate', orderOf(id, payer));
    const payment = result.transactionId;
    const paid = { state: 'SUCCEEDED', due_at: null } as const;
    await world.db.updateTable('payments').set(paid).where('id', '=', payment).execute();
    await world.db.updateTable('leads').set({ paid_by: payment, status: 'PAID' }).where('id', '=', id).execute();
    const finance = await as('finance');
    const seen = async () => ({
      today: (await finance.call('today')).result.owed.map(({ lead }) => lead),
      owedFor: (await finance.call('payment', { id: payment })).result.owedFor,
    });
    const record = async (by: DeskBrowser, reason = 'Refund 4711 at the provider') =>
      (await by.call('leadMoneyBack', { id, version: (await leadAt(id)).version, reason })).error?.code;
    expect(await seen()).toEqual({ today: [], owedFor: null });
    expect(await record(finance)).toBe('notPossible');
    const { version } = await leadAt(id);
    expect((await care.call('moveLead', { id, version, stage: 'lost' })).status).toBe(200);
    expect(await seen()).toEqual({ today: [id], owedFor: id });
    expect((await care.call('eraseLead', { id, reason: 'asked for it' })).error?.code).toBe('requestPaid');
    const moved = async (stage: 'installed' | 'new') =>
      (await care.call('moveLead', { id, version: (await leadAt(id)).version, stage })).error?.code;
    expect(await moved('installed')).toBe('notPossible');
    expect(await record(care)).toBe('notPermitted');
    expect(await record(finance)).toBeUndefined();
    expect(await record(finance)).toBe('notPossible');
    expect(await moved('new')).toBe('notPossible');
    expect(await leadAt(id)).toMatchObject({ stage: 'lost', money: 'givenBack' });
    expect(await seen()).toEqual({ today: [], owedFor: null });
    expect((await actsOn(id)).filter(({ act }) => act === 'lead.moneyBack')).toMatchObject([
      { person: 'finance@console.example', reason: 'Refund 4711 at the provider' },
    ]);
    expect((await care.call('eraseLead', { id, reason: 'asked for it' })).status).toBe(200);
  });

  test('a command needs a name and a reason before it shows anything', async () => {
    const printed: string[] = [];
    for (const words of [['export'], ['csv', 'Hery'], ['delete', 'HB00'], ['export', 'Hery']])
      expect(await runLeadsCommand(words, world.running.portal, (line) => printed.push(line))).toBe(2);
    expect(printed.join('\n')).not.toContain('Lova');
    expect(await runLeadsCommand(['csv', 'Hery', 'for the board'], world.running.portal, () => {})).toBe(0);
    const [last] = await world.running.portal.audit.list(1);
    expect(last).toMatchObject({ person: 'Hery', act: 'leads.exported', subject_id: 'all', reason: 'for the board' });
  });
});
