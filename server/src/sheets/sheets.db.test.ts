import { randomUUID } from 'node:crypto';
import type { ConsoleInput } from '@portal/contract/console/contract.ts';
import type { SheetName } from '@portal/contract/console/sheets.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { catalogueSheet } from '../bundles/bundles.service.ts';
import { clockOf } from '../db/clock.ts';
import { createLogger } from '../http/logging.ts';
import { type DeskWorld, deskWorld } from '../payments/desk/desk-world.fixture.ts';
import type { DeskBrowser } from '../testing/console.ts';
import { createSheets } from './sheets.service.ts';

const pack = await loadPack('mg');
let world: DeskWorld;
let editor: DeskBrowser;
let publisher: DeskBrowser;
beforeAll(async () => {
  world = await deskWorld();
});
beforeEach(async () => {
  [editor, publisher] = [await world.as('editor'), await world.as('publisher')];
});
afterAll(() => world.stop());

type Source = ConsoleInput<'previewSheet'>['source'];
const fileOf = (text: string | Uint8Array, more: { isWhole?: boolean; from?: string | null } = {}): Source => ({
  kind: 'file',
  file: Buffer.from(text as string).toString('base64'),
  isWhole: false,
  from: null,
  ...more,
});

/** Previews a change and proposes it. */
async function proposed(source: Source, { sheet = 'catalogue' as SheetName, by = editor } = {}) {
  const shown = await by.call('previewSheet', { sheet, source });
  expect(shown.result.problems).toEqual([]);
  const { result, error } = await by.call('proposeSheet', {
    ...{ sheet, source, digest: shown.result.digest, reason: 'new tariff', isConfirmed: true },
  });
  expect(error).toBeUndefined();
  return (await publisher.call('approval', { id: result.proposal })).result;
}
const approve = ({ id, digest }: { id: string; digest: string }) => publisher.call('approve', { id, digest });
async function changed(source: Source, sheet: SheetName = 'catalogue') {
  expect((await approve(await proposed(source, { sheet }))).error).toBeUndefined();
}

type Sold = { productCode: string; amount: number; name: string };
const onSale = async (): Promise<Map<string, Sold>> => {
  const { result } = await world.call('bundles', { data: { serviceType: 'ALL' } });
  return new Map((result as Sold[]).map((one) => [one.productCode, one]));
};
const priceOf = async (code: string) => (await onSale()).get(code)?.amount;
const row = async (key: string) =>
  (await editor.call('sheet', { sheet: 'catalogue', text: key })).result.rows.find((one) => one.key === key);

const orderOf = (productCode: string, amount: number) => ({
  ...{ amount, productCode, mobileNumber: '0390000101', paymentMobile: '0390000601', currencyCode: 'MGA' },
  ...{ transactionType: 'PREPAID_BUNDLES', paymentMode: 'FANILO_MONEY', paymentGateway: 'FANILO_MONEY' },
  confirmRepeat: true,
});
const ordered = (productCode: string, amount: number) =>
  world.call('initiate', orderOf(productCode, amount), { headers: { 'idempotency-key': randomUUID() } });

