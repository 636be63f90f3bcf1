import { inRows, type Layout, layoutOf, placeIn, placeInRows } from '@portal/domain/content/package-rows.ts';
import { useState } from 'react';
import type { Package } from './content-package.ts';
import {
  isAbove,
  keysAt,
  type ListAct,
  type Packages,
  type Removed,
  removedFrom,
  withAct,
  withKeys,
  withRestored,
  withText,
} from './package-edit.ts';
import type { Body, Place, Shape } from './package-tree.ts';

/** An edit: the version it is based on, and the package before and after. */
interface Edit {
  seen: number;
  before?: Body;
  body: Body;
}
type Edits = Readonly<Record<string, Edit>>;

function stored<T>(key: string, otherwise: T): T {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? otherwise;
  } catch {
    return otherwise;
  }
}

function store(key: string, value: object): void {
  if (Object.keys(value).length === 0) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(value));
}

/** Unsaved edits of a package by page; kept in session storage, so they survive a reload. */
export function useContentEdits({ name, pages, shape }: Package) {
  const key = `content ${name}`;
  const removedKey = `removed ${name}`;
  const [removed, setRemoved] = useState<readonly Removed[]>(() => stored(removedKey, []));

  const found = (page: string) => pages.find((one) => one.page === page);
  const standing = (page: string) => (found(page)?.body ?? {}) as Body;
  const begun = (page: string) => ({ seen: found(page)?.newest ?? 0, before: standing(page) });
  const bodiesOf = (all: Edits): Record<string, Body> =>
    Object.fromEntries(pages.map(({ page }) => [page, all[page]?.body ?? standing(page)]));

  /** Rows are aligned again for other versions, but stay as they are while somebody edits a name or a link. */
  const versions = pages.map(({ page, newest }) => `${page} ${newest}`).join();
  const begin = (edits: Edits, before?: Layout) => ({
    edits,
    of: versions,
    layout: withKeys(layoutOf(bodiesOf(edits)), before),
  });
  const [kept, setKept] = useState(() => begin(stored<Edits>(key, {})));
  const state = kept.of === versions ? kept : begin(kept.edits, kept.layout);
  if (state !== kept) setKept(state);
  const { edits, layout } = state;
  const bodies = bodiesOf(edits);

  const restart = (edits: Edits) => {
    store(key, edits);
    setKept(begin(edits, layout));
  };
  const update = (change: (packages: Packages) => Packages) =>
    setKept((before) => {
      const old = bodiesOf(before.edits);
      const { bodies: next, layout } = change({ bodies: old, layout: before.layout });
      const changed = pages.filter(({ page }) => next[page] !== old[page]);
      const after = {
        ...before.edits,
        ...Object.fromEntries(
          changed.map(({ page }) => [page, { ...(before.edits[page] ?? begun(page)), body: next[page] as Body }]),
        ),
      };
      store(key, after);
      return { ...before, edits: after, layout };
    });
  const keepRemoved = (all: readonly Removed[]) => {
    store(removedKey, all);
    setRemoved(all);
  };

  return {
    pages: pages.map(({ page, locale }) => ({ page, locale, body: bodies[page] as Body })),
    /** The same with list items in rows: aligned items have the same place in every language. */
    rows: pages.map(({ page, locale }) => ({ page, locale, body: inRows(layout, page, bodies[page]) as Body })),
    /** The page's own path for a place in rows; null if the page lacks the item. */
    placeIn: (page: string, place: Place): Place | null => placeIn(layout, page, place),
    /** The place in rows of a page's own path. */
    placeInRows: (page: string, own: Place): Place | null => placeInRows(layout, page, own),
    /** What stays the same of the items of a list when others are removed or moved. */
    keysOf: (list: Place) => keysAt(layout, list),
    drafts: Object.entries(edits).map(([page, { seen, body }]) => ({ page, seen, body })),
    /** The edit is based on an outdated version. */
    behind: pages.flatMap((page) => {
      const edit = edits[page.page];
      if (!edit || edit.seen >= page.newest) return [];
      const versions = { before: edit.before ?? (page.shownBody as Body), theirs: page.body as Body, mine: edit.body };
      return [{ page, versions }];
    }),

    change: (page: string, place: Place, value: unknown) =>
      update((packages) => withText(packages, page, place, value, shape as Shape | undefined)),
    changeList: (place: Place, act: ListAct) => {
      if ('remove' in act) keepRemoved([...removed, removedFrom({ bodies, layout }, place, act.remove)]);
      else if ('move' in act) keepRemoved(removed.filter((one) => !isAbove(place, one)));
      update((packages) => withAct(packages, place, act));
    },
    /** The last removed item, which can be restored until saving. */
    removed: removed.at(-1) ?? null,
    undoRemove(last: Removed) {
      keepRemoved(removed.slice(0, -1));
      update((packages) => withRestored(packages, last));
    },
    /** Applies this body as an edit of the newest version; the other person's version stays in the list. */
    takeOver(page: string, body: Body) {
      keepRemoved([]);
      restart({ ...edits, [page]: { ...begun(page), body } });
    },
    /** Starts from the published version, ignoring later drafts. */
    beginAnew() {
      keepRemoved([]);
      restart(
        Object.fromEntries(
          pages
            .filter(({ draft }) => draft)
            .map(({ page, shownBody }) => [page, { ...begun(page), body: shownBody as Body }]),
        ),
      );
    },
    forget() {
      keepRemoved([]);
      restart({});
    },
  };
}
