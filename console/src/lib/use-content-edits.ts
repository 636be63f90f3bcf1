import { useState } from 'react';
import type { Package } from './content-package.ts';
import { type Body, changedList, type ListAct, type Place, valueAt, withValue } from './package-tree.ts';

/** What somebody wrote over which version. */
interface Edit {
  seen: number;
  body: Body;
}
type Edits = Readonly<Record<string, Edit>>;

function stored(key: string): Edits {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Edits;
  } catch {
    return {};
  }
}

/** What was written in a package and is not kept yet, by page; it outlives the page being loaded again. */
export function useContentEdits({ name, pages }: Package) {
  const key = `content ${name}`;
  const [edits, setEdits] = useState<Edits>(() => stored(key));

  const update = (change: (edits: Edits) => Edits) =>
    setEdits((before) => {
      const after = change(before);
      if (Object.keys(after).length === 0) sessionStorage.removeItem(key);
      else sessionStorage.setItem(key, JSON.stringify(after));
      return after;
    });

  const found = (page: string) => pages.find((one) => one.page === page);
  const editOf = (all: Edits, page: string): Edit =>
    all[page] ?? { seen: found(page)?.newest ?? 0, body: (found(page)?.body ?? {}) as Body };
  const without = (all: Edits, page: string): Edits =>
    Object.fromEntries(Object.entries(all).filter(([one]) => one !== page));
  const put = (all: Edits, page: string, place: Place, value: unknown): Edits => {
    const edit = editOf(all, page);
    return { ...all, [page]: { ...edit, body: withValue(edit.body, place, value) } };
  };

  return {
    pages: pages.map(({ page, locale }) => ({ page, locale, body: editOf(edits, page).body })),
    drafts: Object.entries(edits).map(([page, edit]) => ({ page, ...edit })),
    /** Edited over a version that is not the newest any more. */
    behind: pages.filter(({ page, newest }) => edits[page] !== undefined && edits[page].seen < newest),
    seenOf: (page: string): number => editOf(edits, page).seen,

    change: (page: string, place: Place, value: unknown) => update((all) => put(all, page, place, value)),
    changeList: (place: Place, act: ListAct) =>
      update((all) =>
        pages.reduce((next, { page }) => {
          const list = valueAt(editOf(next, page).body, place);
          return put(next, page, place, changedList(list, act));
        }, all),
      ),
    /** Theirs stays a version of its own; what is kept next stands over it. */
    keepMine: (page: string) =>
      update((all) => ({ ...all, [page]: { ...editOf(all, page), seen: found(page)?.newest ?? 0 } })),
    takeTheirs: (page: string) => update((all) => without(all, page)),
    /** From what customers see, whatever was drafted since. */
    beginAnew: () =>
      update(() =>
        Object.fromEntries(
          pages
            .filter(({ draft }) => draft)
            .map(({ page, newest, shownBody }) => [page, { seen: newest, body: shownBody as Body }]),
        ),
      ),
    forget: () => update(() => ({})),
  };
}
