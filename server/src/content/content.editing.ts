import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** Why content was not taken, in words for whoever brought it. */
export class ContentRefused extends Error {}

export interface PackageVersion {
  page: string;
  version: number;
  active: boolean;
  importedAt: Date;
}

export interface ContentEditing {
  list(): Promise<PackageVersion[]>;
  show(page: string, version?: number): Promise<unknown>;
  /** Keeps a draft and gives its version; the page shows it once it is activated. */
  draft(page: string, text: string, by: string): Promise<number>;
  activate(page: string, version: number, by: string): Promise<void>;
  /** Back to what was shown before; gives that version. */
  rollBack(page: string, by: string): Promise<number>;
  changes(page: string): Promise<{ version: number; action: string; by: string; at: Date }[]>;
}

const pagePattern = /^(\/[a-z]{2})?\/[a-z0-9-]{1,80}$/;

/** Content is changed without a release: drafted, looked at, activated, and taken back, each with a name. */
export function contentEditing(
  db: Kysely<Schema>,
  deps: {
    now: () => Date;
    clean: (body: unknown) => unknown;
    /** What makes a page unusable, in sentences. */
    problems: (page: string, body: unknown) => string[];
    changed: (page: string) => void;
  },
): ContentEditing {
  async function noteChange(
    executor: Kysely<Schema>,
    change: { page: string; version: number; action: string; by: string },
  ): Promise<void> {
    await executor
      .insertInto('content_changes')
      .values({ ...change, at: deps.now() })
      .execute();
  }

  async function versionsOf(page: string) {
    return db
      .selectFrom('content_packages')
      .select(['version', 'active', 'body', 'digest'])
      .where('page', '=', page)
      .orderBy('version', 'desc')
      .execute();
  }

  async function activate(page: string, version: number, by: string, action: string): Promise<void> {
    if (!by.trim()) throw new ContentRefused('A name is needed.');
    const isThere = (await versionsOf(page)).some((one) => one.version === version);
    if (!isThere) throw new ContentRefused(`${page} has no version ${version}.`);
    await db.transaction().execute(async (transaction) => {
      const off = transaction.updateTable('content_packages').set({ active: false });
      await off.where('page', '=', page).where('active', '=', true).execute();
      const on = transaction.updateTable('content_packages').set({ active: true });
      await on.where('page', '=', page).where('version', '=', version).execute();
      await noteChange(transaction, { page, version, action, by });
    });
    deps.changed(page);
  }

  return {
    async list() {
      const rows = await db
        .selectFrom('content_packages')
        .select(['page', 'version', 'active', 'imported_at as importedAt'])
        .orderBy('page')
        .orderBy('version', 'desc')
        .execute();
      return rows;
    },

    async show(page, version) {
      const found = (await versionsOf(page)).find((one) => (version ? one.version === version : one.active));
      if (!found) throw new ContentRefused(`There is no such version of ${page}.`);
      return found.body;
    },

    async draft(page, text, by) {
      if (!by.trim()) throw new ContentRefused('A name is needed.');
      if (!pagePattern.test(page))
        throw new ContentRefused(`"${page}" is no page; it is written like /footer or /sw/footer.`);
      const versions = await versionsOf(page);
      const body = deps.clean(parse(text));
      const shown = versions.find(({ active }) => active) ?? versions[0];
      if (shown) refuseMissing(shown.body, body);
      const problems = deps.problems(page, body);
      if (problems.length > 0) throw new ContentRefused(problems.join(' '));
      const json = JSON.stringify(body);
      const version = (versions[0]?.version ?? 0) + 1;
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('content_packages')
          .values({
            page,
            version,
            active: false,
            body: json,
            digest: createHash('sha256').update(json).digest('hex'),
            imported_at: deps.now(),
          })
          .execute();
        await noteChange(transaction, { page, version, action: 'draft', by });
      });
      return version;
    },

    activate: (page, version, by) => activate(page, version, by, 'activate'),

    async rollBack(page, by) {
      const versions = await versionsOf(page);
      const current = versions.find(({ active }) => active)?.version ?? 0;
      const changes = await db
        .selectFrom('content_changes')
        .select(['version', 'action'])
        .where('page', '=', page)
        .orderBy('at')
        .execute();
      const shown = shownByName(changes);
      while (shown.at(-1) === current) shown.pop();
      // What the pack brought was shown too, without anybody's name; a draft that was never activated was not.
      const drafts = new Set(changes.filter(({ action }) => action === 'draft').map(({ version }) => version));
      const earlier = versions.find(({ version }) => version < current && !drafts.has(version));
      const target = shown.at(-1) ?? earlier?.version;
      if (!target) throw new ContentRefused(`There is nothing to go back to for ${page}.`);
      await activate(page, target, by, 'roll back');
      return target;
    },

    changes: (page) =>
      db
        .selectFrom('content_changes')
        .select(['version', 'action', 'by', 'at'])
        .where('page', '=', page)
        .orderBy('at', 'desc')
        .execute(),
  };
}

/** What was activated and not taken back since, the latest last: going back twice goes back further, not forth again. */
function shownByName(changes: readonly { version: number; action: string }[]): number[] {
  const shown: number[] = [];
  for (const { version, action } of changes) {
    if (action === 'draft') continue;
    if (action === 'roll back') shown.pop();
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

/** A page that lost its words would show their keys. */
function refuseMissing(shown: unknown, draft: unknown): void {
  if (Array.isArray(shown) || Array.isArray(draft)) return;
  const missing = Object.keys(shown as object).filter((key) => !Object.hasOwn(draft as object, key));
  if (missing.length > 0) throw new ContentRefused(`These are missing: ${missing.slice(0, 10).join(', ')}.`);
}
