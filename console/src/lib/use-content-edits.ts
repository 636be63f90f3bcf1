import { useState } from 'react';
import type { Package } from './content-package.ts';
import {
  type Body,
  changedList,
  isAbove,
  type ListAct,
  type Place,
  type Removed,
  removedFrom,
  valueAt,
  withValue,
} from './package-tree.ts';

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
export function useContentEdits({ name, pages }: Package) {
  const key = `content ${name}`;
  const [edits, setEdits] = useState<Edits>(() => stored(key, {}));
  const removedKey = `removed ${name}`;
  const [removed, setRemoved] = useState<readonly Removed[]>(() => stored(removedKey, []));

  const update = (change: (edits: Edits) => Edits) =>
    setEdits((before) => {
      const after = change(before);
      store(key, after);
      return after;
    });
  const keepRemoved = (all: readonly Removed[]) => {
    store(removedKey, all);
    setRemoved(all);
  };

  const found = (page: string) => pages.find((one) => one.page === page);
  const standing = (page: string) => (found(page)?.body ?? {}) as Body;
  const begun = (page: string) => ({ seen: found(page)?.newest ?? 0, before: standing(page) });
  const editOf = (all: Edits, page: string): Edit => all[page] ?? { ...begun(page), body: standing(page) };
  const put = (all: Edits, page: string, place: Place, value: unknown): Edits => {
    const edit = editOf(all, page);
    return { ...all, [page]: { ...edit, body: withValue(edit.body, place, value) } };
  };

  const bodies = pages.map(({ page, locale }) => ({ page, locale, body: editOf(edits, page).body }));
  /** Applied to every page that has a change. */
  const actOn = (place: Place, actFor: (page: string) => ListAct | null) =>
    update((all) =>
      pages.reduce((next, { page }) => {
        const act = actFor(page);
        if (!act) return next;
        const list = valueAt(editOf(next, page).body, place);
        return put(next, page, place, changedList(list, act));
      }, all),
    );

  return {
    pages: bodies,
    drafts: Object.entries(edits).map(([page, { seen, body }]) => ({ page, seen, body })),
    /** The edit is based on an outdated version. */
    behind: pages.flatMap((page) => {
      const edit = edits[page.page];
      if (!edit || edit.seen >= page.newest) return [];
      const versions = { before: edit.before ?? (page.shownBody as Body), theirs: page.body as Body, mine: edit.body };
      return [{ page, versions }];
    }),

    change: (page: string, place: Place, value: unknown) => update((all) => put(all, page, place, value)),
    changeList: (place: Place, act: ListAct) => {
      if ('remove' in act) keepRemoved([...removed, removedFrom(bodies, place, act.remove)]);
      else if ('move' in act) keepRemoved(removed.filter((one) => !isAbove(place, one)));
      actOn(place, () => act);
    },
    /** The last removed item, which can be restored until saving. */
    removed: removed.at(-1) ?? null,
    undoRemove() {
      const last = removed.at(-1);
      if (!last) return;
      keepRemoved(removed.slice(0, -1));
      actOn(last.list, (page) => (Object.hasOwn(last.items, page) ? { restore: last.items[page], at: last.at } : null));
    },
    /** As if it had been typed over the newest version: the other person's version stays in the list. */
    takeOver(page: string, body: Body) {
      keepRemoved([]);
      update((all) => ({ ...all, [page]: { ...begun(page), body } }));
    },
    /** Starts from the published version, ignoring later drafts. */
    beginAnew() {
      keepRemoved([]);
      update(() =>
        Object.fromEntries(
          pages
            .filter(({ draft }) => draft)
            .map(({ page, shownBody }) => [page, { ...begun(page), body: shownBody as Body }]),
        ),
      );
    },
    forget() {
      keepRemoved([]);
      update(() => ({}));
    },
  };
}
