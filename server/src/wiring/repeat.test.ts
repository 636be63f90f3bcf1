import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('runs again some time after the last run ended, also after an error, until it is stopped', async () => {
  const failed = vi.fn();
  let runs = 0;
  const repeating = repeat(
    1_000,
    async () => {
      runs += 1;
      if (runs === 2) throw new Error('once');
    },
    failed,
  );
  await vi.advanceTimersByTimeAsync(3_500);
  expect(runs).toBe(4);
  expect(failed).toHaveBeenCalledTimes(1);
  await repeating.stop();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(runs).toBe(4);
});

test('slow runs never overlap, and stop waits for the current one', async () => {
  let open = 0;
  let most = 0;
  let ended = 0;
  const repeating = repeat(
    10,
    async () => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 500));
      open -= 1;
      ended += 1;
    },
    () => {},
  );
  await vi.advanceTimersByTimeAsync(1_300);
  expect(most).toBe(1);
  const stopped = repeating.stop();
  await vi.advanceTimersByTimeAsync(500);
  await stopped;
  expect(open).toBe(0);
  expect(ended).toBe(3);
});