const wall = (ms: number) => new Date(ms + 3 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');

describe('the catalogue', () => {
  test('CNS-11 goes out as CSV, comes back with a price and its date, is previewed, takes two people and holds from that date; an order already quoted keeps its price', async () => {
    // Within the lifetime of an order.
    const from = wall(Date.now() + 900_000);
    const file = (await editor.call('sheetFile', { sheet: 'catalogue', separator: ',' })).result.text;
    const [header = '', ...lines] = file.trim().split('\r\n');
    const line = lines.find((one) => one.startsWith('"D5G90"')) ?? '';
    const dearer = line.replace(',26000,', ',27500,').replace(/,"","","\d+"$/, `,"${from}","",""`);
    expect(dearer).toContain(from);
    const source = fileOf([header, ...lines, dearer].join('\r\n'), { isWhole: true });
    const { result: shown } = await editor.call('previewSheet', { sheet: 'catalogue', source });
    expect(shown).toMatchObject({
      problems: [],
      counts: { new: 0, changed: 1, ended: 0, unchanged: lines.length - 1 },
    });
    expect(shown.changes[0]?.after.map(({ cells, from: at }) => [cells.price, at !== null])).toEqual([
      ['26000', false],
      ['27500', true],
    ]);

    const asked = { sheet: 'catalogue' as const, source, digest: shown.digest, reason: 'new tariff' };
    const { proposal: id } = (await editor.call('proposeSheet', asked)).result;
    const { digest } = (await publisher.call('approval', { id })).result;
    expect((await editor.call('approve', { id, digest })).error?.code).toBe('notPermitted');
    expect((await publisher.call('approve', { id, digest })).status).toBe(200);
    expect(await priceOf('D5G90')).toBe(26_000);

    const quoted = await ordered('D5G90', 26_000);
    world.advance(960);
    expect(await priceOf('D5G90')).toBe(27_500);
    expect((await ordered('D5G90', 26_000)).error?.message).toBe('The price of this bundle has changed.');
    const anew = await ordered('D5G90', 27_500);
    for (const [answer, amount] of [
      [quoted, 26_000],
      [anew, 27_500],
    ] as const) {
      await world.call('process', { transactionId: answer.result.transactionId });
      await world.until(answer.result.transactionId, 'SUCCEEDED');
      expect((await world.running.portal.payments.find(answer.result.transactionId))?.payment.amount).toBe(amount);
    }
    world.advance(-960);
  });

  test('a file is previewed with before and after, and each act stands in the audit', async () => {
    const { result: shown } = await editor.call('previewSheet', {
      sheet: 'catalogue',
      source: fileOf('code;price;name_fr\nD2G7;9 000;Tselatra 2 Go à l’été\nD3G7;12000;Tselatra 3 Go\n'),
    });
    expect(shown).toMatchObject({
      ...{ encoding: 'UTF-8', separator: ';', problems: [], problemCount: 0 },
      counts: { new: 0, changed: 1, ended: 0, unchanged: 1 },
    });
    expect(shown.changes[0]).toMatchObject({
      ...{ key: 'D2G7', kind: 'changed' },
      before: [{ cells: { price: '8500', name_fr: 'Tselatra 2 Go' }, from: null, until: null }],
      after: [{ cells: { price: '9000', name_fr: 'Tselatra 2 Go à l’été' }, from: null, until: null }],
    });
    const source = fileOf('code;price;name_fr\nD2G7;9 000;Tselatra 2 Go à l’été\nD3G7;12000;Tselatra 3 Go\n');
    const proposal = await proposed(source);
    expect(proposal).toMatchObject({ kind: 'catalogue', name: 'D2G7' });
    expect(proposal.names).toContainEqual({ language: 'fr', name: 'Tselatra 2 Go' });
    expect((await editor.call('approve', { id: proposal.id, digest: proposal.digest })).error?.code).toBe(
      'notPermitted',
    );
    expect(await priceOf('D2G7')).toBe(8_500);
    expect((await publisher.call('sheetChanges', { id: proposal.id })).result).toMatchObject({
      ...{ total: 1, counts: { new: 0, changed: 1, ended: 0 } },
      changes: shown.changes,
    });
    expect((await approve(proposal)).status).toBe(200);
    expect(await priceOf('D2G7')).toBe(9_000);

    const acts = await world.db
      .selectFrom('audit')
      .select(['act', 'person'])
      .where(sql<boolean>`subject_kind = 'sheet'`)
      .orderBy('number')
      .execute();
    expect(acts.slice(-5).map(({ act, person }) => `${act} ${person?.split('@')[0]}`)).toEqual([
      ...['sheet.previewed editor', 'sheet.previewed editor', 'catalogue.proposed editor'],
      ...['catalogue.approved publisher', 'catalogue.changed publisher'],
    ]);
  });

  test('the file that is exported changes nothing when it comes back, with either separator', async () => {
    for (const separator of [',', ';'] as const) {
      const { result: file } = await editor.call('sheetFile', { sheet: 'catalogue', separator });
      expect(file.name).toBe('catalogue.csv');
      const { result } = await editor.call('previewSheet', {
        sheet: 'catalogue',
        source: fileOf(file.text, { isWhole: true }),
      });
      expect(result).toMatchObject({ separator, problems: [], changes: [] });
      expect(result.counts.unchanged).toBeGreaterThan(80);
    }
  });

  test('what is planned is listed, marked, and sold from its time until its end by the clock alone', async () => {
    const at = (hours: number) => wall(Date.now() + hours * 3_600_000);
    await changed(fileOf(`code,price,from,until\nD3G30,13000,${at(2)},${at(4)}\n`));
    const { result } = await editor.call('sheet', { sheet: 'catalogue', text: 'D3G30' });
    expect(result.rows.map(({ key, cells, isPlanned }) => [key, cells.price, isPlanned])).toEqual([
      ['D3G30', '14000', false],
      ['D3G30', '13000', true],
    ]);
    const { result: planned } = await editor.call('sheet', { sheet: 'catalogue', only: 'planned', text: 'tselatra 3' });
    expect(planned.rows.map(({ key }) => key)).toEqual(['D3G30', 'D3G30']);
    expect(await priceOf('D3G30')).toBe(14_000);
    world.advance(2 * 3_600 + 60);
    expect(await priceOf('D3G30')).toBe(13_000);
    world.advance(2 * 3_600);
    expect(await priceOf('D3G30')).toBeUndefined();
    expect((await ordered('D3G30', 13_000)).error).toMatchObject({ field: 'productCode' });
    world.advance(-4 * 3_600 - 60);
  });

  test('CNS-11 (what has ended) is listed as it last was, and put back by the form or by a row of an older file', async () => {
    const ended = async () => (await editor.call('sheet', { sheet: 'catalogue', only: 'ended' })).result.rows;
    const previewed = async (source: Source) =>
      (await editor.call('previewSheet', { sheet: 'catalogue', source })).result;
    const { result: before } = await editor.call('sheetFile', { sheet: 'catalogue', separator: ',' });
    const there = await row('D2G7');
    await changed({ kind: 'end', key: 'D2G7', revision: there?.revision ?? 0, from: null });
    expect(await priceOf('D2G7')).toBeUndefined();
    const [last] = (await ended()).filter(({ key }) => key === 'D2G7');
    expect(last).toMatchObject({ revision: 0, isEnded: true, isPlanned: false, cells: there?.cells });

    const half = await previewed(fileOf('code,price\nD2G7,20000'));
    expect(half.problems.map(({ code }) => code)).toEqual(['endedEntry']);
    const lines = before.text.split('\r\n');
    const whole = await previewed(fileOf([lines[0], lines.find((text) => text.startsWith('"D2G7"'))].join('\r\n')));
    expect(whole).toMatchObject({ problems: [], counts: { new: 1 } });
    await changed({ kind: 'entry', revision: 0, line: { cells: last?.cells ?? {}, from: null, until: null } });
    expect(await priceOf('D2G7')).toBeDefined();
    expect((await ended()).filter(({ key }) => key === 'D2G7')).toEqual([]);
  });

  /** Later, by people who sign in again. */
  async function after<T>(seconds: number, then: () => Promise<T>): Promise<T> {
    world.advance(seconds);
    [editor, publisher] = [await world.as('editor'), await world.as('publisher')];
    await sql`update console_sessions set proved_at = ${new Date(Date.now() + seconds * 1_000)}`.execute(world.db);
    try {
      return await then();
    } finally {
      world.advance(-seconds);
    }
  }
  const inHours = (hours: number) => new Date(Math.floor(Date.now() / 60_000 + hours * 60) * 60_000).toISOString();

  test('a change that was planned is open until its first date: approved later it would hold at once, so it is refused', async () => {
    const [soon, later] = [inHours(1), inHours(3)];
    const [price, other, ending] = [await priceOf('D5G7'), await priceOf('D15G30'), await row('D30G30')];
    const planned: Source[] = [
      fileOf('code,price\nD5G7,18000', { from: soon }),
      fileOf(`code,price,from\nD5G7,18500,${wall(Date.parse(later))}\nD15G30,47500,`, { from: soon }),
      { kind: 'end', key: 'D30G30', revision: ending?.revision ?? -1, from: soon },
    ];
    for (const source of planned) {
      const proposal = await proposed(source);
      expect(proposal).toMatchObject({ expiresAt: soon, overtaken: null });
      await after(7_200, async () => {
        const late = (await publisher.call('approval', { id: proposal.id })).result;
        expect(late).toMatchObject({ overtaken: { code: 'timePassed' }, actions: { approve: false } });
        expect((await approve(proposal)).error?.code).toBe('timePassed');
      });
    }
    expect([await priceOf('D5G7'), await priceOf('D15G30')]).toEqual([price, other]);
    expect(await row('D30G30')).toEqual(ending);
  });

  test('a change from its approval on is open for seven days, and a price for a time until that time is over', async () => {
    const proposal = await proposed(fileOf('code,price\nD5G7,18000'));
    expect(Date.parse(proposal.expiresAt) - Date.parse(proposal.proposedAt)).toBe(7 * 86_400_000);
    const [until, seen] = [inHours(1), await row('D15G30')];
    const line = { cells: { ...seen?.cells, price: '46000' }, from: null, until };
    const forATime = await proposed({ kind: 'entry', revision: seen?.revision ?? -1, line });
    expect(forATime).toMatchObject({ expiresAt: until, overtaken: null });
    await after(7_200, async () => {
      expect((await approve(proposal)).error).toBeUndefined();
      expect(await priceOf('D5G7')).toBe(18_000);
    });
  });

  test('by a form: one bundle changed, a new one added, one ended', async () => {
    const before = await row('D8G30');
    const cells = { ...before?.cells, price: '28000' };
    const line = { cells, from: null, until: null };
    await changed({ kind: 'entry', revision: before?.revision ?? -1, line });
    expect(await priceOf('D8G30')).toBe(28_000);
    const fresh = { ...cells, code: 'D9G30', name_en: 'Tselatra 9 GB' };
    await changed({ kind: 'entry', revision: 0, line: { ...line, cells: fresh } });
    expect((await onSale()).get('D9G30')).toMatchObject({ amount: 28_000, name: 'Tselatra 9 GB' });
    // In the order of the table; new entries come last.
    expect([...(await onSale()).keys()].at(-1)).toBe('D9G30');
    await changed({ kind: 'end', key: 'D9G30', revision: (await row('D9G30'))?.revision ?? -1, from: null });
    expect(await priceOf('D9G30')).toBeUndefined();
    const wrong = await editor.call('previewSheet', {
      sheet: 'catalogue',
      source: {
        kind: 'entry',
        revision: (await row('D8G30'))?.revision ?? -1,
        line: { ...line, cells: { ...cells, price: '-1' } },
      },
    });
    expect(wrong.result.problems).toEqual([
      { row: null, column: 'price', code: 'notPrice', value: '-1', expected: '5000' },
    ]);
  });

  test('of two who change the same the second is told, whenever it shows, and nothing of theirs is done', async () => {
    const seen = await row('D10G30');
    const entry = (price: string): Source => ({
      ...{ kind: 'entry', revision: seen?.revision ?? -1 },
      line: { cells: { ...seen?.cells, price }, from: null, until: null },
    });
    const first = await proposed(entry('36000'));
    const second = await proposed(fileOf('code,price\nD10G30,37000\nD15G30,47000'));
    const source = fileOf('code,price,revision\nD10G30,39000,1');
    expect((await approve(first)).status).toBe(200);
    const late = await approve(second);
    expect([late.status, late.error]).toEqual([409, { code: 'entryChanged', parameters: { entry: 'D10G30' } }]);
    expect([await priceOf('D10G30'), await priceOf('D15G30')]).toEqual([36_000, 48_000]);
    expect((await publisher.call('approval', { id: second.id })).result.state).toBe('open');
    // A form opened earlier, and a file exported earlier.
    const open = await editor.call('previewSheet', { sheet: 'catalogue', source: entry('38000') });
    expect(open.error?.code).toBe('changedMeanwhile');
    const { result } = await editor.call('previewSheet', { sheet: 'catalogue', source });
    expect(result.problems).toMatchObject([{ row: 2, column: 'revision', code: 'changedMeanwhile' }]);
  });

  test('what changed between the preview and the proposal is told', async () => {
    const source = fileOf('code,price\nD20G30,61000');
    const { result } = await editor.call('previewSheet', { sheet: 'catalogue', source });
    await changed(fileOf('code,price\nD20G30,62000'));
    const asked = { sheet: 'catalogue' as const, source, digest: result.digest, reason: 'new tariff' };
    expect((await editor.call('proposeSheet', asked)).error?.code).toBe('changedMeanwhile');
  });

  test('a start in the past is refused at its field: of a form, of an end and of a whole file', async () => {
    const past = new Date(Date.now() - 3_600_000).toISOString();
    const line = await row('D20G30');
    const revision = line?.revision ?? -1;
    const sources: Source[] = [
      { kind: 'entry', revision, line: { cells: { ...line?.cells, price: '61000' }, from: past, until: null } },
      { kind: 'end', key: 'D20G30', revision, from: past },
      fileOf('code,price\nD20G30,61000', { from: past }),
    ];
    for (const source of sources) {
      const { result } = await editor.call('previewSheet', { sheet: 'catalogue', source });
      expect(result.problems, source.kind).toMatchObject([{ row: null, column: 'from', code: 'inPast' }]);
      expect(result.changes, source.kind).toEqual([]);
      const asked = { sheet: 'catalogue' as const, source, digest: result.digest, reason: 'too late' };
      expect((await editor.call('proposeSheet', asked)).error?.code, source.kind).toBe('timePast');
    }
  });

  test('what waits for a publisher is not proposed again, and who did is named', async () => {
    const source = fileOf('code,price\nD30G30,85000');
    const waiting = await proposed(source);
    const { digest } = (await editor.call('previewSheet', { sheet: 'catalogue', source })).result;
    const asked = { sheet: 'catalogue' as const, source, digest, reason: 'once more' };
    const again = await editor.call('proposeSheet', asked);
    expect(again.error).toEqual({ code: 'sameProposed', parameters: { person: 'editor@console.example' } });
    expect((await editor.call('withdrawProposal', { id: waiting.id })).status).toBe(200);
    const both = await Promise.all([editor.call('proposeSheet', asked), editor.call('proposeSheet', asked)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const left = both.find(({ status }) => status === 200)?.result.proposal ?? '';
    expect((await editor.call('withdrawProposal', { id: left })).status).toBe(200);
  });

  test('a price that changes by more than half is confirmed apart, with its figures', async () => {
    const source = fileOf('code,price\nD30G30,840000');
    const { alarm, digest } = (await editor.call('previewSheet', { sheet: 'catalogue', source })).result;
    expect(alarm).toMatchObject({
      ...{ priceCount: 1, total: null },
      prices: [{ key: 'D30G30', column: 'price', before: { price: '84000' }, after: { price: '840000' } }],
    });
    const asked = { sheet: 'catalogue' as const, source, digest, reason: 'a digit too many' };
    expect((await editor.call('proposeSheet', asked)).error).toEqual({
      ...{ code: 'confirmFigures', parameters: { prices: 1, words: 0, ended: 0, total: 0 } },
    });
    const { result } = await editor.call('proposeSheet', { ...asked, isConfirmed: true });
    expect((await editor.call('withdrawProposal', { id: result.proposal })).status).toBe(200);
  });

  test('who approves sees the alarm as its author saw it, also where it was decided long ago', async () => {
    const { text } = (await editor.call('sheetFile', { sheet: 'catalogue', separator: ',' })).result;
    const [header = '', ...lines] = text.trim().split('\r\n');
    const kept = lines.filter((one) => /^"D(?:30|50)G30"/.test(one)).map((one) => one.replace(',84000,', ',840000,'));
    const source = fileOf([header, ...kept].join('\r\n'), { isWhole: true });
    const { alarm } = (await editor.call('previewSheet', { sheet: 'catalogue', source })).result;
    const total = new Set(lines.map((one) => one.split(',')[0])).size;
    expect(alarm).toMatchObject({ priceCount: 1, prices: [{ key: 'D30G30' }], ended: total - kept.length, total });
    const { id } = await proposed(source);
    expect((await publisher.call('sheetChanges', { id })).result.alarm).toEqual(alarm);
    // Something new is sold meanwhile.
    const cells = { ...(await row('D8G30'))?.cells, code: 'D7G30', name_en: 'Tselatra 7 GB' };
    await changed({ kind: 'entry', revision: 0, line: { cells, from: null, until: null } });
    expect((await publisher.call('sheetChanges', { id })).result.alarm).toEqual(alarm);
    await editor.call('withdrawProposal', { id });
    await changed({ kind: 'end', key: 'D7G30', revision: (await row('D7G30'))?.revision ?? -1, from: null });

    const quiet = await proposed(fileOf('code,price\nD30G30,85000'));
    expect((await publisher.call('sheetChanges', { id: quiet.id })).result.alarm).toBeNull();
    await editor.call('withdrawProposal', { id: quiet.id });
  });

  test('every open proposal that changes an entry is told: of the entry, before the same is proposed, and to who approves', async () => {
    const told = async (key: string) =>
      (await editor.call('sheetWaiting', { sheet: 'catalogue', key })).result.map(({ id, keys }) => [id, keys]);
    const many = await proposed(fileOf('code,price\nD10G30,36500\nD3G7,12100\nD20G30,61500'));
    const other = await proposed(fileOf('code,price\nD3G7,12200\nD50G30,121000'));
    expect(await told('D3G7')).toEqual([
      [other.id, ['D3G7']],
      [many.id, ['D3G7']],
    ]);
    expect(await told('D8G30')).toEqual([]);
    const source = fileOf('code,price\nD10G30,36700\nD3G7,12300\nD8G30,28100');
    expect((await editor.call('previewSheet', { sheet: 'catalogue', source })).result.waiting).toEqual([
      { id: other.id, proposedBy: 'editor@console.example', keys: ['D3G7'], count: 1 },
      { id: many.id, proposedBy: 'editor@console.example', keys: ['D10G30', 'D3G7'], count: 2 },
    ]);
    const overtaken = async (id: string) =>
      (await publisher.call('sheetChanges', { id })).result.waiting.map(({ id: waiting, keys }) => [waiting, keys]);
    expect(await overtaken(many.id)).toEqual([[other.id, ['D3G7']]]);
    expect(await overtaken(other.id)).toEqual([[many.id, ['D3G7']]]);
    expect((await approve(other)).error).toBeUndefined();
    // What cannot be carried out any more waits for nobody.
    expect(await told('D10G30')).toEqual([]);
    expect(await overtaken(other.id)).toEqual([]);
    await editor.call('withdrawProposal', { id: many.id });
  });

  test('a name in other letters than the entry it means is refused with its row', async () => {
    const source = fileOf('code,price\nD50G30,120000\nd30g30,85000');
    const { problems } = (await editor.call('previewSheet', { sheet: 'catalogue', source })).result;
    expect(problems.filter(({ code }) => code === 'otherLetters')).toEqual([
      { row: 3, column: 'code', code: 'otherLetters', value: 'd30g30', expected: 'D30G30' },
    ]);
  });

  test('so is a new entry of a form', async () => {
    const [shop] = (await editor.call('sheet', { sheet: 'shops', text: 'S0001' })).result.rows;
    const cells = { ...shop?.cells, id: 's0001' };
    const source: Source = { kind: 'entry', revision: 0, line: { cells, from: null, until: null } };
    const { problems, changes } = (await editor.call('previewSheet', { sheet: 'shops', source })).result;
    expect(changes).toEqual([]);
    expect(problems).toEqual([{ row: null, column: 'id', code: 'otherLetters', value: 's0001', expected: 'S0001' }]);
  });

  test('a file that lacks columns of what is new names all of them at once, and not those that what is there keeps', async () => {
    const source = fileOf('code,price,name_fr\nD30G30,85000,Tselatra\nROAM1,5000,Roam\nROAM2,6000,Roam');
    const { result } = await editor.call('previewSheet', { sheet: 'catalogue', source });
    expect(result.problems.map(({ row: at, code, expected }) => [at, code, expected])).toEqual([
      [1, 'missingColumns', expect.stringMatching(/^family, line, .*validity_days, category_en, .*description_mg$/)],
      [3, 'unknownEntry', null],
      [3, 'nothingInside', null],
      [4, 'unknownEntry', null],
      [4, 'nothingInside', null],
    ]);
    expect(result.problems[0]?.expected?.split(', ')).not.toContain('name_fr');
  });

  test('a file with one wrong row changes nothing, and each wrong cell is named', async () => {
    const source = fileOf('code,price,currency\nD30G30,85000,MGA\nD50G30,0,EUR\n');
    const { result } = await editor.call('previewSheet', { sheet: 'catalogue', source });
    expect(result.problems.map(({ row: at, column, code }) => [at, column, code])).toEqual([
      [3, 'currency', 'otherCurrency'],
      [3, 'price', 'notPrice'],
    ]);
    const asked = { sheet: 'catalogue' as const, source, digest: result.digest, reason: 'new tariff' };
    expect((await editor.call('proposeSheet', asked)).error?.code).toBe('invalid');
    expect(await priceOf('D30G30')).toBe(84_000);
  });

  test.each([
    ['an Excel workbook', Uint8Array.of(0x50, 0x4b, 3, 4, 9, 9), 'workbook'],
    ['100,000 rows', `code,price\n${'D1G7,5000\n'.repeat(100_000)}`, 'tooManyRows'],
    ['no rows at all', '', 'empty'],
  ])('%s: a clear answer', async (_what, file, code) => {
    const { status, result } = await editor.call('previewSheet', { sheet: 'catalogue', source: fileOf(file) });
    expect([status, result.problems.map((one) => one.code)]).toEqual([200, [code]]);
  });

  test('more bytes than are taken: a clear answer, too', async () => {
    const { status, error } = await editor.call('previewSheet', {
      sheet: 'catalogue',
      source: fileOf('x'.repeat(7 * 1024 * 1024)),
    });
    expect([status, error?.code]).toEqual([413, 'tooLarge']);
  });

  test('the list is paged in the order of the table and found by any word in it', async () => {
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { result } = await editor.call('sheet', { sheet: 'catalogue', ...(after ? { after } : {}) });
      seen.push(...result.rows.map(({ key }) => key));
      after = result.next ?? undefined;
    } while (after);
    expect(new Set(seen).size).toBeGreaterThan(85);
    expect(seen[0]).toBe('D50M1');
    expect((await editor.call('sheet', { sheet: 'catalogue', text: 'illimité' })).result.rows.length).toBeGreaterThan(
      2,
    );
    expect((await editor.call('sheet', { sheet: 'catalogue', after: 'nonsense' })).error?.code).toBe('invalid');
  });

  test('the lists of proposals, asked for every few seconds, tell which ran out without reading what each changes', async () => {
    const first = await proposed(fileOf('code,price\nD20G30,61100\nD8G30,28300'));
    const second = await proposed(fileOf('code,price\nD8G30,28400'));
    const parse = vi.spyOn(JSON, 'parse');
    const overtakenIn = async (list: 'open' | 'expired', { id }: { id: string }) => {
      const { result } = await publisher.call('approvals', { list });
      return result.proposals.find((one) => one.id === id)?.overtaken;
    };
    expect(await overtakenIn('open', first)).toBeNull();
    expect(await overtakenIn('open', second)).toBeNull();
    expect(parse.mock.calls.filter(([text]) => text.includes('"changes":['))).toEqual([]);
    parse.mockRestore();
    expect((await approve(second)).error).toBeUndefined();
    expect(await overtakenIn('open', first)).toBeUndefined();
    expect(await overtakenIn('expired', first)).toEqual({ code: 'entryChanged', parameters: { entry: 'D8G30' } });
  });

  test('what was proposed cannot be rewritten, and what was rewritten all the same is not carried out', async () => {
    const proposal = await proposed(fileOf('code,price\nV10M1,650'));
    const rewrite = sql`update sheet_changes set changes = replace(changes, '650', '651')`;
    await expect(rewrite.execute(world.db)).rejects.toThrow('append-only');
    await sql`alter table sheet_changes disable trigger user`.execute(world.db);
    await rewrite.execute(world.db);
    await sql`alter table sheet_changes enable trigger user`.execute(world.db);
    expect((await approve(proposal)).error?.code).toBe('proposalChanged');
    // The lists still answer, and call it what it is.
    const { result } = await publisher.call('approvals', { list: 'undecided' });
    expect(result.proposals.find(({ id }) => id === proposal.id)?.overtaken?.code).toBe('proposalChanged');
    expect((await editor.call('sheetWaiting', { sheet: 'catalogue', key: 'V10M1' })).result).toEqual([]);
    expect(await priceOf('V10M1')).toBe(600);
  });
});

describe('places', () => {
  const near = { opco: 'MG', latitude: '-18.9', longitude: '47.52' };
  const shopsNear = async () =>
    JSON.parse((await world.call('shops', near)).text) as { title: string; location: { longitude: number } }[];
  const sites = async (): Promise<{ title: string; _5Gservice: boolean }[]> => {
    const page = { opco: 'MG', pageUrl: '/sw/fetch-sites-data-5g' };
    const answer = JSON.parse((await world.call('activePackage', page)).text) as { packageHtml: string };
    return JSON.parse(answer.packageHtml);
  };
  const towns = async (): Promise<{ cityName: string; hbbLeadFeasibility: boolean }[]> =>
    (await world.call('cities', {})).result.data;

  test('a shop by a file: new, moved and closed, at once on the map of customers and all or none', async () => {
    const header = 'id;kind;title;name;latitude;longitude;address;phone;town;region';
    const fresh =
      'N1;shop;Boutique Isoraka;Boutique Isoraka - Antananarivo;-18,9;47,52;Lot 1;+261 30 00 000 99;Antananarivo;Analamanga';
    const outside = 'N2;shop;Paris;Paris;48.85;2.35;Rue 1;;Paris;France';
    const wrong = await editor.call('previewSheet', {
      sheet: 'shops',
      source: fileOf(`${header}\n${fresh}\n${outside}\nN3;kiosk;;x;1;2;a;;b;c\n`),
    });
    expect(wrong.result.problems.map(({ row: at, column, code }) => `${at} ${column} ${code}`)).toEqual([
      ...['3 latitude outsideCountry', '4 kind notChoice', '4 title required', '4 latitude outsideCountry'],
    ]);
    expect(wrong.result.changes.map(({ key }) => key)).toEqual(['N1']);
    const refused = { sheet: 'shops' as const, source: fileOf(`${header}\n${fresh}\n${outside}\n`), reason: 'opened' };
    const { digest } = (await editor.call('previewSheet', refused)).result;
    expect((await editor.call('proposeSheet', { ...refused, digest })).error?.code).toBe('invalid');

    await changed(fileOf(`${header}\n${fresh}\n`), 'shops');
    expect((await shopsNear())[0]).toMatchObject({ title: 'Boutique Isoraka', phNumber: '+261 30 00 000 99' });
    await changed(fileOf('id,longitude\nN1,47.521'), 'shops');
    expect((await shopsNear()).find(({ title }) => title === 'Boutique Isoraka')?.location.longitude).toBe(47.521);
    const { result } = await editor.call('sheet', { sheet: 'shops', text: 'isoraka' });
    expect(result.rows.map(({ key }) => key)).toEqual(['N1']);
    await changed({ kind: 'end', key: 'N1', revision: result.rows[0]?.revision ?? -1, from: null }, 'shops');
    expect((await shopsNear()).map(({ title }) => title)).not.toContain('Boutique Isoraka');
    expect((await editor.call('sheet', { sheet: 'shops', text: 'isoraka' })).result.rows).toEqual([]);
  });

  test('a file that closes nearly all shops is confirmed apart, with its figures; the end of one shop is not', async () => {
    const { text } = (await editor.call('sheetFile', { sheet: 'shops', separator: ',' })).result;
    const [header = '', ...lines] = text.trim().split('\r\n');
    const source = fileOf([header, ...lines.slice(0, 2)].join('\r\n'), { isWhole: true });
    const { alarm, digest } = (await editor.call('previewSheet', { sheet: 'shops', source })).result;
    expect(alarm).toMatchObject({ priceCount: 0, ended: lines.length - 2, total: lines.length });
    const asked = { sheet: 'shops' as const, source, digest, reason: 'half a file' };
    expect((await editor.call('proposeSheet', asked)).error?.code).toBe('confirmFigures');
    const one = fileOf([header, ...lines.slice(1)].join('\r\n'), { isWhole: true });
    expect((await editor.call('previewSheet', { sheet: 'shops', source: one })).result.alarm).toBeNull();
  });

  test('a site and a town by a form, as customers are told of coverage and home broadband', async () => {
    const [site] = (await editor.call('sheet', { sheet: 'sites', text: 'Alakamisy 01' })).result.rows;
    expect(site?.cells).toMatchObject({ title: 'Alakamisy 01', '5g': 'no' });
    const entry = (found: typeof site, cells: object): Source => ({
      ...{ kind: 'entry', revision: found?.revision ?? -1 },
      line: { cells: { ...found?.cells, ...cells }, from: null, until: null },
    });
    await changed(entry(site, { '5g': 'yes' }), 'sites');
    // A page is cached for as long as an edited one.
    world.advance(10);
    const told = await sites();
    expect(told).toHaveLength(1_500);
    expect(told.find(({ title }) => title === 'Alakamisy 01')?._5Gservice).toBe(true);

    const [town] = (await editor.call('sheet', { sheet: 'towns', text: 'Ambalavao' })).result.rows;
    expect((await towns()).find(({ cityName }) => cityName === 'Ambalavao')?.hbbLeadFeasibility).toBe(false);
    // A town can be served without coordinates.
    await changed(entry(town, { served: 'yes', latitude: '', longitude: '' }), 'towns');
    expect((await towns()).find(({ cityName }) => cityName === 'Ambalavao')?.hbbLeadFeasibility).toBe(true);
  });

  test('CNS-12 shops, sites and towns are changed by CSV and by form; errors are told by row, and then nothing is done', async () => {
    const text = { shops: 'S0001', sites: 'Alakamisy 01', towns: 'Ambanja' };
    for (const sheet of ['shops', 'sites', 'towns'] as const) {
      const found = async () =>
        (await editor.call('sheet', { sheet, text: text[sheet] })).result.rows.find(({ key }) => key === text[sheet]);
      const first = await found();
      const [key = ''] = (await editor.call('sheet', { sheet })).result.columns.map(({ name }) => name);
      const source = fileOf(`${key},latitude\n${text[sheet]},-19.25\n${text[sheet]}-new,here\n`);
      const { result: wrong } = await editor.call('previewSheet', { sheet, source });
      expect(wrong.problems, sheet).toContainEqual(
        expect.objectContaining({ row: 3, column: 'latitude', code: 'notNumber', value: 'here' }),
      );
      const asked = { sheet, source, digest: wrong.digest, reason: 'moved' };
      expect((await editor.call('proposeSheet', asked)).error?.code).toBe('invalid');
      expect((await found())?.cells, sheet).toEqual(first?.cells);

      await changed(fileOf(`${key},latitude\n${text[sheet]},-19.25\n`), sheet);
      const second = await found();
      expect(second?.cells, sheet).toEqual({ ...first?.cells, latitude: '-19.25' });
      const line = { cells: { ...second?.cells, latitude: '-19.5' }, from: null, until: null };
      await changed({ kind: 'entry', revision: second?.revision ?? -1, line }, sheet);
      expect((await found())?.cells.latitude, sheet).toBe('-19.5');
    }
    const stored = await world.db.selectFrom('shops').select('latitude').where('id', '=', 'S0001').execute();
    expect(stored).toEqual([{ latitude: -19.5 }]);
  });

  test.each(['shops', 'sites', 'towns'] as const)(
    'the file of %s changes nothing when it comes back',
    async (sheet) => {
      const { result: file } = await editor.call('sheetFile', { sheet, separator: ';' });
      const source = fileOf(file.text, { isWhole: true });
      const { result } = await editor.call('previewSheet', { sheet, source });
      expect(result).toMatchObject({ problems: [], changes: [], counts: { new: 0, changed: 0, ended: 0 } });
      expect(result.counts.unchanged).toBeGreaterThan(100);
    },
  );

  test('the map has the coast inside of the country’s bounds, and its named places, the largest first', async () => {
    const { attribution, bounds, outline, places } = (await editor.call('countryOutline')).result;
    expect(attribution).toBe(pack.map.attribution);
    const points = outline.flat();
    expect(points.length).toBeGreaterThan(5_000);
    expect(points.length).toBeLessThan(20_000);
    for (const [lng, lat] of points) {
      expect(lng > bounds.west && lng < bounds.east && lat > bounds.south && lat < bounds.north).toBe(true);
    }
    expect(places[0]).toMatchObject({
      name: 'Antananarivo',
      otherNames: expect.arrayContaining(['Tana']),
      kind: 'city',
    });
    expect(places.filter(({ name }) => name === 'Ambanja')).toHaveLength(1);
  });

  test('the landmarks of a part of the map are the shops and sites in it, those nearest to its middle first', async () => {
    const { title, latitude, longitude } = await world.db
      .selectFrom('shops')
      .select(['title', 'latitude', 'longitude'])
      .where('id', '=', 'S0002')
      .executeTakeFirstOrThrow();
    const box = (by: number) => ({
      ...{ south: (latitude - by).toFixed(4), north: (latitude + by).toFixed(4) },
      ...{ west: (longitude - by).toFixed(4), east: (longitude + by).toFixed(4) },
    });
    const { result } = await editor.call('landmarks', box(0.2));
    expect(result[0]).toEqual({ sheet: 'shops', key: 'S0002', name: title, lat: latitude, lng: longitude });
    expect(result.length).toBeGreaterThan(5);
    expect(result.length).toBeLessThanOrEqual(500);
    for (const { lat, lng } of result) {
      expect(Math.abs(lat - latitude)).toBeLessThanOrEqual(0.2);
      expect(Math.abs(lng - longitude)).toBeLessThanOrEqual(0.2);
    }
    expect(result.some(({ sheet }) => sheet === 'sites')).toBe(true);
  });
});

describe('the pack', () => {
  const silent = createLogger('silent');
  const deaf = { follow: () => {}, isHearing: () => false };
  const sheetsOn = (db = world.db, now = () => new Date(Date.now() + 60_000)) =>
    createSheets({
      db,
      clock: clockOf(now),
      audit: { write: async () => {} },
      timeZone: pack.timeZone,
      live: deaf,
      log: silent,
    });
  const released = (items: typeof pack.catalogue) => sheetsOn().keep(catalogueSheet(pack), items);

  test('is the first version; a release changes, adds and ends what nobody changed, and never what two people approved', async () => {
    expect(await released(pack.catalogue).importPack()).toBeNull();
    await changed(fileOf('code,price\nS50D1,350'));
    const [template] = pack.catalogue;
    const next = [
      ...pack.catalogue
        .filter(({ productCode }) => productCode !== 'S2000D30')
        .map((item) => (['S50D1', 'S100D1'].includes(item.productCode) ? { ...item, amount: 777 } : item)),
      { ...(template as (typeof pack.catalogue)[number]), productCode: 'NEW1' },
    ];
    const table = released(next);
    const done = await Promise.all([table.importPack(), released(next).importPack()]);
    // Of processes that start together, one imports it.
    expect(done.filter((one) => one !== null)).toHaveLength(1);
    expect(done.find((one) => one !== null)?.changed.toSorted()).toEqual(['NEW1', 'S100D1', 'S2000D30']);
    expect(done.find((one) => one !== null)?.kept).toContain('S50D1');
    const sold = new Map((await table.current()).map((item) => [item.productCode, item.amount]));
    expect([sold.get('S50D1'), sold.get('S100D1'), sold.get('S2000D30'), sold.get('NEW1')]).toEqual([
      ...[350, 777, undefined, 300],
    ]);
  });

  test('stands in where the database gives no answer, and what was known last after that', async () => {
    let isGone = true;
    const flaky = new Proxy(world.db, {
      get(db, name) {
        if (isGone) throw new Error('the database is gone');
        const found = Reflect.get(db, name);
        return typeof found === 'function' ? found.bind(db) : found;
      },
    });
    const table = sheetsOn(flaky).keep(catalogueSheet(pack), pack.catalogue);
    await expect(table.current()).resolves.toEqual(pack.catalogue);
    isGone = false;
    const known = await table.current();
    expect(known).not.toEqual(pack.catalogue);
    isGone = true;
    await expect(table.current()).resolves.toEqual(known);
  });
});
