import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '@portal/operators/mg/pack.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { testDatabase } from '../testing/database.ts';
import { rewriteAssets } from './cdn.ts';
import { runContentCommand } from './content.commands.ts';
import { type Content, createContent } from './content.service.ts';

let database: Database;
let content: Content;
let time = Date.parse('2026-03-02T08:00:00Z');
const now = () => {
  time += 1_000;
  return new Date(time);
};

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.db.deleteFrom('content_packages').execute();
  await database.db.deleteFrom('content_changes').execute();
  content = createContent(database.db, pack, now);
  await content.importPack();
});

const footer = async () => (await content.activePackage('/footer')) as Record<string, unknown>;
const changed = async (change: object) => JSON.stringify({ ...(await footer()), ...change });

describe('content', () => {
  test('is drafted without being shown, activated, and taken back, each with a name', async () => {
    const before = await footer();
    const version = await content.editing.draft('/footer', await changed({ note: 'A new note' }), 'Rina');
    expect(await footer()).toEqual(before);
    await content.editing.activate('/footer', version, 'Rina');
    expect(await footer()).toMatchObject({ note: 'A new note' });
    expect(await content.editing.rollBack('/footer', 'Solo')).toBe(version - 1);
    expect(await footer()).toEqual(before);
    expect((await content.editing.changes('/footer')).map(({ action, by }) => `${action} by ${by}`)).toEqual([
      'roll back by Solo',
      'activate by Rina',
      'draft by Rina',
    ]);
  });

  test('taken back twice goes back further, and never forth again', async () => {
    const show = async (note: string) => {
      const version = await content.editing.draft('/footer', await changed({ note }), 'Rina');
      await content.editing.activate('/footer', version, 'Rina');
      return version;
    };
    const back = () => content.editing.rollBack('/footer', 'Solo');
    const [second, third] = [await show('Two'), await show('Three')];
    expect(await back()).toBe(second);
    expect(await back()).toBe(second - 1);
    await expect(back()).rejects.toThrow('nothing to go back to');
    await content.editing.activate('/footer', third, 'Rina');
    const fourth = await show('Four');
    expect(fourth).toBe(third + 1);
    expect(await back()).toBe(third);
    expect(await back()).toBe(second - 1);
  });

  test('an edit outlives a restart that brings the same pack again', async () => {
    const version = await content.editing.draft('/footer', await changed({ note: 'Stays' }), 'Rina');
    await content.editing.activate('/footer', version, 'Rina');
    const restarted = createContent(database.db, pack, now);
    expect(await restarted.importPack()).toEqual([]);
    expect(await restarted.activePackage('/footer')).toMatchObject({ note: 'Stays' });
  });

  describe('a release with other words', () => {
    /** Simulates a release: the stored package of the pack differs from its current files. */
    const olderPack = (page: string, body: object) =>
      database.db
        .updateTable('content_packages')
        .set({ body: JSON.stringify(body), digest: 'of the release before' })
        .where('page', '=', page)
        .where('version', '=', 1)
        .execute();
    const release = async () => {
      const next = createContent(database.db, pack, now);
      return { next, brought: await next.importPack() };
    };
    const versions = async () =>
      (await content.editing.list()).filter(({ page }) => page === '/footer').map(({ version }) => version);

    test('is followed where nobody published anything', async () => {
      const { note, ...rest } = await footer();
      await olderPack('/footer', { ...rest, note: 'Of yesterday' });
      const { next, brought } = await release();
      expect(brought).toEqual(['/footer']);
      expect(await next.activePackage('/footer')).toMatchObject({ note });
    });

    test('leaves what people published, and is kept for them to look at', async () => {
      const version = await content.editing.draft('/footer', await changed({ note: 'Ours' }), 'Rina');
      await content.editing.activate('/footer', version, 'Rina');
      await olderPack('/footer', { ...(await footer()), note: 'Of yesterday' });
      const { next, brought } = await release();
      expect(brought).toEqual([]);
      expect(await next.activePackage('/footer')).toMatchObject({ note: 'Ours' });
      expect(await versions()).toEqual([3, 2, 1]);
      expect(await next.editing.show('/footer', 3)).not.toMatchObject({ note: 'Ours' });
      // Imported once, however often the portal starts.
      expect((await release()).brought).toEqual([]);
      expect(await versions()).toEqual([3, 2, 1]);
      // It was never published, so it cannot be rolled back to.
      expect(await next.editing.wasShown('/footer', 3)).toBe(false);
      await next.editing.activate('/footer', 3, 'Solo');
      expect(await next.editing.wasShown('/footer', 3)).toBe(true);
      expect(await next.editing.rollBack('/footer', 'Solo')).toBe(2);
    });

    test('leaves what people went back to', async () => {
      const version = await content.editing.draft('/footer', await changed({ note: 'Ours' }), 'Rina');
      await content.editing.activate('/footer', version, 'Rina');
      await content.editing.rollBack('/footer', 'Solo');
      await olderPack('/footer', { ...(await footer()), note: 'Of yesterday' });
      const { next } = await release();
      time += 60_000;
      expect(await next.activePackage('/footer')).toMatchObject({ note: 'Of yesterday' });
    });

    test('gives the words that only it has to pages and forms, and takes none away', async () => {
      const words = (await content.editable('/translation')) as Record<string, string>;
      const { 'common.thankYou': newWord, ...older } = words;
      await olderPack('/translation', older);
      const edited = { ...older, 'common.back': 'Return' };
      const version = await content.editing.draft('/translation', JSON.stringify(words), 'Rina');
      await database.db
        .updateTable('content_packages')
        .set({ body: JSON.stringify(edited) })
        .where('page', '=', '/translation')
        .where('version', '=', version)
        .execute();
      await content.editing.activate('/translation', version, 'Rina');
      const { next } = await release();
      const shown = { 'common.back': 'Return', 'common.thankYou': newWord };
      expect(await next.activePackage('/translation')).toMatchObject(shown);
      expect(await next.editable('/translation')).toMatchObject(shown);
      // Further edits are not refused for a missing text that no form shows.
      const body = JSON.stringify(await next.editable('/translation'));
      await expect(next.editing.draft('/translation', body, 'Rina')).resolves.toBeGreaterThan(version);
    });
  });

  test('FRM-1 a form that could not be shown is refused in words before anybody sees it', async () => {
    const schema = (await content.activePackage('/sw/lead-form-schema')) as { fields: object[]; actions: object[] };
    const draft = (change: object) => {
      const fields = schema.fields.map((field, index) => (index === 0 ? { ...field, ...change } : field));
      return content.editing.draft('/sw/lead-form-schema', JSON.stringify({ ...schema, fields }), 'Rina');
    };
    await expect(draft({ type: 'colour' })).rejects.toThrow('unknown type "colour"');
    await expect(draft({ pattern: '^(a)\\1$' })).rejects.toThrow('cannot be used');
    await expect(draft({ rank: 2 })).rejects.toThrow('Two fields have the rank 2.');
    expect(await draft({ label: 'Nom' })).toBe(2);
  });

  test('that is not JSON, no package, lacks what is shown now, or is nobody’s is refused in words', async () => {
    const refused = (page: string, text: string, by = 'Rina') => expect(content.editing.draft(page, text, by)).rejects;
    await refused('/footer', '{').toThrow('This is not JSON');
    await refused('/footer', '5').toThrow('A package is an object or a list.');
    await refused('/footer', '{}').toThrow('These are missing:');
    await refused('/footer', '{}', ' ').toThrow('A name is needed.');
    await refused('../etc/passwd', '{}').toThrow('is no page');
    await expect(content.editing.activate('/footer', 99, 'Rina')).rejects.toThrow('has no version 99');
    await expect(content.editing.rollBack('/footer', 'Rina')).rejects.toThrow('nothing to go back to');
  });

  test('that is built otherwise than the pages need is refused in words, and not shown though another hand stored it', async () => {
    const refused = async (page: string, change: object) =>
      expect(
        content.editing.draft(
          page,
          JSON.stringify({ ...((await content.activePackage(page)) as object), ...change }),
          'Rina',
        ),
      ).rejects;
    await (await refused('/footer', { groups: 'text' })).toThrow('groups must be a list.');
    await (await refused('/footer', { groups: [{ title: 'Help' }] })).toThrow('groups[0].links is missing.');
    await (await refused('/translation', { 'common.back': { a: 1 } })).toThrow('common.back must be a text.');
    await expect(content.editing.draft('/footer', '[]', 'Rina')).rejects.toThrow('The package must be an object.');
    await expect(content.editing.draft('/fetch-sites-data-5g', '[5]', 'Rina')).rejects.toThrow(
      '[0] must be an object.',
    );
    const before = await footer();
    await database.db
      .updateTable('content_packages')
      .set({ body: JSON.stringify({ ...before, groups: 'text' }) })
      .where('page', '=', '/footer')
      .execute();
    expect(await createContent(database.db, pack, now).activePackage('/footer')).toEqual(before);
  });

  test('is not rolled back to a draft that was never shown', async () => {
    const before = await footer();
    await content.editing.draft('/footer', await changed({ note: 'Never shown' }), 'Rina');
    const version = await content.editing.draft('/footer', await changed({ note: 'Shown' }), 'Rina');
    await content.editing.activate('/footer', version, 'Rina');
    await content.editing.rollBack('/footer', 'Solo');
    expect(await footer()).toEqual(before);
  });

  test('SEC-10 loses its script when it is stored, and when it is shown though it was stored by another hand', async () => {
    const attack = '<p onclick="x()">Hi<script>alert(1)</script><img src=x onerror=alert(1)></p>';
    const version = await content.editing.draft('/footer', await changed({ note: attack }), 'Rina');
    expect(JSON.stringify(await content.editing.show('/footer', version))).not.toMatch(/script|onclick|onerror/);
    const body = JSON.parse(await changed({ note: attack }));
    await database.db
      .updateTable('content_packages')
      .set({ body: JSON.stringify(body) })
      .where('page', '=', '/footer')
      .execute();
    const fresh = createContent(database.db, pack, now);
    expect(await fresh.activePackage('/footer')).toMatchObject({ note: 'Hi' });
  });

  test('pages of prose come as HTML, in every language', async () => {
    for (const { prefix } of pack.languages)
      for (const name of ['contact-us', 'mobile-money', 'privacy-policy'])
        expect(await content.activePackage(`${prefix}/${name}`)).toEqual({
          title: expect.any(String),
          html: expect.stringMatching(/^<p>[\s\S]*<h2>/),
        });
  });
});

