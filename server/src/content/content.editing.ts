import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Actor, Audit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import { contentPlans, type Item, type Publishing } from './content.plans.ts';
import { ContentRefused } from './content-refused.ts';
import { type Fault, textsIn } from './package-shape.ts';

type Executor = Kysely<Schema>;

export interface PackageVersion {
  page: string;
  version: number;
  active: boolean;
  importedAt: Date;
  /** A release brought it while something else was shown that people had published. */
  offered: boolean;
}

export interface ContentChange {
  page: string;
  version: number;
  action: string;
  by: string;
  at: Date;
}

/** What somebody wrote, and the newest version they saw when they did; null for whoever looked at none. */
export interface Draft {
  page: string;
  body: unknown;
  seen: number | null;
}

/** `cleaned` are the places that lost something which content may not hold. */
export interface KeptDraft {
  page: string;
  version: number;
  cleaned: string[];
}

export type ContentEditing = ReturnType<typeof contentEditing>;

interface Dependencies {
  now: () => Date;
  audit: Pick<Audit, 'write'>;
  /** As it is stored, and as a page is given it. */
  storable: (body: unknown) => unknown;
  clean: (body: unknown) => unknown;
  faults: (page: string, body: unknown) => Fault[];
  /** Links that lead nowhere, in a package as its writers wrote it. */
  links: (page: string, body: unknown) => Fault[];
  /** Texts that are still to be written before it can be shown. */
  gaps: (page: string, body: unknown) => Fault[];
  /** What no page reads or fills in. */
  strays: (page: string, shown: unknown, draft: unknown) => Fault[];
  changed: (page: string) => void;
}

const pagePattern = /^(\/[a-z]{2})?\/[a-z0-9-]{1,80}$/;

/** Content is changed without a release: drafted, looked at, published now or at a time, and taken back, each with a name. */
export function contentEditing(db: Executor, deps: Dependencies) {
  const { now, audit } = deps;

  const noteChange = (executor: Executor, change: Omit<ContentChange, 'at'>, at = now()) =>
    executor
      .insertInto('content_changes')
      .values({ ...change, at })
      .execute();

  /** Of any that change one page the others wait, in every process; always in the same order, so that none waits for ever. */
  async function lockPages(transaction: Executor, pages: readonly string[]): Promise<void> {
    // What a release brings is brought before or after, never between looking and writing.
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

  function refuseFaults(page: string, faults: readonly Fault[]): void {
    if (faults.length > 0)
      throw new ContentRefused(faults.flatMap(({ says }) => says || []).join(' '), {
        page,
        faults: faults.slice(0, 50),
      });
  }

  async function keepDraft(transaction: Executor, { page, body, seen }: Draft, by: Actor): Promise<KeptDraft> {
    const [newest, ...older] = await versionsOf(transaction, page);
    if (seen !== null && seen !== (newest?.version ?? 0))
      throw new ContentRefused(`${page} has a newer version than ${seen}.`, { why: 'changed', page });
    const shown = [newest, ...older].find((one) => one?.active) ?? newest;
    const stored = deps.storable(body);
    const stands = shown && (await bodyOf(transaction, page, shown.version));
    if (stands) refuseFaults(page, missingKeys(stands, stored));
    refuseFaults(page, [...deps.faults(page, deps.clean(stored)), ...deps.links(page, stored)]);
    if (stands) refuseFaults(page, deps.strays(page, stands, stored));
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

  /** Keeps drafts, all of them or none; pages show them once they are published. */
  async function save(drafts: readonly Draft[], by: Actor): Promise<KeptDraft[]> {
    for (const { page } of drafts)
      if (!pagePattern.test(page))
        throw new ContentRefused(`"${page}" is no page; it is written like /footer or /sw/footer.`, { page });
    return db.transaction().execute(async (transaction) => {
      await lockPages(
        transaction,
        drafts.map(({ page }) => page),
      );
      const kept: KeptDraft[] = [];
      for (const draft of drafts) kept.push(await keepDraft(transaction, draft, by));
      return kept;
    });
  }

  /** It is there and can be shown, and nothing else was published since it was decided. Gives what is shown now. */
  async function checked(transaction: Executor, { page, version, shown }: Item): Promise<number> {
    const versions = await versionsOf(transaction, page);
    const active = versions.find((one) => one.active)?.version ?? 0;
    if (!versions.some((one) => one.version === version))
      throw new ContentRefused(`${page} has no version ${version}.`, { why: 'unknown', page });
    if (shown !== null && shown !== active)
      throw new ContentRefused(`${page} shows version ${active} by now.`, { why: 'changed', page });
    return active;
  }

  /** Whether these could be shown as they are: before anybody is asked to decide, and when they do. */
  async function check(items: readonly Item[], executor: Executor = db): Promise<void> {
    for (const item of items) {
      await checked(executor, item);
      const body = await bodyOf(executor, item.page, item.version);
      const wrong = [...deps.faults(item.page, deps.clean(body)), ...deps.links(item.page, body)];
      refuseFaults(item.page, [...wrong, ...deps.gaps(item.page, body)]);
    }
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
    // What was planned was decided about another page than this.
    await transaction
      .updateTable('content_plans')
      .set({ state: 'overtaken', ended_at: now() })
      .where('page', '=', page)
      .where('state', '=', 'planned')
      .execute();
  }

  /** In the transaction of whoever decides; `changed` is for after it. */
  async function publishIn(transaction: Executor, publishing: Publishing): Promise<void> {
    await lockPages(
      transaction,
      publishing.items.map(({ page }) => page),
    );
    // Languages that are published together are as old as each other.
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

    /** Keeps a draft that came as a file, and gives its version. */
    async draft(page: string, text: string, by: string): Promise<number> {
      refuseNameless(by);
      const [kept] = await save([{ page, body: parse(text), seen: null }], commandOf(by));
      return kept?.version ?? 0;
    },

    async activate(page: string, version: number, by: string): Promise<void> {
      refuseNameless(by);
      const items = [{ page, version, shown: null }];
      await checked(db, { page, version, shown: null });
      refuseFaults(page, deps.gaps(page, await bodyOf(db, page, version)));
      await publish({ items, by: commandOf(by) });
    },

    /** Back to what was shown before; gives that version. */
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
 * Whether customers saw it at some time: what the pack brought was shown too, without anybody's name, but for what it
 * brought while people showed words of their own.
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

/** What was activated and not taken back since, the latest last: going back twice goes back further, not forth again. */
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

/** A page that lost its words would show their keys. A page of prose may be Markdown now and HTML before. */
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
  const kept = new Map(textsIn(stored).map(([at, , text]) => [at, text]));
  return textsIn(given).flatMap(([at, , text]) => (kept.get(at) === text ? [] : [at]));
}
