import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { acceptedLanguages } from '@portal/domain/language.ts';
import { schemaFaults } from '@portal/domain/lead/schema-check.ts';
import type { OperatorPack, PackLanguage } from '@portal/domain/operator.ts';
import { oneLine } from '@portal/domain/printable.ts';
import { packageNames, readPackage, readShared, sharedNames } from '@portal/operators/content.ts';
import { type Kysely, sql } from 'kysely';
import { createAudit } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import { rewriteAssets } from './cdn.ts';
import { cleanPackage, isProse, storablePackage } from './clean-package.ts';
import { type ContentEditing, contentEditing } from './content.editing.ts';
import { contentViews } from './content-views.ts';
import { messageFaults, usableWords } from './message-text-faults.ts';
import {
  emptyFaults,
  emptyPlaces,
  type Fault,
  helpFaults,
  type KnownPlaces,
  knownPlacesIn,
  linkFaults,
  type Shape,
  shapeFaults,
  shapeOf,
  unknownFaults,
} from './package-shape.ts';

/** Texts of the active translation, else of the pack; edits show once the cached texts are read again. */
export interface Texts {
  text(locale: string, key: string, params?: Record<string, string | number>): string;
}

export interface Content extends Texts {
  /** The active package of a page such as /footer or /sw/footer; null if there is none. */
  activePackage(page: string): Promise<unknown | null>;
  /** Stores the pack's packages, and activates them unless people published their own. Returns the changed pages. */
  importPack(): Promise<string[]>;
  editing: ContentEditing;
  /** Every package of the pack with its page for each language; one without a language has one page and no locale. */
  packages(): { name: string; pages: { page: string; locale: string | null }[] }[];
  /** Whether it is a table, which is edited elsewhere in the console. */
  isTable(name: string): boolean;
  /** A version as it was written: prose as Markdown, if its source is known. */
  editable(page: string, version?: number): Promise<unknown>;
  /** The structure of the pack's own package, for a form. */
  shapeOf(page: string): Shape;
  /** Required texts that are empty: allowed in a draft, but not when published. */
  gapsOf(page: string, body: unknown): string[];
  /** The same as `activePackage`, with drafts in place of the published versions. */
  previewOf(drafts: ReadonlyMap<string, unknown>): (page: string) => Promise<unknown | null>;
  /** Reads changed translations again, so that messages and pages have the same texts. */
  rereadTexts(): Promise<void>;
  languageOf(headers: { lang?: unknown; 'accept-language'?: unknown }): PackLanguage;
}

// With the second for which a cached page is not checked, a published version shows within ten seconds.
const maxAgeMs = 9_000;

/** Values may come from a visitor or a provider, so line breaks are removed. */
const filledIn = (value: string | number | undefined) => (value === undefined ? undefined : oneLine(String(value)));

/** The page of radio sites, the same in every language. */
export const sitesPage = '/fetch-sites-data-5g';

