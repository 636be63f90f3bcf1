import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import { contentPlans, type Item, type Publishing } from './content.plans.ts';
import { ContentRefused, type PageFault } from './content-refused.ts';
import { type Fault, outermost, textsIn } from './package-shape.ts';

type Executor = Kysely<Schema>;

export interface PackageVersion {
  page: string;
  version: number;
  active: boolean;
  importedAt: Date;
  /** Brought by a release while a version that people had published was active. */
  offered: boolean;
}

export interface ContentChange {
  page: string;
  version: number;
  action: string;
  by: string;
  at: Date;
}

/** A draft, and the newest version when it was begun; null if none was loaded. */
export interface Draft {
  page: string;
  body: unknown;
  seen: number | null;
}

/** `cleaned` lists the places where the sanitiser removed something. */
export interface StoredDraft {
  page: string;
  version: number;
  cleaned: string[];
}

export type ContentEditing = ReturnType<typeof contentEditing>;

interface Dependencies {
  now: () => Date;
  audit: Pick<Audit, 'write'>;
  /** Content for storage, and for rendering. */
  storable: (body: unknown) => unknown;
  clean: (body: unknown) => unknown;
  faults: (page: string, body: unknown) => Fault[];
  /** Broken links in a package as it was written. */
  links: (page: string, body: unknown) => Fault[];
  /** Texts that must be filled in before it can be published. */
  gaps: (page: string, body: unknown) => Fault[];
  /** Unknown keys and placeholders. */
  strays: (page: string, shown: unknown, draft: unknown) => Fault[];
  changed: (page: string) => void;
}

/** More than anybody corrects at once; a translation has about as many texts. */
const mostFaults = 1_000;
const pagePattern = /^(\/[a-z]{2})?\/[a-z0-9-]{1,80}$/;