test('the command drafts from a file, shows, activates and rolls back', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'content-'));
  const file = join(folder, 'footer.json');
  await writeFile(file, await changed({ note: 'From a file' }));
  const printed: string[] = [];
  const run = (...words: string[]) => runContentCommand(words, content.editing, (line) => void printed.push(line));
  expect(await run('import', '/footer', file, 'Rina')).toBe(0);
  expect(await run('preview', '/footer', '2')).toBe(0);
  expect(printed.join()).toContain('From a file');
  expect(await run('activate', '/footer', '2', 'Rina')).toBe(0);
  expect(await run('list')).toBe(0);
  expect(printed.some((line) => line.startsWith('* /footer 2'))).toBe(true);
  expect(await run('rollback', '/footer', 'Rina')).toBe(0);
  expect(await run('changes', '/footer')).toBe(0);
  expect(await run('import', '/footer', join(folder, 'nothing.json'), 'Rina')).toBe(1);
  expect(await run('nonsense')).toBe(2);
  await rm(folder, { recursive: true });
});

test('APP-16 asset links in content lead to the configured place for files, and nothing else does', () => {
  const body = {
    image: '/assets/content/router.png',
    html: '<img src="/assets/content/a.png"> <a href="/contact-us">x</a>',
    list: ['/assets/app.js'],
  };
  expect(rewriteAssets(body, 'https://cdn.example')).toEqual({
    image: 'https://cdn.example/assets/content/router.png',
    html: '<img src="https://cdn.example/assets/content/a.png"> <a href="/contact-us">x</a>',
    list: ['/assets/app.js'],
  });
  expect(rewriteAssets(body, null)).toBe(body);
});

