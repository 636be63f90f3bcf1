import { useEffect, useRef, useState } from 'react';
import { keyAgain, type Removed } from './package-edit.ts';
import { type Place, placeName } from './package-tree.ts';

export interface Search {
  text: string;
  isMissingOnly: boolean;
}
const noSearch: Search = { text: '', isMissingOnly: false };

type Find = (form: HTMLElement) => HTMLElement | null | undefined;

/** The name of a group of keyed texts that is folded like a row. */
export const groupOf = (key: string): string => key.split('.')[0] ?? key;
export const groupName = (group: string): string => `group ${group}`;

/**
 * Which rows of a form are open, and which element gets the focus after an act, because a button that disappears takes
 * the focus along. A row is named by its keys, so that it stays open where it is moved, and after it was put back.
 */
export function useFormRows(keysOf: (list: Place) => readonly (number | undefined)[]) {
  const form = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [search, setSearch] = useState(noSearch);
  const wanted = useRef<Find | null>(null);
  useEffect(() => {
    if (!wanted.current || !form.current) return;
    const found = wanted.current(form.current);
    // A search may hide it.
    if (!found && search !== noSearch) return setSearch(noSearch);
    wanted.current = null;
    found?.focus();
    // Its error stands below it.
    found?.scrollIntoView({ block: 'center' });
  });

  const nameOf = (place: Place, key?: number): string =>
    place
      .map((step, at) => {
        if (typeof step === 'string') return step;
        const own = at === place.length - 1 ? key : undefined;
        return `#${own ?? keysOf(place.slice(0, at))[step] ?? step}`;
      })
      .join('/');
  const rowsOn = (place: Place) =>
    place.flatMap((step, at) => (typeof step === 'number' ? [nameOf(place.slice(0, at + 1))] : []));
  const set = (name: string, isOpen: boolean) =>
    setOpen((before) => {
      const after = new Set(before);
      if (isOpen) after.add(name);
      else after.delete(name);
      return after;
    });
  const focus = (find: Find) => {
    wanted.current = find;
  };

  return {
    form,
    search,
    setSearch,
    isOpen: (name: string) => open.has(name),
    set,
    nameOf,
    focus,
    /** A row that is added now, with this key: it opens at its first field. */
    added(place: Place, key: number) {
      const name = nameOf(place, key);
      set(name, true);
      focus((all) => inputIn(all, name) ?? headingIn(all, name));
    },
    /** After it is removed: the next row, otherwise the one before, otherwise the button that adds one. */
    removed(list: Place, index: number, count: number) {
      const near = index < count - 1 ? index + 1 : index - 1;
      const name = near < 0 ? null : nameOf([...list, near]);
      focus((all) => (name && headingIn(all, name)) || listIn(all, list)?.querySelector<HTMLElement>(adding));
    },
    restored({ list, row, key }: Removed) {
      const name = nameOf([...list, row], keyAgain(keysOf(list), key));
      setOpen((before) => new Set([...before, ...rowsOn(list)]));
      focus((all) => headingIn(all, name));
    },
    /** At an end of the list the button that was pressed is disabled. */
    moved(place: Place, by: 1 | -1) {
      const name = nameOf(place);
      focus((all) => {
        const [same, other] = [by, -by].map((way) =>
          rowIn(all, name)?.querySelector<HTMLElement>(`[data-by="${way}"]:enabled`),
        );
        return same ?? other;
      });
    },
    /** The rows of refused fields open, and the first of these fields gets the focus. */
    refused(fields: readonly { page: string; place: Place }[]) {
      const groups = fields.flatMap(({ place: [first] }) =>
        typeof first === 'string' ? [groupName(groupOf(first))] : [],
      );
      setOpen((before) => new Set([...before, ...groups, ...fields.flatMap(({ place }) => rowsOn(place))]));
      const names = new Set(fields.flatMap(({ page, place }) => [placeName(place), fieldName(page, place)]));
      const rows = fields.flatMap(({ place }) => rowsOn(place).slice(-1));
      focus(
        (all) =>
          [...all.querySelectorAll<HTMLElement>('[name]')].find((one) => names.has(one.getAttribute('name') ?? '')) ??
          rows.map((name) => headingIn(all, name)).find(Boolean),
      );
    },
  };
}

export type FormRows = ReturnType<typeof useFormRows>;

/** The name of a field's element; that of a list is its place alone. */
export const fieldName = (page: string, place: Place): string => `${page} ${placeName(place)}`;

const adding = ':scope > * > * > [data-add]';
const listIn = (form: HTMLElement, list: Place) =>
  form.querySelector<HTMLElement>(`fieldset[name="${CSS.escape(placeName(list))}"]`);
const rowIn = (form: HTMLElement, name: string) => form.querySelector<HTMLElement>(`[data-row="${CSS.escape(name)}"]`);
const inputIn = (form: HTMLElement, name: string) => rowIn(form, name)?.querySelector<HTMLElement>('input, textarea');
const headingIn = (form: HTMLElement, name: string) =>
  rowIn(form, name)?.querySelector<HTMLElement>('button:enabled, input, textarea');
