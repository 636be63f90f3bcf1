import { loadPack } from '@portal/operators/load-pack.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { type Content, createContent } from './content.service.ts';

const pack = await loadPack('mg');
let database: Database;
let content: Content;
let time = Date.parse('2026-03-02T08:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('content_packages').execute();
  content = createContent(database.db, pack, () => new Date(time));
});

const rows = () => database.db.selectFrom('content_packages').selectAll().orderBy('page').orderBy('version').execute();

describe('importing the pack', () => {
  test('brings every language once; a second import changes nothing', async () => {
    const pages = await content.importPack();
    expect(pages).toEqual(expect.arrayContaining(['/translation', '/sw/translation', '/mg/translation']));
    const before = await rows();
    expect(await content.importPack()).toEqual([]);
    expect(await rows()).toEqual(before);
    expect(before.every((row) => row.active && row.version === 1)).toBe(true);
  });

  test('REL-4 processes that start together bring it once', async () => {
    const others = [1, 2].map(() => createContent(database.db, pack, () => new Date(time)));
    const changed = await Promise.all([content, ...others].map((each) => each.importPack()));
    const stored = await rows();
    expect(changed.flat().sort()).toEqual(stored.map(({ page }) => page).sort());
    expect(stored.every((row) => row.active && row.version === 1)).toBe(true);
  });

  test('leaves what an editor activated by hand', async () => {
    await content.importPack();
    const { db } = database;
    await db.updateTable('content_packages').set({ active: false }).where('page', '=', '/translation').execute();
    const edited = { page: '/translation', version: 2, active: true, digest: 'by hand', imported_at: new Date(time) };
    await db
      .insertInto('content_packages')
      .values({ ...edited, body: JSON.stringify({ edited: true }) })
      .execute();
    expect(await content.importPack()).toEqual([]);
    expect(await content.activePackage('/translation')).toMatchObject({ edited: true });
  });

  test('a page has one active version at most, and the database sees to it', async () => {
    await content.importPack();
    const second = {
      page: '/translation',
      version: 2,
      active: true,
      body: '{}',
      digest: 'x',
      imported_at: new Date(time),
    };
    await expect(database.db.insertInto('content_packages').values(second).execute()).rejects.toThrow();
  });
});

describe('a page', () => {
  test('is what was imported, in its language', async () => {
    await content.importPack();
    expect(await content.activePackage('/translation')).toMatchObject({ 'common.thankYou': 'Thank you' });
    expect(await content.activePackage('/sw/translation')).toMatchObject({ 'common.thankYou': 'Merci' });
  });

  test('that is not there is null, and does not stay in memory', async () => {
    for (let made = 0; made < 100; made += 1) expect(await content.activePackage(`/made-up-${made}`)).toBeNull();
    await content.importPack();
    const page = {
      page: '/made-up-1',
      version: 1,
      active: true,
      body: '{"now":1}',
      digest: 'x',
      imported_at: new Date(time),
    };
    await database.db.insertInto('content_packages').values(page).execute();
    expect(await content.activePackage('/made-up-1')).toEqual({ now: 1 });
  });

  test('is kept for ten seconds', async () => {
    await content.importPack();
    await content.activePackage('/translation');
    await database.db.deleteFrom('content_packages').execute();
    expect(await content.activePackage('/translation')).not.toBeNull();
    time += 10_001;
    expect(await content.activePackage('/translation')).toBeNull();
  });

  test("comes from the pack's own files while the database cannot be asked", async () => {
    const broken = await testDatabase();
    await sql`drop table content_packages`.execute(broken.db);
    const orphan = createContent(broken.db, pack, () => new Date(time));
    expect(await orphan.activePackage('/translation')).toMatchObject({ 'common.thankYou': 'Thank you' });
    expect(await orphan.activePackage('/sw/translation')).toMatchObject({ 'common.thankYou': 'Merci' });
    expect(await orphan.activePackage('/made-up')).toBeNull();
    expect(await orphan.activePackage('/../pack')).toBeNull();
    await broken.close();
  });
});

describe('the language of an answer', () => {
  test.each([
    [{ lang: 'en' }, 'en-GB'],
    [{ lang: 'FR' }, 'fr-FR'],
    [{ lang: 'mg-MG' }, 'mg-MG'],
    [{ lang: 'xx', 'accept-language': 'mg,fr;q=0.5' }, 'mg-MG'],
    [{ 'accept-language': 'de-DE, en-US;q=0.8' }, 'en-GB'],
    [{ 'accept-language': 'de-DE' }, 'fr-FR'],
    [{}, 'fr-FR'],
  ])('of %j is %s', (headers, locale) => {
    expect(content.languageOf(headers).locale).toBe(locale);
  });

  test('a text is filled in; one that is missing falls back to the default language, then to its key', () => {
    expect(content.text('en-GB', 'common.wallet', { brand: 'Fanilo' })).toBe('Fanilo Money');
    expect(content.text('xx-XX', 'common.thankYou')).toBe('Merci');
    expect(content.text('en-GB', 'no.such.key')).toBe('no.such.key');
    expect(content.text('en-GB', 'common.wallet', { other: 'x' })).toBe('{brand} Money');
  });
});