test('CMS-1 every page that the specification lists is there, as JSON, in each language', async () => {
  const pages = [
    ...['footer', 'header', 'homepage', 'translation', 'footer-translation', 'lead-status-translation'],
    ...['loader-translation', 'faq', 'getHelp', 'question', 'recharge', 'search', 'storeLocator', 'network'],
    ...['help-documents', 'privacy-policy-config', 'meta-data-config', 'lead-status-config', 'fetch-sites-data-5g'],
  ];
  for (const { prefix, code } of pack.languages)
    for (const page of pages) {
      const body = await content.activePackage(`${prefix}/${page}`);
      expect(body, `${code} ${page}`).toEqual(expect.anything());
      expect(JSON.stringify(body).length, `${code} ${page}`).toBeGreaterThan(10);
      expect(JSON.stringify(body), `${code} ${page}`).not.toContain('""');
    }
  expect(await content.activePackage('/network')).toMatchObject({ two_g: '2G coverage', five_g: '5G coverage' });
  expect(await content.activePackage('/storeLocator')).toHaveProperty('findFaniloIn');
  expect(await content.activePackage('/sw/network')).not.toEqual(await content.activePackage('/network'));
  for (const nothing of ['/nothing', '/constructor', '/sw/__proto__'])
    expect(await content.activePackage(nothing)).toBeNull();
});
