import type { SheetLine } from '@portal/contract/console/sheets.ts';
import { expect, test } from 'vitest';
import { isMereEnd } from './only-ends.ts';

const [october, december, january] = ['2027-10-01T00:00:00Z', '2027-12-01T00:00:00Z', '2028-01-01T00:00:00Z'];
const line = (price: string, from: string | null = null, until: string | null = null): SheetLine => ({
  ...{ cells: { price }, from, until },
});
const before = [line('100'), line('200', december)];
const ends = (after: SheetLine[]) => isMereEnd({ kind: 'ended', before, after });

test('an end takes one line only where nothing else is decided with it', () => {
  expect(ends([])).toBe(true);
  expect(ends([line('100', null, october)])).toBe(true);
  expect(ends([line('100'), line('200', december, january)])).toBe(true);
  // Another price until then, a plan that comes sooner, and one that is dropped although it would have come.
  expect(ends([line('150', null, october)])).toBe(false);
  expect(ends([line('100'), line('200', october, january)])).toBe(false);
  expect(ends([line('100', null, january)])).toBe(false);
  expect(isMereEnd({ kind: 'changed', before, after: [] })).toBe(false);
});