/** Changes content without a release: draft, preview, publish, schedule and roll back, each recorded with a name. */
export function contentEditing(db: Executor, deps: Dependencies) {
  const { now, audit } = deps;

  const noteChange = (executor: Executor, change: Omit<ContentChange, 'at'>, at = now()) =>
    executor
      .insertInto('content_changes')
      .values({ ...change, at })
      .execute();

  /** Serialises changes of a page across processes; sorted, to avoid deadlocks. */
  async function lockPages(transaction: Executor, pages: readonly string[]): Promise<void> {
    // Excludes a concurrent import of a release between reading and writing.
    await sql`lock table content_packages in row exclusive mode`.execute(transaction);
    for (const page of [...new Set(pages)].sort())
      await sql`select pg_advisory_xact_lock(hashtext(${`content ${page}`}))`.execute(transaction);
  }

  const versionsOf = (executor: Executor, page: string) =>
    executor
      .selectFrom('content_packages')
      .select(['version', 'active', 'offered'])
      .where('page', '=', page)
      .orderBy('version', 'desc')
      .execute();

  async function bodyOf(executor: Executor, page: string, version?: number): Promise<unknown> {
    const found = await executor
      .selectFrom('content_packages')
      .select('body')
      .where('page', '=', page)
      .$if(version === undefined, (query) => query.where('active', '=', true))
      .$if(version !== undefined, (query) => query.where('version', '=', version as number))
      .executeTakeFirst();
    if (!found) throw new ContentRefused(`There is no such version of ${page}.`, { why: 'unknown', page });
    return found.body;
  }

  const placed = (page: string, faults: readonly Fault[]): PageFault[] =>
    outermost(faults).map((fault) => ({ ...fault, page }));

  /** All faults at once, so that nobody corrects one only to read the next. */
  function refuseFaults(faults: readonly PageFault[]): void {
    const [first] = faults;
    if (first)
      throw new ContentRefused(faults.flatMap(({ says }) => says || []).join(' '), {
        page: first.page,
        faults: faults.slice(0, mostFaults),
      });
  }

  /** The versions, if the draft was begun from the newest one. */
  async function versionsSeen(transaction: Executor, { page, seen }: Draft) {
    const [newest, ...older] = await versionsOf(transaction, page);
    if (seen !== null && seen !== (newest?.version ?? 0))
      throw new ContentRefused(`${page} has a newer version than ${seen}.`, { why: 'changed', page });
    return { newest, shown: [newest, ...older].find((one) => one?.active) ?? newest };
  }

  async function faultsOfDraft(transaction: Executor, draft: Draft): Promise<PageFault[]> {
    const { page, body } = draft;
    const { shown } = await versionsSeen(transaction, draft);
    const stored = deps.storable(body);
    const current = shown && (await bodyOf(transaction, page, shown.version));
    return placed(page, [
      ...(current ? missingKeys(current, stored) : []),
      ...deps.faults(page, deps.clean(stored)),
      ...deps.links(page, stored),
      ...(current ? deps.strays(page, current, stored) : []),
    ]);
  }

  async function storeDraft(transaction: Executor, draft: Draft, by: Actor): Promise<StoredDraft> {
    const { page, body, seen } = draft;
    const { newest } = await versionsSeen(transaction, draft);
    const stored = deps.storable(body);
    const json = JSON.stringify(stored);
    const version = (newest?.version ?? 0) + 1;
    await transaction
      .insertInto('content_packages')
      .values({
        ...{ page, version, active: false, body: json, imported_at: now(), begun_from: seen },
        digest: createHash('sha256').update(json).digest('hex'),
      })
      .execute();
    await noteChange(transaction, { page, version, action: 'draft', by: nameOf(by) });
    await audit.write(transaction, by, {
      act: 'content.drafted',
      subject: { kind: 'content', id: page },
      before: { version: newest?.version ?? null },
      after: { version },
    });
    return { page, version, cleaned: cleanedPlaces(body, stored) };
  }

  /** Saves all drafts or none; pages show them once they are published. */
  async function save(drafts: readonly Draft[], by: Actor): Promise<StoredDraft[]> {
    for (const { page } of drafts)
      if (!pagePattern.test(page))
        throw new ContentRefused(`"${page}" is no page; it is written like /footer or /sw/footer.`, { page });
    return db.transaction().execute(async (transaction) => {
      await lockPages(
        transaction,
        drafts.map(({ page }) => page),
      );
      const faults: PageFault[] = [];
      for (const draft of drafts) faults.push(...(await faultsOfDraft(transaction, draft)));
      refuseFaults(faults);
      const drafted: StoredDraft[] = [];
      for (const draft of drafts) drafted.push(await storeDraft(transaction, draft, by));
      return drafted;
    });
  }

  /** Checks that the version exists and that nothing was published since the decision. Returns the active version. */
  async function checked(transaction: Executor, { page, version, shown }: Item): Promise<number> {
    const versions = await versionsOf(transaction, page);
    const active = versions.find((one) => one.active)?.version ?? 0;
    if (!versions.some((one) => one.version === version))
      throw new ContentRefused(`${page} has no version ${version}.`, { why: 'unknown', page });
    if (shown !== null && shown !== active)
      throw new ContentRefused(`${page} shows version ${active} by now.`, { why: 'changed', page });
    return active;
  }

  /** Checks that these can be published as they are: before they are proposed, and again when they are approved. */
  async function check(items: readonly Item[], executor: Executor = db): Promise<void> {
    const faults: PageFault[] = [];
    for (const item of items) {
      const { page, version } = item;
      await checked(executor, item);
      const body = await bodyOf(executor, page, version);
      const wrong = [...deps.faults(page, deps.clean(body)), ...deps.links(page, body)];
      faults.push(...placed(page, [...wrong, ...deps.gaps(page, body)]));
    }
    refuseFaults(faults);
  }

  async function publishOne(
    transaction: Executor,
    item: Item,
    { by, as = 'activate', proposal, reason }: Omit<Publishing, 'items'>,
    at: Date,
  ): Promise<void> {
    const { page, version } = item;
    const before = await checked(transaction, item);
    const off = transaction.updateTable('content_packages').set({ active: false });
    await off.where('page', '=', page).where('active', '=', true).execute();
    const on = transaction.updateTable('content_packages').set({ active: true });
    await on.where('page', '=', page).where('version', '=', version).execute();
    await noteChange(transaction, { page, version, action: as, by: nameOf(by) }, at);
    await audit.write(transaction, by, {
      act: as === 'activate' ? 'content.published' : 'content.rolledBack',
      subject: { kind: 'content', id: page },
      before: { version: before },
      after: { version, ...(proposal ? { proposal } : {}) },
      reason,
    });
    // A scheduled version was decided on the basis of the previous one.
    await transaction
      .updateTable('content_plans')
      .set({ state: 'overtaken', ended_at: now() })
      .where('page', '=', page)
      .where('state', '=', 'planned')
      .execute();
  }

  /** Runs in the transaction of the decision; call `changed` after its commit. */
  async function publishIn(transaction: Executor, publishing: Publishing): Promise<void> {
    await lockPages(
      transaction,
      publishing.items.map(({ page }) => page),
    );
    // One time for all languages, so that none counts as older than another.
    const at = now();
    for (const item of publishing.items) await publishOne(transaction, item, publishing, at);
  }

  const changed = (items: readonly Pick<Item, 'page'>[]) => {
    for (const { page } of items) deps.changed(page);
  };

  async function publish(publishing: Publishing): Promise<void> {
    await db.transaction().execute((transaction) => publishIn(transaction, publishing));
    changed(publishing.items);
  }

  const changesOf = (page: string): Promise<ContentChange[]> =>
    db.selectFrom('content_changes').selectAll().where('page', '=', page).orderBy('at').execute();

  async function wasShown(page: string, version: number): Promise<boolean> {
    const changes = await changesOf(page);
    const found = (await versionsOf(db, page)).find((one) => one.version === version);
    return found !== undefined && isSeen(found, changes);
  }

  const plans = contentPlans(db, { now, audit, lockPages, checked, publishOne, changed });

  return {
    save,
    check,
    show: (page: string, version?: number) => bodyOf(db, page, version),
    publish,
    publishIn,
    ...plans,
    changed,
    wasShown,

    list: (): Promise<PackageVersion[]> =>
      db
        .selectFrom('content_packages')
        .select(['page', 'version', 'active', 'imported_at as importedAt', 'offered'])
        .orderBy('page')
        .orderBy('version', 'desc')
        .execute(),

    /** Saves a draft from a file, and returns its version. */
    async draft(page: string, text: string, by: string): Promise<number> {
      refuseNameless(by);
      const [kept] = await save([{ page, body: parse(text), seen: null }], commandOf(by));
      return kept?.version ?? 0;
    },

    async activate(page: string, version: number, by: string): Promise<void> {
      refuseNameless(by);
      const items = [{ page, version, shown: null }];
      await checked(db, { page, version, shown: null });
      refuseFaults(placed(page, deps.gaps(page, await bodyOf(db, page, version))));
      await publish({ items, by: commandOf(by) });
    },

    /** Publishes the previously published version again, and returns it. */
    async rollBack(page: string, by: string): Promise<number> {
      refuseNameless(by);
      const versions = await versionsOf(db, page);
      const current = versions.find(({ active }) => active)?.version ?? 0;
      const changes = await changesOf(page);
      const shown = shownByName(changes);
      while (shown.at(-1) === current) shown.pop();
      const earlier = versions.find((one) => one.version < current && isSeen(one, changes));
      const target = shown.at(-1) ?? earlier?.version;
      if (!target) throw new ContentRefused(`There is nothing to go back to for ${page}.`, { why: 'unknown', page });
      await publish({ items: [{ page, version: target, shown: current }], by: commandOf(by), as: 'roll back' });
      return target;
    },

    changes: async (page: string): Promise<ContentChange[]> => (await changesOf(page)).reverse(),

    allChanges: (): Promise<ContentChange[]> => db.selectFrom('content_changes').selectAll().orderBy('at').execute(),
  };
}

