import { oneLine } from '@portal/domain/printable.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealPatch } from '../db/personal-data.ts';
import { runLeadsCommand } from '../leads/leads.commands.ts';
import { createReceipts } from '../receipts/receipts.service.ts';
import { type AttackWorld, attackWorld, leadOf } from './attack-world.fixture.ts';

const sales = 'sales@example.mg';
const own = '390000101';
/** All line breaks, a right-to-left override, terminal escapes, a spreadsheet formula. */
const breaks = ['\n', '\r\n', '\u0085', '\u2028', '\u2029', '\v', '\u001b[2J\u009b1m', '\u202e', '\u2066\u200b'];
const forged = (word: string) => `=${word}${breaks.map((each) => `${each}X: y`).join('')}`;
/** The same without characters that the form's pattern refuses. */
const forgedPlace = (word: string) =>
  `${word}${breaks.filter((each) => !each.includes('[')).join('Served there: yes')}`;

let world: AttackWorld;
beforeAll(async () => {
  world = await attackWorld({ rateLimitScale: 1_000, crm: null, leadsMailTo: sales });
});
afterAll(() => world.stop());

async function submit(more: object): Promise<string> {
  world.advance(61);
  const asked = { customerDetails: { fullName: forged('Own') }, requestType: forged('HBB').slice(0, 64) };
  const plan = { code: 'H50G30', amount: 90_000, currency: 'MGA', description: forged('plan') };
  const answer = await world.call('submitLead', leadOf(own, await world.leadProof(own, asked), { plan, ...more }));
  expect(answer.http, answer.text).toBe(200);
  return answer.result.refLeadId;
}

async function mailOf(id: string): Promise<string> {
  const find = async () => (await world.phone.mail(sales)).find(({ text }) => text.includes(id))?.text ?? '';
  const look = async () => {
    await world.running.portal.leads.sweep(20);
    return find();
  };
  await expect.poll(look).not.toBe('');
  return (await find()).trimEnd();
}

/** Splits where a mail program, an editor or a terminal would start a new line. */
const linesOf = (text: string) => text.split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/);
const labels = (text: string) => linesOf(text).map((line) => line.split(':')[0]);

async function printed(...words: string[]): Promise<string[]> {
  const lines: string[] = [];
  await runLeadsCommand(words, world.running.portal, (line) => lines.push(line));
  return lines;
}

describe('SEC-22 what a visitor wrote into a lead is one printable line', () => {
  const facts = ['Request', 'Name', 'Number', 'Email', 'Plan', 'Address', 'Landmark', 'Served there', 'Source', 'Sent'];

  test.for([
    ['source', { source: forged('W').slice(0, 64) }],
    ['reference', { reference: forged('O').slice(0, 64) }],
    ['address.type', { address: { type: forged('I').slice(0, 32) } }],
    ['address.landmark', { address: { landmark: forgedPlace('Near') } }],
    ['address.street1', { address: { street1: forgedPlace('Lot') } }],
    ['fullName', { fullName: 'Own\nSelf' }],
  ] as const)('%s, in the mail to the sales people, the export and the table', async ([, more]) => {
    const id = await submit(more);
    const mail = await mailOf(id);
    expect(labels(mail)).toEqual(facts);
    for (const line of [
      ...linesOf(mail),
      ...(await printed('export', 'Hery', 'a test', id)),
      ...(await printed('csv', 'Hery', 'a test')),
    ])
      expect(line).toBe(oneLine(line));
  });

  test('also one that was stored before there was a rule', async () => {
    const id = await submit({});
    await world.db
      .updateTable('leads')
      .set({
        ...sealPatch(world.db, 'leads', { id }, { source: forged('old'), full_name: forged('old') }),
        handover: 'waiting',
        due_at: new Date(0),
      })
      .where('id', '=', id)
      .execute();
    await world.phone.post('/reset');
    expect(labels(await mailOf(id))).toEqual(facts);
    const rows = [...(await printed('export', 'Hery', 'a test', id)), ...(await printed('csv', 'Hery', 'a test'))];
    for (const line of rows) expect(line).toBe(oneLine(line));
    const [head, ...table] = await printed('csv', 'Hery', 'a test');
    const row = table.find((line) => line.includes(id)) ?? '';
    // As many cells as columns, and no cell starts a formula.
    expect(row.replaceAll(/"(?:[^"]|"")*"/g, '').split(',')).toHaveLength(head?.split(',').length ?? 0);
    expect(row).toContain(`"'=old`);
  });

  test('nothing of it is in a log line that is more than one', () => {
    expect(world.running.lines.length).toBeGreaterThan(0);
    for (const line of world.running.lines) expect(linesOf(line.trimEnd())).toHaveLength(1);
  });
});

test('SEC-22 what is filled into a message, an SMS or a receipt ends no line of it', async () => {
  const { content } = world.running.portal;
  const filled = forged('Bundle');
  for (const { locale } of pack.languages) {
    const said = content.text(locale, 'notices.delivered.bundle', {
      brand: 'B',
      amount: '1',
      number: '2',
      description: filled,
      reference: '3',
      reason: '',
    });
    expect(said).toContain(oneLine(filled));
    expect(linesOf(said)).toHaveLength(1);
  }
  const { result } = await world.call('mpesaInitiate', {
    amount: 5_000,
    mobileNumber: `0${own}`,
    paymentMobile: `0${own}`,
    transactionType: 'PREPAID_RECHARGE',
    paymentMode: 'MPESA',
    currencyCode: 'MGA',
  });
  const id = result.transactionId;
  await world.db
    .updateTable('payments')
    .set({
      description: filled,
      ...sealPatch(world.db, 'payments', { id }, { account_id: filled, invoice_number: filled }),
    })
    .where('id', '=', id)
    .execute();
  const record = await world.running.portal.payments.find(result.transactionId);
  if (!record) throw new Error('the payment is there');
  const receipts = createReceipts({ pack, texts: content, gateways: new Map() });
  const { rows } = receipts.facts(record, pack.defaultLocale);
  expect(rows.filter(([, value]) => value === oneLine(filled))).toHaveLength(1);
  expect(rows.filter(([, value]) => value.startsWith('•••'))).toHaveLength(2);
  for (const [, value] of rows) expect(value).toBe(oneLine(value));
});
