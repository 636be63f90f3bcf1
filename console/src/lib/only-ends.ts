import type { SheetChange, SheetLine } from '@portal/contract/console/sheets.ts';

/** It ends, and until then everything stands and comes as it would have: nothing but its end is decided. */
export function isMereEnd({ kind, before, after }: Pick<SheetChange, 'kind' | 'before' | 'after'>): boolean {
  if (kind !== 'ended') return false;
  const end = after.at(-1)?.until ?? null;
  const left = end === null ? [] : before.filter(({ from }) => !from || from < end);
  return (
    left.length === after.length &&
    left.every(({ from, cells }, at) => from === after[at]?.from && isAlike(cells, after[at].cells))
  );
}

export const isAlike = (one: SheetLine['cells'], other: SheetLine['cells']) =>
  Object.keys({ ...one, ...other }).every((name) => one[name] === other[name]);