/**
 * Whether customers ever saw it. The pack's versions were published without a recorded change, except those that a
 * release brought while people's own version was active.
 */
export function isSeen(
  { version, active, offered }: Pick<PackageVersion, 'version' | 'active' | 'offered'>,
  changes: readonly Pick<ContentChange, 'version' | 'action'>[],
): boolean {
  const own = changes.filter((change) => change.version === version);
  return active || own.some(({ action }) => action !== 'draft') || (own.length === 0 && !offered);
}

const nameOf = ({ person }: Actor) => person ?? '';
const commandOf = (name: string): Actor => ({ person: name, roles: ['command'], address: null });

function refuseNameless(by: string): void {
  if (!by.trim()) throw new ContentRefused('A name is needed.');
}

/** The published versions without those rolled back, latest last, so that a second rollback goes further back. */
function shownByName(changes: readonly { version: number; action: string }[]): number[] {
  const shown: number[] = [];
  for (const { version, action } of changes) {
    if (action === 'draft') continue;
    if (action === 'roll back') while (shown.length > 0 && shown.at(-1) !== version) shown.pop();
    if (shown.at(-1) !== version) shown.push(version);
  }
  return shown;
}

function parse(text: string): unknown {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    throw new ContentRefused(`This is not JSON: ${(error as Error).message}`);
  }
  if (typeof body !== 'object' || body === null) throw new ContentRefused('A package is an object or a list.');
  return body;
}

/** A page without a text shows its key. A page of prose may change between HTML and Markdown. */
function missingKeys(shown: unknown, draft: unknown): Fault[] {
  if (Array.isArray(shown) || Array.isArray(draft) || isProseOrHtml(draft)) return [];
  const missing = Object.keys(shown as object).filter((key) => !Object.hasOwn(draft as object, key));
  if (missing.length === 0) return [];
  const says = `These are missing: ${missing.slice(0, 10).join(', ')}.`;
  return missing.map((at, index) => ({ at, code: 'missing', says: index === 0 ? says : '' }));
}

const isProseOrHtml = (body: unknown) =>
  typeof body === 'object' && body !== null && 'title' in body && ('markdown' in body || 'html' in body);

function cleanedPlaces(given: unknown, stored: unknown): string[] {
  const storedTexts = new Map(textsIn(stored).map(([at, , text]) => [at, text]));
  return textsIn(given).flatMap(([at, , text]) => (storedTexts.get(at) === text ? [] : [at]));
}
