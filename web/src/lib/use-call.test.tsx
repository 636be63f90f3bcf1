import { act, renderHook, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Answer, Failure } from './api.ts';
import { useCall, useLatestSignal } from './use-call.ts';
import { usePolling } from './use-polling.ts';

const refusal: Failure = { ok: false, code: 'OFFLINE', message: 'We got no answer. Please try again.' };

/** Requests that the test resolves, in any order. */
function requests() {
  const open: { key: string; signal: AbortSignal; answer: (answer: Answer<string>) => Promise<void> }[] = [];
  const call = (key: string) => (signal: AbortSignal) =>
    new Promise<Answer<string>>((resolve) => {
      open.push({ key, signal, answer: (answer) => act(async () => resolve(answer)) });
    });
  return { open, call };
}

const use = (call: ReturnType<typeof requests>['call'], key: string | null, options = {}) =>
  renderHook(({ key }) => useCall(key, call(key ?? ''), options), { initialProps: { key } });

test('a newer key aborts the previous request, and its late response is ignored', async () => {
  const { open, call } = requests();
  const { result, rerender } = use(call, 'a');
  expect(result.current.state).toBe('loading');
  rerender({ key: 'b' });
  expect(open.map(({ key, signal }) => [key, signal.aborted])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  await open[1]?.answer({ ok: true, result: 'of b' });
  await open[0]?.answer({ ok: true, result: 'of a' });
  expect(result.current).toMatchObject({ state: 'loaded', result: 'of b' });
  rerender({ key: null });
  expect(result.current.state).toBe('idle');
});

test('a failure is reported once, and retried on demand or when the connection is back', async () => {
  const { open, call } = requests();
  const failures: Failure[] = [];
  const { result } = use(call, 'a', { onFailed: (failure: Failure) => failures.push(failure) });
  await open[0]?.answer(refusal);
  expect(result.current).toMatchObject({ state: 'failed', failure: refusal });
  act(() => result.current.retry());
  expect(result.current.state).toBe('loading');
  await open[1]?.answer(refusal);
  expect(failures).toHaveLength(2);
  act(() => void window.dispatchEvent(new Event('online')));
  await open[2]?.answer({ ok: true, result: 'at last' });
  act(() => void window.dispatchEvent(new Event('online')));
  expect(result.current).toMatchObject({ state: 'loaded', result: 'at last' });
  expect(open).toHaveLength(3);
});

test('data and failures that came with the page are not requested again; another key is', async () => {
  const { open, call } = requests();
  const { result, rerender } = use(call, 'a', { initial: { key: 'a', answer: refusal } });
  expect(result.current.state).toBe('failed');
  rerender({ key: 'b' });
  expect(result.current.state).toBe('loading');
  expect(open.map(({ key }) => key)).toEqual(['b']);
});

test('with a debounce only the last of several keys is requested, and unmounting requests nothing', async () => {
  const { open, call } = requests();
  const { rerender, unmount } = use(call, 'a', { debounceMs: 20 });
  rerender({ key: 'ab' });
  await waitFor(() => expect(open.map(({ key }) => key)).toEqual(['ab']));
  unmount();
  expect(open[0]?.signal.aborted).toBe(true);
});

test('the next request aborts the previous one, and unmounting aborts the last', () => {
  const { result, unmount } = renderHook(useLatestSignal);
  const first = result.current.next();
  const second = result.current.next();
  expect([first.aborted, second.aborted]).toEqual([true, false]);
  unmount();
  expect(second.aborted).toBe(true);
});

test('polling out of turn requests at once, uses no try, and requests again after one in flight', async () => {
  const polls: { count: number; isExtra: boolean; answer: (delay: number | null) => void }[] = [];
  const poll = (_signal: AbortSignal, count: number, isExtra: boolean) =>
    new Promise<number | null>((answer) => polls.push({ count, isExtra, answer }));
  const { result, unmount } = renderHook(() => usePolling('a', poll, 600_000));
  const seen = () => polls.map(({ count, isExtra }) => [count, isExtra]);
  act(() => result.current());
  expect(seen()).toEqual([[0, true]]);
  act(() => result.current());
  expect(polls).toHaveLength(1);
  polls[0]?.answer(600_000);
  await waitFor(() =>
    expect(seen()).toEqual([
      [0, true],
      [0, true],
    ]),
  );
  polls[1]?.answer(1);
  await waitFor(() => expect(seen().at(-1)).toEqual([0, false]));
  polls[2]?.answer(1);
  await waitFor(() => expect(seen().at(-1)).toEqual([1, false]));
  polls[3]?.answer(null);
  unmount();
  act(() => result.current());
  expect(polls).toHaveLength(4);
});

test('a request in flight is shared; a retry requests again', async () => {
  const { open, call } = requests();
  let arrive: (loaded: { key: string; answer: Answer<string> } | undefined) => void = () => {};
  const initial = new Promise<{ key: string; answer: Answer<string> } | undefined>((resolve) => {
    arrive = resolve;
  });
  const failures: Failure[] = [];
  const { result } = use(call, 'a', { initial, onFailed: (failure: Failure) => failures.push(failure) });
  expect([result.current.state, open.length]).toEqual(['loading', 0]);
  await act(async () => arrive({ key: 'a', answer: refusal }));
  expect([result.current.state, open.length, failures]).toEqual(['failed', 0, [refusal]]);
  act(() => result.current.retry());
  await open[0]?.answer({ ok: true, result: 'of a' });
  expect(result.current).toMatchObject({ state: 'loaded', result: 'of a' });
});

test.each([
  ['nothing', undefined],
  ['the answer to another key', { key: 'b', answer: { ok: true, result: 'of b' } as const }],
])('on %s the request is made', async (_what, arrived) => {
  const { open, call } = requests();
  const { result } = use(call, 'a', { initial: Promise.resolve(arrived) });
  await waitFor(() => expect(open).toHaveLength(1));
  await open[0]?.answer({ ok: true, result: 'of a' });
  expect(result.current).toMatchObject({ state: 'loaded', result: 'of a' });
});

test('APP-14 a pending poll is made at once when the connection is back', async () => {
  const polls: boolean[] = [];
  const poll = async (_signal: AbortSignal, _count: number, isExtra: boolean) => {
    polls.push(isExtra);
    return 600_000;
  };
  const { unmount } = renderHook(() => usePolling('a', poll, 0));
  await waitFor(() => expect(polls).toEqual([false]));
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(polls).toEqual([false, true]));
  unmount();
  window.dispatchEvent(new Event('online'));
  expect(polls).toEqual([false, true]);
});
