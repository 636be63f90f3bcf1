import type { ConsoleInput, ConsoleResult } from '@portal/contract/console/contract.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type DeskBrowser, signIn } from '../testing/console.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';

let sandbox: Sandbox;
let running: TestPortal;
let clock: Date;
/** If set, each reading of the clock is a moment later, as in production. */
let ticks: number | null = null;
let editor: DeskBrowser;
let publisher: DeskBrowser;
/** The last audit row before the test. */
let lastRow: number;

const as = (person: string) => signIn(running.portal.http, `${person}@console.example`);

beforeAll(async () => {
  sandbox = await startSandbox();
  clock = new Date();
  running = await testPortal(sandbox, { rateLimitScale: 1_000 }, () =>
    ticks === null ? clock : new Date(clock.getTime() + ticks++),
  );
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
beforeEach(async () => {
  clock = new Date();
  ticks = null;
  const { db } = running.database;
  for (const table of ['content_plans', 'content_packages', 'content_changes'] as const)
    await db.deleteFrom(table).execute();
  await running.portal.content.importPack();
  editing().changed(await editing().list());
  // Expires proposals that another test left open.
  await db.updateTable('approvals').set({ state: 'expired' }).where('state', '=', 'open').execute();
  [editor, publisher] = [await as('editor'), await as('publisher')];
  const last = await db.selectFrom('audit').select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
  lastRow = last?.number ?? 0;
});

const editing = () => running.portal.content.editing;
const shown = async (page: string) => (await running.portal.content.activePackage(page)) as Record<string, unknown>;

type Package = ConsoleResult<'content'>;
const open = async (name: string, by = editor): Promise<Package> => (await by.call('content', { name })).result;
function pageIn(found: Package, page: string) {
  const own = found.pages.find((one) => one.page === page);
  if (!own) throw new Error(`there is no ${page}`);
  return own;
}

/** Saves a draft of the footer's note, based on the newest version. */
async function draft(page: string, note: string, by = editor) {
  const { newest, body } = pageIn(await open('footer', by), page);
  return by.call('saveContent', { drafts: [{ page, seen: newest, body: { ...body, note } }] });
}

async function items(...pages: string[]): Promise<ConsoleInput<'publishContent'>['items']> {
  const found = await open('footer');
  return pages.map((page) => {
    const { newest, shown: now } = pageIn(found, page);
    return { page, version: newest, shown: now.version };
  });
}

async function propose(pages: string[], { at = null as string | null, by = editor } = {}) {
  return by.call('publishContent', { name: 'footer', items: await items(...pages), at, reason: 'a new note' });
}

async function approve(id: string, by = publisher) {
  const { result } = await by.call('approval', { id });
  return by.call('approve', { id, digest: result.digest });
}

const acts = async (page: string) =>
  (
    await running.database.db
      .selectFrom('audit')
      .select(['act', 'person', 'reason'])
      .where('subject_kind', '=', 'content')
      .where('subject_id', '=', page)
      .where('number', '>', lastRow)
      .orderBy('number')
      .execute()
  ).map(({ act, person, reason }) => `${act} ${person?.split('@')[0]}${reason ? `: ${reason}` : ''}`);

describe('every package', () => {
  test('CNS-10 (the list) stands in each language with its version and since when; what is missing or older is marked', async () => {
    const { packages } = (await editor.call('contents')).result;
    expect(packages.map(({ name }) => name)).toEqual(running.portal.content.packages().map(({ name }) => name));
    const footer = () => packages.find(({ name }) => name === 'footer')?.pages ?? [];
    expect(
      footer().map(({ locale, shown: { version, by }, draft, plan }) => [locale, version, by, draft, plan]),
    ).toEqual(['en-GB', 'fr-FR', 'mg-MG'].map((locale) => [locale, 1, null, null, null]));
    for (const { pages } of packages)
      for (const one of pages) expect([one.page, one.missing, one.isOlder]).toEqual([one.page, [], false]);

    const { body, newest } = pageIn(await open('footer'), '/footer');
    const groups = [...(body as { groups: object[] }).groups, { title: 'More', links: [] }];
    clock = new Date(clock.getTime() + 60_000);
    await editor.call('saveContent', { drafts: [{ page: '/footer', seen: newest, body: { ...body, groups } }] });
    const again = (await editor.call('contents')).result.packages.find(({ name }) => name === 'footer')?.pages;
    expect(again?.[0]).toMatchObject({ draft: { version: 2, by: 'editor@console.example' }, shown: { version: 1 } });
    await editing().publish({
      items: [{ page: '/footer', version: 2, shown: 1 }],
      by: { person: 'x', roles: [], address: null },
    });
    const last = (await editor.call('contents')).result.packages.find(({ name }) => name === 'footer')?.pages;
    expect(last?.map(({ missing, isOlder }) => [missing, isOlder])).toEqual([
      [[], false],
      [['groups[4].title'], true],
      [['groups[4].title'], true],
    ]);
    expect(last?.[0]?.shown).toEqual({ version: 2, at: clock.toISOString(), by: 'x' });
  });

  test('CNS-10 (lists that differ) what is missing is told item by item, not by its position', async () => {
    const { body, newest } = pageIn(await open('header'), '/header');
    const links = (body as { links: { label: string; href: string }[] }).links.filter(
      ({ href }) => href !== '/data-bundle',
    );
    await editor.call('saveContent', { drafts: [{ page: '/header', seen: newest, body: { ...body, links } }] });
    await editing().activate('/header', 2, 'Rina');
    const { pages } = await open('header');
    expect(pages.map(({ missing }) => missing.toSorted())).toEqual([['links[1].href', 'links[1].label'], [], []]);
  });

  test('CNS-10 (tables) that is a table is not offered among the words, and its address says so', async () => {
    const { packages } = (await editor.call('contents')).result;
    expect(packages.map(({ name }) => name)).not.toContain('fetch-sites-data-5g');
    const opened = await editor.call('content', { name: 'fetch-sites-data-5g' });
    expect([opened.status, opened.error]).toEqual([409, { code: 'isTable' }]);
    const drafts = [{ page: '/fetch-sites-data-5g', seen: 1, body: [] }];
    expect((await editor.call('saveContent', { drafts })).error).toEqual({ code: 'invalid', field: 'drafts' });
  });

  test('CNS-10 (prose) is edited as the Markdown it was written in, and shown as HTML', async () => {
    const { body, newest } = pageIn(await open('contact-us'), '/contact-us');
    expect(body).toEqual({ title: 'Contact us', markdown: expect.stringContaining('## Call 300') });
    const written = { title: 'Contact us', markdown: 'Call **300**.' };
    const kept = await editor.call('saveContent', { drafts: [{ page: '/contact-us', seen: newest, body: written }] });
    expect(kept.result.kept).toEqual([{ page: '/contact-us', version: 2, cleaned: [] }]);
    await editing().activate('/contact-us', 2, 'Rina');
    expect(await shown('/contact-us')).toEqual({ title: 'Contact us', html: '<p>Call <strong>300</strong>.</p>\n' });
    expect(pageIn(await open('contact-us'), '/contact-us').body).toEqual(written);
  });

  test('CNS-10 (help) comes with the votes of each answer', async () => {
    await running.database.db
      .insertInto('help_scores')
      .values({ question_id: 'reset-pin', likes: 1, votes: 2 })
      .execute();
    const { votes, seenAt } = await open('faq');
    expect(votes['reset-pin']).toEqual({ likes: 1, votes: 2 });
    const named = new Map(seenAt.map(({ path, titles }) => [path, titles]));
    expect(named.get('/gethelp')).toMatchObject({ 'en-GB': 'Help' });
    const asked = Object.values(named.get('/gethelp/reset-pin') ?? {});
    expect(asked).toHaveLength(3);
    for (const question of asked) expect(question).toMatch(/^\p{Lu}.* /u);
  });
});

describe('a draft', () => {
  test('CNS-10 (two who write) of two who began from the same version the second is told, and loses nothing', async () => {
    const before = pageIn(await open('footer'), '/footer');
    const save = (note: string, seen: number) =>
      editor.call('saveContent', { drafts: [{ page: '/footer', seen, body: { ...before.body, note } }] });
    expect((await save('first', before.newest)).status).toBe(200);
    const second = await save('second', before.newest);
    expect([second.status, second.error]).toEqual([409, { code: 'changedMeanwhile', field: '/footer' }]);
    const other = pageIn(await open('footer'), '/footer');
    expect([other.newest, (other.body as { note: string }).note]).toEqual([2, 'first']);
    expect((await save('second', other.newest)).result.kept[0]?.version).toBe(3);
    const at = await Promise.all(Array.from({ length: 5 }, (_, who) => save(`at once ${who}`, 3)));
    expect(at.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  test('CNS-10 (a wrong package) of several languages is kept whole or not at all; a wrong one is refused with its fields named', async () => {
    const found = await open('footer');
    const drafts = ['/footer', '/sw/footer'].map((page) => {
      const { newest, body } = pageIn(found, page);
      return { page, seen: newest, body: { ...body, note: 'new' } as Record<string, unknown> };
    });
    const [english, french] = drafts as [(typeof drafts)[0], (typeof drafts)[0]];
    const wrong = { ...french, body: { ...french.body, groups: [{ title: 'Aide' }] } };
    const refused = await editor.call('saveContent', { drafts: [english, wrong] });
    expect([refused.status, refused.error?.code]).toEqual([422, 'contentRefused']);
    expect(refused.error?.faults).toEqual([{ field: '/sw/footer groups[0].links', code: 'missing' }]);
    expect(pageIn(await open('footer'), '/footer').newest).toBe(1);
    const [first] = english.body.groups as Record<string, unknown>[];
    const stray = {
      ...english,
      body: { ...english.body, nota: 'x', note: 'by {brand} for {nobody}', groups: [{ ...first, titel: 'Help' }] },
    };
    expect((await editor.call('saveContent', { drafts: [stray] })).error?.faults).toEqual([
      { field: '/footer note', code: 'unknownPlaceholder', parameters: { names: '{nobody}' } },
      { field: '/footer groups[0].titel', code: 'unknownKey' },
      { field: '/footer nota', code: 'unknownKey' },
    ]);
    // Of every language and of every kind at once; below what is wrong as a whole, nothing else.
    const { groups: _, ...others } = french.body;
    const all = [
      {
        ...english,
        body: { ...english.body, nota: 'x', groups: [{ title: 5, links: [{ label: 'x', href: 'http://a.example' }] }] },
      },
      { ...french, body: { ...others, note: '{nobody} and [us](us.example)' } },
    ];
    expect((await editor.call('saveContent', { drafts: all })).error?.faults).toEqual([
      { field: '/footer groups[0].title', code: 'notText' },
      { field: '/footer groups[0].links[0].href', code: 'badLink' },
      { field: '/footer nota', code: 'unknownKey' },
      { field: '/sw/footer groups', code: 'missing' },
      { field: '/sw/footer note', code: 'droppedLink', parameters: { links: 'us.example' } },
      { field: '/sw/footer note', code: 'unknownPlaceholder', parameters: { names: '{nobody}' } },
    ]);
    const bad = {
      ...english,
      body: { ...english.body, groups: [{ title: 'A', links: [{ label: 'x', href: 'javascript:alert(1)' }] }] },
    };
    expect((await editor.call('saveContent', { drafts: [bad] })).error?.faults?.[0]?.field).toBe(
      '/footer groups[0].links[0].href',
    );
    expect((await editor.call('saveContent', { drafts })).result.kept.map(({ version }) => version)).toEqual([2, 2]);

    const words = pageIn(await open('translation'), '/translation');
    const sms = await editor.call('saveContent', {
      drafts: [{ page: '/translation', seen: 1, body: { ...words.body, 'notices.delivered.airtime': 'no facts' } }],
    });
    expect(sms.error?.faults?.map(({ field }) => field)).toEqual(['/translation notices.delivered.airtime']);
    const both = { ...words.body, 'notices.delivered.airtime': 'Déjà œuvré' };
    const wrongTwice = await editor.call('saveContent', { drafts: [{ page: '/translation', seen: 1, body: both }] });
    expect(wrongTwice.error?.faults?.map(({ field, code }) => `${field} ${code}`)).toEqual([
      '/translation notices.delivered.airtime otherPlaceholders',
      '/translation notices.delivered.airtime foreignLetters',
    ]);
    const form = pageIn(await open('lead-form-schema'), '/lead-form-schema');
    const { fields, actions } = form.body as { fields: object[]; actions: object[] };
    const schema = { fields: [{ ...fields[0], label: '' }, ...fields.slice(1)], actions };
    const lead = await editor.call('saveContent', { drafts: [{ page: '/lead-form-schema', seen: 1, body: schema }] });
    expect(lead.error?.faults?.map(({ field }) => field)).toEqual(['/lead-form-schema fields[0].label']);
  });

  test('CNS-10 (links) without encryption is refused by its field: in a list, in prose, in an answer and in a form', async () => {
    const refused = async (name: string, change: (body: Record<string, unknown>) => object) => {
      const { page, newest, body } = pageIn(await open(name), `/${name}`);
      const drafts = [{ page, seen: newest, body: { ...body, ...change(body as Record<string, unknown>) } as never }];
      return (await editor.call('saveContent', { drafts })).error?.faults;
    };
    const bad = (field: string) => [{ field, code: 'badLink' }];
    const [href, markdown] = ['http://evil.example/', 'See [us](http://evil.example/).'];
    expect(await refused('header', () => ({ links: [{ label: 'x', href }] }))).toEqual(bad('/header links[0].href'));
    expect(await refused('contact-us', () => ({ markdown }))).toEqual(bad('/contact-us markdown'));
    const dropped = await refused('contact-us', () => ({ markdown: 'See [us](evil.example).' }));
    expect(dropped).toMatchObject([{ field: '/contact-us markdown', code: 'droppedLink' }]);
    const fields = ({ fields }: Record<string, unknown>) => ({
      fields: (fields as { type: string }[]).map((one) =>
        one.type === 'checkbox' ? { ...one, label: `I <a href="${href}">agree</a>` } : one,
      ),
    });
    expect(await refused('lead-form-schema', fields)).toEqual(bad('/lead-form-schema fields[6].label'));
  });

  test('CNS-10 (signs) keeps `<` and `&` as they were typed, from the draft to what customers get', async () => {
    const note = 'Tom & Jerry <b>bold</b> 5 < 6, I <3 you';
    const { result } = await draft('/footer', note);
    expect(result.kept[0]?.cleaned).toEqual(['note']);
    const kept = 'Tom & Jerry bold 5 < 6, I <3 you';
    expect(pageIn(await open('footer'), '/footer').body).toMatchObject({ note: kept });
    expect((await draft('/footer', kept)).result.kept[0]?.cleaned).toEqual([]);
    await editing().activate('/footer', 3, 'Rina');
    expect(await shown('/footer')).toMatchObject({ note: kept });

    const markdown = 'Dial *123# if credit < 500 & > 100 `a<b`';
    const { newest } = pageIn(await open('contact-us'), '/contact-us');
    const drafts = [{ page: '/contact-us', seen: newest, body: { title: 'Q & A < 5', markdown } }];
    const saved = await editor.call('saveContent', { drafts });
    expect(saved.result.kept).toMatchObject([{ cleaned: [] }]);
    await editing().activate('/contact-us', 2, 'Rina');
    expect(await shown('/contact-us')).toEqual({
      title: 'Q & A < 5',
      html: '<p>Dial *123# if credit &lt; 500 &amp; &gt; 100 <code>a&lt;b</code></p>\n',
    });
  });

  test('CNS-10 (script) loses its script when it is kept, and whoever wrote it is told where', async () => {
    const { result } = await draft('/footer', 'Hi<script>alert(1)</script>');
    expect(result.kept[0]?.cleaned).toEqual(['note']);
    expect(pageIn(await open('footer'), '/footer').body).toMatchObject({ note: 'Hi' });
  });

  test('as long as the longest package in three languages is taken', async () => {
    const { pages } = await open('faq');
    const drafts = pages.map(({ page, newest, body }) => ({ page, seen: newest, body }));
    expect((await editor.call('saveContent', { drafts })).result.kept).toHaveLength(3);
  });
});

describe('publishing', () => {
  test('CNS-10 (one language) takes two: an editor proposes one language, a publisher sees both versions and approves it', async () => {
    await draft('/footer', 'New note');
    await draft('/sw/footer', 'Nouvelle note');
    const before = await shown('/sw/footer');
    const { result } = await propose(['/footer']);
    expect(result.isDone).toBe(false);
    expect((await propose(['/footer'])).error?.code).toBe('alreadyProposed');
    expect((await approve(result.proposal, editor)).error?.code).toBe('notPermitted');
    const proposal = (await publisher.call('approval', { id: result.proposal })).result;
    expect(proposal).toMatchObject({
      kind: 'publication',
      name: 'footer (EN)',
      actions: { approve: true, refuse: true },
    });
    expect(proposal.evidence).toEqual([
      {
        ...{ what: 'page', detail: '/footer', locale: 'en-GB', amount: null, currency: null },
        compare: { page: '/footer', from: 1, to: 2 },
      },
    ]);
    expect(await shown('/footer')).not.toMatchObject({ note: 'New note' });
    expect((await approve(result.proposal)).status).toBe(200);
    expect(await shown('/footer')).toMatchObject({ note: 'New note' });
    expect(await shown('/sw/footer')).toEqual(before);
    expect(await acts('/footer')).toEqual([
      'content.drafted editor',
      'publication.proposed editor: a new note',
      'publication.approved publisher',
      'content.published publisher',
    ]);
  });

  test('CNS-10 (all languages) happens at once, or not at all where one was published meanwhile', async () => {
    const all = ['/footer', '/sw/footer', '/mg/footer'];
    for (const page of all) await draft(page, `note of ${page}`);
    const first = await propose(all);
    expect((await approve(first.result.proposal)).status).toBe(200);
    for (const page of all) expect(await shown(page)).toMatchObject({ note: `note of ${page}` });
    for (const page of all) await draft(page, 'second');
    const second = await propose(all);
    await editing().rollBack('/mg/footer', 'Rina');
    expect((await approve(second.result.proposal)).error).toEqual({ code: 'changedMeanwhile', field: '/mg/footer' });
    expect(await shown('/footer')).toMatchObject({ note: 'note of /footer' });
    expect((await publisher.call('approval', { id: second.result.proposal })).result.state).toBe('open');
  });

  test('CNS-10 (gaps) a draft may be incomplete and says where; it is neither proposed nor approved nor activated', async () => {
    const { newest, body } = pageIn(await open('contact-us'), '/contact-us');
    const written = { ...body, title: ' ' };
    const kept = await editor.call('saveContent', { drafts: [{ page: '/contact-us', seen: newest, body: written }] });
    expect(kept.status).toBe(200);
    expect((await open('contact-us')).pages.map(({ gaps }) => gaps)).toEqual([['title'], [], []]);
    const item = { page: '/contact-us', version: 2, shown: 1 };
    const proposing = { name: 'contact-us', items: [item], at: null, reason: 'a new title' };
    const gap = { code: 'contentRefused', faults: [{ field: '/contact-us title', code: 'saysNothing' }] };
    const refused = await editor.call('publishContent', proposing);
    expect([refused.status, refused.error]).toEqual([422, { ...gap, field: '/contact-us' }]);
    await expect(editing().activate('/contact-us', 2, 'Rina')).rejects.toThrow('title says nothing');

    // Proposed before there was a check for gaps: the approver gets the error.
    const draftBody = (text: string) => running.database.db.updateTable('content_packages').set({ body: text });
    const ofDraft = (text: string) =>
      draftBody(text).where('page', '=', '/contact-us').where('version', '=', 2).execute();
    await ofDraft(JSON.stringify({ ...body, title: 'Call us' }));
    const { proposal } = (await editor.call('publishContent', proposing)).result;
    await ofDraft(JSON.stringify(written));
    expect((await publisher.call('approval', { id: proposal })).result.overtaken?.code).toBe('contentRefused');
    expect((await approve(proposal)).error).toMatchObject(gap);
    expect(await shown('/contact-us')).toMatchObject({ title: 'Contact us' });
    await ofDraft(JSON.stringify({ ...body, title: 'Call us' }));
    expect((await approve(proposal)).status).toBe(200);
    expect(await shown('/contact-us')).toMatchObject({ title: 'Call us' });
  });

  test('CNS-10 (gaps) no text of the pack itself is one, in any language', async () => {
    for (const { name } of running.portal.content.packages()) {
      const { pages } = await open(name);
      expect([name, pages.flatMap(({ gaps }) => gaps)]).toEqual([name, []]);
    }
  });

  test('a publisher approves no own proposal; what nobody saw, is shown already or belongs elsewhere is refused', async () => {
    await draft('/footer', 'New note');
    const own = await propose(['/footer'], { by: publisher });
    expect((await approve(own.result.proposal)).error?.code).toBe('ownProposal');
    const call = (changes: Partial<ConsoleInput<'publishContent'>>) =>
      editor.call('publishContent', {
        ...{ name: 'footer', items: [{ page: '/footer', version: 2, shown: 1 }], at: null, reason: 'a reason' },
        ...changes,
      });
    expect((await call({ items: [{ page: '/footer', version: 9, shown: 1 }] })).error?.code).toBe('notFound');
    expect((await call({ items: [{ page: '/footer', version: 2, shown: 7 }] })).error?.code).toBe('changedMeanwhile');
    expect((await call({ items: [{ page: '/footer', version: 1, shown: 1 }] })).error?.code).toBe('invalid');
    expect((await call({ name: 'header' })).error?.field).toBe('items');
  });

  test('CNS-10 (roll back) any version that customers saw is shown again by a publisher alone; what nobody published is not', async () => {
    for (const note of ['two', 'three']) {
      await draft('/footer', note);
      await approve((await propose(['/footer'])).result.proposal);
    }
    await draft('/footer', 'never shown');
    const back = (version: number, by = publisher) =>
      by.call('rollBackContent', { items: [{ page: '/footer', version, shown: 3 }], reason: 'a mistake' });
    expect((await back(1, editor)).error?.code).toBe('notPermitted');
    expect((await back(4)).error?.code).toBe('notPossible');
    expect((await back(1)).status).toBe(200);
    expect(await shown('/footer')).not.toHaveProperty('note', 'three');
    expect((await back(2)).error?.code).toBe('changedMeanwhile');
    expect((await acts('/footer')).at(-1)).toBe('content.rolledBack publisher: a mistake');
    const { versions, draft: drafted, working } = pageIn(await open('footer'), '/footer');
    expect([drafted?.version, working]).toEqual([4, 4]);
    expect(versions.map(({ version, wasShown }) => [version, wasShown])).toEqual([
      [4, false],
      [3, true],
      [2, true],
      [1, true],
    ]);
  });

  test('CNS-10 (older) what is published together is as old as each other; what is shown again is as old as it was', async () => {
    const older = async () => (await open('footer')).pages.map(({ isOlder }) => isOlder);
    const all = ['/footer', '/sw/footer', '/mg/footer'];
    for (const page of all) await draft(page, `note of ${page}`);
    const { proposal } = (await propose(all)).result;
    ticks = 0;
    expect((await approve(proposal)).status).toBe(200);
    expect(await older()).toEqual([false, false, false]);
    ticks = null;
    clock = new Date(clock.getTime() + 60_000);
    for (const page of all) await draft(page, 'second');
    await approve((await propose(all)).result.proposal);
    clock = new Date(clock.getTime() + 60_000);
    await publisher.call('rollBackContent', {
      items: [{ page: '/sw/footer', version: 2, shown: 3 }],
      reason: 'a mistake',
    });
    expect(await older()).toEqual([false, true, false]);
  });

  test('CNS-10 (roll back) who writes on after it begins from what is shown, not from what was taken back', async () => {
    await draft('/footer', 'a mistake');
    await approve((await propose(['/footer'])).result.proposal);
    await publisher.call('rollBackContent', {
      items: [{ page: '/footer', version: 1, shown: 2 }],
      reason: 'a mistake',
    });
    const { newest, working, draft: drafted, body, shownBody } = pageIn(await open('footer'), '/footer');
    expect([newest, working, drafted]).toEqual([2, 1, null]);
    expect(body).toEqual(shownBody);
    expect((await draft('/footer', 'mended')).result.kept[0]?.version).toBe(3);
  });

  test('by one person where the operator wants that, who has just shown who they are; an editor still proposes', async () => {
    const alone = await testPortal(sandbox, { rateLimitScale: 1_000, fourEyesPublishing: false }, () => clock);
    const by = (person: string) => signIn(alone.portal.http, `${person}@console.example`);
    const [writer, shower] = [await by('editor'), await by('publisher')];
    const { body } = pageIn(await open('footer', writer), '/footer');
    await writer.call('saveContent', { drafts: [{ page: '/footer', seen: 1, body: { ...body, note: 'Alone' } }] });
    const input = { name: 'footer', items: [{ page: '/footer', version: 2, shown: 1 }], at: null, reason: 'a reason' };
    const proposed = (await writer.call('publishContent', input)).result;
    expect(proposed.isDone).toBe(false);
    await writer.call('withdrawProposal', { id: proposed.proposal });
    clock = new Date(clock.getTime() + 6 * 60_000);
    expect((await shower.call('publishContent', input)).error?.code).toBe('proveAgain');
    clock = new Date();
    expect((await shower.call('publishContent', input)).result.isDone).toBe(true);
    expect(await alone.portal.content.activePackage('/footer')).toMatchObject({ note: 'Alone' });
    await alone.stop();
  });
});

describe('planned for a time', () => {
  const later = (minutes: number) => new Date(clock.getTime() + minutes * 60_000).toISOString();
  const sweep = () => editing().sweep();
  async function planned(pages: string[], minutes = 20) {
    for (const page of pages) await draft(page, `planned ${page}`);
    const { result } = await propose(pages, { at: later(minutes) });
    expect((await approve(result.proposal)).status).toBe(200);
    return result.proposal;
  }
  const planOf = async (page: string) => pageIn(await open('footer'), page).plan;

  test('CNS-10 (schedule) it is shown from then on, in all its languages, once, however many processes look', async () => {
    const proposal = await planned(['/footer', '/sw/footer']);
    await sweep();
    expect(await shown('/footer')).not.toMatchObject({ note: 'planned /footer' });
    expect(await planOf('/footer')).toMatchObject({ state: 'planned', version: 2, by: 'publisher@console.example' });
    clock = new Date(clock.getTime() + 21 * 60_000);
    await Promise.all(Array.from({ length: 4 }, sweep));
    for (const page of ['/footer', '/sw/footer']) expect(await shown(page)).toMatchObject({ note: `planned ${page}` });
    clock = new Date(clock.getTime() - 21 * 60_000);
    expect((await acts('/footer')).slice(-2)).toEqual(['content.planned publisher', 'content.published publisher']);
    const { result } = await publisher.call('approval', { id: proposal });
    expect([result.state, result.outcome]).toEqual(['approved', 'publication.published']);
  });

  test('CNS-10 (schedule) the portal does it by itself when the time has come', async () => {
    await planned(['/mg/footer']);
    clock = new Date(clock.getTime() + 21 * 60_000);
    await expect.poll(() => shown('/mg/footer'), { interval: 100 }).toMatchObject({ note: 'planned /mg/footer' });
  });

  test('CNS-10 (schedule) the past is refused, when it is proposed and when it is approved', async () => {
    await draft('/footer', 'late');
    await draft('/sw/footer', 'tard');
    expect((await propose(['/footer'], { at: later(-1) })).error).toEqual({ code: 'timePast', field: 'at' });
    const far = await propose(['/footer'], { at: '9999-01-01T00:00:00.000Z' });
    expect(far.error).toEqual({ code: 'tooFarAhead', field: 'at', parameters: { years: 2 } });
    const { result } = await propose(['/footer'], { at: later(2) });
    const proposal = async () => (await publisher.call('approval', { id: result.proposal })).result;
    expect(await proposal()).toMatchObject({ expiresAt: later(2), overtaken: null });
    clock = new Date(clock.getTime() + 3 * 60_000);
    expect(await proposal()).toMatchObject({ state: 'open', overtaken: { code: 'timePassed' } });
    expect((await approve(result.proposal)).error?.code).toBe('proposalExpired');
    const soon = await propose(['/sw/footer'], { at: later(60 * 24 * 30) });
    const { proposedAt, expiresAt } = (await publisher.call('approval', { id: soon.result?.proposal ?? '' })).result;
    expect(Date.parse(expiresAt) - Date.parse(proposedAt)).toBe(168 * 3_600_000);
  });

  test('CNS-10 (schedule) it is taken back by a publisher, and then not shown; a second plan for the same page is refused', async () => {
    await planned(['/footer']);
    const { result } = await propose(['/footer'], { at: later(60) });
    expect((await approve(result.proposal)).error).toEqual({ code: 'alreadyPlanned', field: '/footer' });
    const id = (await planOf('/footer'))?.id ?? '';
    const takeBack = (by: DeskBrowser) => by.call('takeBackContent', { id, reason: 'too early' });
    expect((await takeBack(editor)).error?.code).toBe('notPermitted');
    expect((await takeBack(publisher)).status).toBe(200);
    expect((await takeBack(publisher)).error?.code).toBe('notPossible');
    clock = new Date(clock.getTime() + 21 * 60_000);
    await sweep();
    expect(await shown('/footer')).not.toMatchObject({ note: 'planned /footer' });
    expect((await planOf('/footer'))?.state).toBe('takenBack');
  });

  test('CNS-10 (schedule) it is not published over what somebody published meanwhile', async () => {
    await planned(['/footer']);
    await draft('/footer', 'urgent');
    await approve((await propose(['/footer'])).result.proposal);
    expect((await planOf('/footer'))?.state).toBe('overtaken');
    clock = new Date(clock.getTime() + 21 * 60_000);
    await sweep();
    expect(await shown('/footer')).toMatchObject({ note: 'urgent' });
  });

  test('nor over what a release brought', async () => {
    await planned(['/footer']);
    await running.database.db
      .updateTable('content_packages')
      .set({ active: false })
      .where('page', '=', '/footer')
      .execute();
    const { version: _, ...row } = await running.database.db
      .selectFrom('content_packages')
      .selectAll()
      .where('page', '=', '/footer')
      .where('version', '=', 1)
      .executeTakeFirstOrThrow();
    await running.database.db
      .insertInto('content_packages')
      .values({ ...row, body: JSON.stringify(row.body), version: 3, active: true })
      .execute();
    clock = new Date(clock.getTime() + 21 * 60_000);
    await sweep();
    expect((await planOf('/footer'))?.state).toBe('overtaken');
    expect((await editing().list()).find(({ page, active }) => page === '/footer' && active)?.version).toBe(3);
  });
});

test('CNS-10 (release) what people published stays, and the newer words of a release are shown to them until they publish again', async () => {
  await draft('/footer', 'Ours');
  await approve((await propose(['/footer'])).result.proposal);
  const standing = async () => {
    const { shown: now, draft: drafted, release, newest, body } = pageIn(await open('footer'), '/footer');
    const { note } = body as { note: string };
    return { shown: now.version, draft: drafted?.version ?? null, release: release?.version ?? null, newest, note };
  };
  // Simulates a release: the stored package of the pack differs from its current files.
  await running.database.db
    .updateTable('content_packages')
    .set({ digest: 'of the release before' })
    .where('page', '=', '/footer')
    .where('version', '=', 1)
    .execute();
  expect(await running.portal.content.importPack()).toEqual([]);
  expect(await standing()).toEqual({ shown: 2, draft: null, release: 3, newest: 3, note: 'Ours' });
  const { packages } = (await editor.call('contents')).result;
  const listed = packages.find(({ name }) => name === 'footer')?.pages.map(({ release }) => release?.version ?? null);
  expect(listed).toEqual([3, null, null]);
  // It was never published, so publishing it needs an approval like any new version.
  const item = { page: '/footer', version: 3, shown: 2 };
  const back = await publisher.call('rollBackContent', { items: [item], reason: 'the new words' });
  expect(back.error).toEqual({ code: 'notPossible', field: '/footer' });

  await draft('/footer', 'Ours, newer');
  expect(await standing()).toMatchObject({ shown: 2, draft: 4, release: 3 });
  await approve((await propose(['/footer'])).result.proposal);
  expect(await standing()).toMatchObject({ shown: 4, draft: null, release: null });
  expect(await shown('/footer')).toMatchObject({ note: 'Ours, newer' });
});

test('the command writes the same audit', async () => {
  const { body } = pageIn(await open('footer'), '/footer');
  const version = await editing().draft('/footer', JSON.stringify({ ...body, note: 'By command' }), 'Rina');
  await editing().activate('/footer', version, 'Rina');
  await editing().rollBack('/footer', 'Solo');
  expect(await acts('/footer')).toEqual(['content.drafted Rina', 'content.published Rina', 'content.rolledBack Solo']);
});