export function createContent(
  db: Kysely<Schema>,
  pack: OperatorPack,
  now: () => Date,
  /** Pages that are tables of the console, by path. */
  tables: Readonly<Record<string, () => Promise<readonly unknown[]>>> = {},
): Content {
  const cache = new Map<string, { body: unknown; until: number }>();
  const texts = new Map(pack.languages.map((language) => [language.locale, readTexts(language)]));
  const activeWords = new Map<string, { version: number; words: ReadonlyMap<string, string> }>();
  const shapes = new Map<string, Shape>();
  const own = new Map<string, unknown>();
  const strays = new Map<string, KnownPlaces>();
  const shared = sharedNames(pack.code);
  const fallback = pack.languages.find((language) => language.locale === pack.defaultLocale) ?? pack.languages[0];
  if (!fallback) throw new Error('The operator pack names no language.');

  function readTexts(language: PackLanguage): Record<string, string> {
    return readPackage(pack.code, language.code, 'translation') as Record<string, string>;
  }

  const languageAt = (page: string) => pack.languages.find(({ prefix }) => page === `${prefix}/translation`);
  const textIn = (locale: string, key: string) => activeWords.get(locale)?.words.get(key) ?? texts.get(locale)?.[key];

  /** Every page renders header and footer: one with another structure would break them all. */
  function faultsOfShape(page: string, body: unknown, isStored = false): Fault[] {
    const known = shapes.get(page);
    const own = known ? null : packPackage(page);
    if (!known && own === null) return [];
    const shape = known ?? shapeOf(cleanPackage(own));
    shapes.set(page, shape);
    return shapeFaults(shape, body, { isStored });
  }

  /** Keys and placeholders of a draft that are neither in the pack, in any language, nor in the active version. */
  function strayFaults(page: string, shown: unknown, draft: unknown): Fault[] {
    const name = page.slice(page.lastIndexOf('/') + 1);
    // A form schema has optional parts and a validation of its own.
    if (name === 'lead-form-schema' || packPackage(page) === null) return [];
    const pages = [page, ...pack.languages.map(({ prefix }) => `${prefix}/${name}`)];
    const known: KnownPlaces =
      strays.get(name) ??
      knownPlacesIn([...pages.flatMap((one) => packPackage(one) ?? []), { markdown: '', html: '' }]);
    strays.set(name, known);
    const current = knownPlacesIn([shown]);
    return unknownFaults(draft, {
      places: new Set([...known.places, ...current.places]),
      placeholders: new Set([...known.placeholders, ...current.placeholders]),
    });
  }

  /** Texts that are empty in a draft but not in the pack: they block publishing. */
  function gapsOf(page: string, body: unknown): Fault[] {
    const own = packPackage(page);
    const name = page.slice(page.lastIndexOf('/') + 1);
    // A form schema has optional parts and a validation of its own.
    if (own === null || name === 'lead-form-schema') return [];
    const all = pack.languages.flatMap(({ prefix }) => packPackage(`${prefix}/${name}`) ?? []);
    return emptyFaults(shapeOf(own), body, emptyPlaces(all));
  }

  /** Errors that would break a page. */
  function faultsOf(page: string, body: unknown): Fault[] {
    if (tables[storedPage(page)])
      return [{ at: '', code: 'isTable', says: `${page} is a table, which is changed in the console.` }];
    if (page.endsWith('/lead-form-schema')) return schemaFaults(body);
    const wrong = faultsOfShape(page, body);
    const language = languageAt(page);
    if (language)
      return [...wrong, ...messageFaults(body as Record<string, unknown>, texts.get(language.locale) ?? {})];
    return page.endsWith('/faq') ? [...wrong, ...helpFaults(body)] : wrong;
  }

  /** A page without a language is stored once, whatever prefix is requested. */
  function storedPage(page: string): string {
    const name = page.slice(page.lastIndexOf('/') + 1);
    return shared.includes(name) && pack.languages.some(({ prefix }) => page === `${prefix}/${name}`)
      ? `/${name}`
      : page;
  }

  /** The pack's own files are the fallback if the database is down, so that a page is never blank. */
  function packPackage(page: string): unknown | null {
    const known = own.get(page);
    if (known) return known;
    const read = readPackPackage(page);
    // Unknown names are not cached: anybody can invent them.
    if (read) own.set(page, read);
    return read;
  }

  function readPackPackage(page: string): unknown | null {
    const language =
      pack.languages.find(({ prefix }) => prefix !== '' && page.startsWith(`${prefix}/`)) ??
      pack.languages.find(({ prefix }) => prefix === '');
    const name = language ? page.slice(language.prefix.length + 1) : '';
    if (shared.includes(name)) return readShared(pack.code, name);
    return language && packageNames(pack.code, language.code).includes(name)
      ? readPackage(pack.code, language.code, name)
      : null;
  }

  /** Sanitised on saving and again here, in case it was stored another way. */
  const asShown = (body: unknown) => rewriteAssets(cleanPackage(body), pack.cdnBase);

  const branded = (body: unknown) => withBrand(body, pack.brand.name);

  /** An empty table of a kind that the operator does not have is a 404. */
  async function tableAt(page: string): Promise<unknown> {
    const rows = await tables[page]?.();
    return rows && (rows.length > 0 || shared.includes(page.slice(1))) ? rows : null;
  }

  async function activeBody(page: string): Promise<unknown> {
    const active = db.selectFrom('content_packages').where('page', '=', page).where('active', '=', true);
    return (await active.select('body').executeTakeFirst())?.body;
  }

  /** As pages get it: a stored package with a wrong structure is replaced by the pack's own. */
  function servedBody(page: string, stored: unknown): unknown {
    const body = completed(asShown(packPackage(page)), asShown(stored));
    return branded(faultsOfShape(page, body, true).length > 0 ? asShown(packPackage(page)) : body);
  }

  async function storedPackage(asked: string): Promise<unknown | null> {
    const page = storedPage(asked);
    const recent = cache.get(page);
    if (recent && recent.until > now().getTime()) return recent.body;
    let body: unknown | null;
    try {
      const stored = (await tableAt(page)) ?? (await activeBody(page));
      body = stored ? servedBody(page, stored) : null;
    } catch {
      return branded(asShown(packPackage(page)));
    }
    // Unknown names are not cached: anybody can invent them.
    if (body !== null) cache.set(page, { body, until: now().getTime() + maxAgeMs });
    return body;
  }

  /** The stored package, else a view for other clients of the content service. */
  async function packageAt(page: string, stored: (page: string) => Promise<unknown | null>): Promise<unknown | null> {
    const own = await stored(page);
    if (own !== null) return own;
    const language = pack.languages.find(({ prefix }) => prefix !== '' && page.startsWith(`${prefix}/`));
    const prefix = language?.prefix ?? '';
    const name = page.slice(prefix.length + 1);
    const view = Object.hasOwn(contentViews, name) ? contentViews[name] : undefined;
    const words = view ? await stored(`${prefix}/translation`) : null;
    return view && words ? view(words as Record<string, string>, pack) : null;
  }

  const editing = contentEditing(db, {
    now,
    audit: createAudit(db, now),
    storable: storablePackage,
    clean: cleanPackage,
    faults: faultsOf,
    links: (page, body) => (languageAt(page) ? [] : linkFaults(body)),
    gaps: gapsOf,
    strays: strayFaults,
    changed: (page) => cache.delete(page),
  });

  return {
    editing,

    packages() {
      const names = new Set(pack.languages.flatMap(({ code }) => packageNames(pack.code, code)));
      const words = shared.filter((name) => !tables[`/${name}`]);
      return [
        ...[...names].sort().map((name) => ({
          name,
          pages: pack.languages.map(({ prefix, locale }) => ({ page: `${prefix}/${name}`, locale })),
        })),
        ...words.map((name) => ({ name, pages: [{ page: `/${name}`, locale: null }] })),
      ];
    },

    isTable: (name) => tables[`/${name}`] !== undefined,

    async editable(page, version) {
      const body = await editing.show(page, version);
      const own = packPackage(page);
      if (isProse(own)) return isDeepStrictEqual(cleanPackage(own), body) ? own : body;
      return completed(own, body);
    },

    shapeOf: (page) => shapeOf(packPackage(page)),
    gapsOf: (page, body) => gapsOf(page, body).map(({ at }) => at),

    previewOf: (drafts) => (page) =>
      packageAt(page, async (asked) => {
        const draft = drafts.get(storedPage(asked));
        return draft === undefined ? storedPackage(asked) : servedBody(storedPage(asked), draft);
      }),

    text(locale, key, params) {
      const text = textIn(locale, key) ?? textIn(fallback.locale, key) ?? key;
      return params ? text.replace(/\{(\w+)\}/g, (whole, name: string) => filledIn(params[name]) ?? whole) : text;
    },

    async rereadTexts() {
      for (const { prefix, locale } of pack.languages) {
        const active = db
          .selectFrom('content_packages')
          .where('page', '=', `${prefix}/translation`)
          .where('active', '=', true);
        const row = await active.select('version').executeTakeFirst();
        if (row?.version === activeWords.get(locale)?.version) continue;
        const found = row ? await active.select(['version', 'body']).executeTakeFirst() : undefined;
        if (!found) activeWords.delete(locale);
        else {
          const words = usableWords(cleanPackage(found.body) as Record<string, unknown>, texts.get(locale) ?? {});
          activeWords.set(locale, { version: found.version, words });
        }
      }
    },

    activePackage: (page) => packageAt(page, storedPackage),

    async importPack() {
      const pages = new Map<string, string>();
      for (const language of pack.languages)
        for (const name of packageNames(pack.code, language.code))
          pages.set(
            `${language.prefix}/${name}`,
            JSON.stringify(cleanPackage(readPackage(pack.code, language.code, name))),
          );
      for (const name of shared) pages.set(`/${name}`, JSON.stringify(readShared(pack.code, name)));
      return store(pages);
    },

    languageOf(headers) {
      const wanted = typeof headers.lang === 'string' ? headers.lang.toLowerCase() : '';
      const named = pack.languages.find(
        ({ code, locale }) => code.toLowerCase() === wanted || locale.toLowerCase() === wanted,
      );
      if (named) return named;
      const accepted = acceptedLanguages(String(headers['accept-language'] ?? ''));
      const spoken = accepted
        .map((tag) => pack.languages.find(({ locale }) => locale.split('-')[0] === tag.toLowerCase().split('-')[0]))
        .find((language) => language !== undefined);
      return spoken ?? (fallback as PackLanguage);
    },
  };

  /** Returns the pages that it added or replaced. */
  async function store(pages: ReadonlyMap<string, string>): Promise<string[]> {
    return db.transaction().execute(async (transaction) => {
      // Processes that start together import the same pack: one stores it, the others wait and find it.
      await sql`lock table content_packages in share row exclusive mode`.execute(transaction);
      const stored = await transaction
        .selectFrom('content_packages')
        .select(['page', 'version', 'digest', 'active'])
        .execute();
      const versionsOf = Map.groupBy(stored, ({ page }) => page);
      const published = await transaction
        .selectFrom('content_changes')
        .select(['page', 'version'])
        .where('action', '<>', 'draft')
        .execute();
      /** Whether people published the active version, their own or an older one of the pack. */
      const isPeoples = (page: string) =>
        versionsOf
          .get(page)
          ?.some(
            ({ version, active }) => active && published.some((one) => one.page === page && one.version === version),
          );
      const fresh = [...pages].flatMap(([page, body]) => {
        const versions = versionsOf.get(page) ?? [];
        const digest = createHash('sha256').update(body).digest('hex');
        if (versions.some((version) => version.digest === digest)) return [];
        const version = Math.max(0, ...versions.map((each) => each.version)) + 1;
        const offered = isPeoples(page) ?? false;
        return [{ page, version, active: !offered, offered, body, digest, imported_at: now() }];
      });
      if (fresh.length === 0) return [];
      const changed = fresh.filter(({ active }) => active).map(({ page }) => page);
      if (changed.length > 0)
        await transaction.updateTable('content_packages').set({ active: false }).where('page', 'in', changed).execute();
      await transaction.insertInto('content_packages').values(fresh).execute();
      return changed;
    });
  }
}

/** Inserts the operator's name into the texts of every served package. */
function withBrand(body: unknown, name: string): unknown {
  if (typeof body === 'string') return body.replaceAll('{brand}', name);
  if (Array.isArray(body)) return body.map((one) => withBrand(one, name));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, withBrand(value, name)]));
}

/** Adds texts of a newer release that the stored package lacks, because a page needs all of them. */
function completed(own: unknown, body: unknown): unknown {
  if (!isPlain(own) || !isPlain(body)) return body;
  const entries = Object.entries(own).map(([key, value]) => [
    key,
    Object.hasOwn(body, key) ? completed(value, body[key]) : value,
  ]);
  return { ...body, ...Object.fromEntries(entries) };
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
