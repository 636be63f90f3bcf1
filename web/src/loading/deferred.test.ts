import { beforeEach, expect, test, vi } from 'vitest';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
  vi.resetModules();
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

test('PRF-2 deferred scripts are not requested before the page is usable, unless needed', async () => {
  const { whenUsable, startDeferred } = await import('./deferred.ts');
  const load = vi.fn(async () => 'a part');
  const wanted = vi.fn(async () => 'another');
  whenUsable(load);
  const want = whenUsable(wanted);
  await vi.runAllTimersAsync();
  expect(load).not.toHaveBeenCalled();
  expect(await want()).toBe('another');

  startDeferred();
  await vi.runAllTimersAsync();
  expect(load).toHaveBeenCalledTimes(1);
  expect(wanted).toHaveBeenCalledTimes(1);
  const later = vi.fn(async () => 'of the next screen');
  whenUsable(later);
  await vi.runAllTimersAsync();
  expect(later).toHaveBeenCalledTimes(1);
});

test('a script that fails to load is retried until it loads', async () => {
  const { whenUsable } = await import('./deferred.ts');
  let isOnline = false;
  const load = vi.fn(async () => {
    if (!isOnline) throw new Error('no network');
    return 'a part';
  });
  const part = whenUsable(load)();
  await vi.advanceTimersByTimeAsync(12_000);
  expect(load).toHaveBeenCalledTimes(3);
  isOnline = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await part).toBe('a part');
});
