import { expect, test } from 'vitest';
import { batched } from './batched.ts';

/** Batches that finish when the test says so. */
function controlled(fails: (items: number[]) => boolean = () => false) {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const add = batched<number, number>(
    async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fails(items)) throw new Error(`failed with ${items}`);
      return items.map((item) => item * 10);
    },
    { atOnce: 2, most: 3 },
  );
  return { add, batches, endAll: () => ends.splice(0).forEach((end) => void end()) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('the first items run at once, items that arrive meanwhile run as one batch, and each gets its own result', async () => {
  const { add, batches, endAll } = controlled();
  const results = [1, 2, 3, 4, 5, 6].map(add);
  expect(batches).toEqual([[1], [2]]);
  endAll();
  await settled();
  expect(batches.slice(2)).toEqual([[3, 4, 5], [6]]);
  endAll();
  expect(await Promise.all(results)).toEqual([10, 20, 30, 40, 50, 60]);
});

test('a failing item does not fail the rest of its batch', async () => {
  const { add, batches, endAll } = controlled((items) => items.includes(4));
  const results = [1, 2, 3, 4, 5].map((item) => add(item).catch((error: Error) => error.message));
  endAll();
  await settled();
  endAll();
  await settled();
  expect(batches.slice(2)).toEqual([[3, 4, 5], [3], [4], [5]]);
  endAll();
  expect(await Promise.all(results)).toEqual([10, 20, 30, 'failed with 4', 50]);
});
