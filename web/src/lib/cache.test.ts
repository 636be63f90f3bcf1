import { pack } from '@portal/operators/mg/pack.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchPackage } from '../app/navigation.ts';
import type { Api } from './api.ts';
import { createCache } from './cache.ts';
import { safeStorage } from './storage.ts';

let time: number;
let kept: Map<string, string>;

/** A fake of the browser's storage; `room` is the number of items that fit. */
function storageOf(items: Map<string, string>, room = Number.POSITIVE_INFINITY): Storage {
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (items.size >= room) throw new DOMException('full', 'QuotaExceededError');
      items.set(key, value);
    },
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage;
}
const forbidden = (): Storage => {
  throw new DOMException('denied', 'SecurityError');
};

beforeEach(() => {
  time = 1_000_000;
  kept = new Map();
});
afterEach(() => void vi.unstubAllGlobals());

const cacheOn = (storage: () => Storage) => createCache(safeStorage(storage), () => time);

describe('APP-12 session cache', () => {
  test('APP-12 an item is {expiry, data} in storage, and lasts 10 s unless told otherwise', () => {
    const cache = cacheOn(() => storageOf(kept));
    cache.write('key', { a: 1 });
    expect(JSON.parse(kept.get('key') ?? '')).toEqual({ expiry: 1_010_000, data: { a: 1 } });
    time += 9_999;
    expect(cache.read('key')).toEqual({ a: 1 });
    time += 1;
    expect(cache.read('key')).toBeNull();
    expect(kept.size).toBe(0);
    cache.write('key', 'long', 3_600);
    time += 3_599_000;
    expect(cache.read('key')).toBe('long');
  });

  test('APP-12 concurrent requests share one response, and a failure is not cached', async () => {
    const cache = cacheOn(() => storageOf(kept));
    const { promise, resolve } = Promise.withResolvers<string>();
    const load = vi.fn(() => promise);
    const asked = [cache.fetch('key', load), cache.fetch('key', load)];
    resolve('loaded');
    expect(await Promise.all(asked)).toEqual(['loaded', 'loaded']);
    expect(load).toHaveBeenCalledTimes(1);
    const refused = cache.fetch('other', () => Promise.reject(new Error('gone')));
    await expect(refused).rejects.toThrow('gone');
    expect(await cache.fetch('other', async () => 'again')).toBe('again');
  });

  test('APP-12 the fetcher loads once while it is fresh and again after', async () => {
    const cache = cacheOn(() => storageOf(kept));
    const load = vi.fn(async () => 'loaded');
    expect(await cache.fetch('key', load, { seconds: 60 })).toBe('loaded');
    expect(await cache.fetch('key', load, { seconds: 60 })).toBe('loaded');
    expect(load).toHaveBeenCalledTimes(1);
    time += 60_000;
    await cache.fetch('key', load, { seconds: 60 });
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('APP-12 a response that is marked uncacheable, and a failure, are not cached', async () => {
    const cache = cacheOn(() => storageOf(kept));
    expect(await cache.fetch('key', async () => null, { keep: (data) => data !== null })).toBeNull();
    await expect(cache.fetch('key', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(kept.size).toBe(0);
  });

  test.each([
    ['full', () => storageOf(kept, 0)],
    ['forbidden', forbidden],
  ])('APP-12 storage that is %s degrades to no cache', async (_what, storage) => {
    const cache = cacheOn(storage);
    const load = vi.fn(async () => 'loaded');
    cache.write('key', 'x');
    expect(cache.read('key')).toBeNull();
    expect(await cache.fetch('key', load)).toBe('loaded');
    expect(await cache.fetch('key', load)).toBe('loaded');
    expect(load).toHaveBeenCalledTimes(2);
  });

  test.each(['{', 'null', '"text"', '[]', '{"data":1}', '{"expiry":"soon","data":1}'])(
    'APP-12 an item of another format (%s) is ignored',
    (text) => {
      kept.set('key', text);
      expect(cacheOn(() => storageOf(kept)).read('key')).toBeNull();
    },
  );

  test('APP-12 packages are cached by name and language for an hour', async () => {
    vi.stubGlobal('window', { sessionStorage: storageOf(kept) });
    const before = Date.now();
    const asked: string[] = [];
    const api = (async (_name: string, options: { query: { pageUrl: string } }) => {
      asked.push(options.query.pageUrl);
      return { ok: true, result: { packageHtml: JSON.stringify({ from: options.query.pageUrl }) } };
    }) as unknown as Api;
    const [english, french] = pack.languages;
    if (!english || !french) throw new Error('two languages are needed');
    const read = (language: typeof english) => fetchPackage(api, pack, language, 'translation');
    expect(await read(english)).toEqual({ from: '/translation' });
    expect(await read(french)).toEqual({ from: '/sw/translation' });
    expect(await read(english)).toEqual({ from: '/translation' });
    expect(asked).toEqual(['/translation', '/sw/translation']);

    const [key = '', text = ''] = [...kept].find(([, item]) => item.includes('"/translation"')) ?? [];
    const item = JSON.parse(text);
    expect(item.expiry - before).toBeGreaterThanOrEqual(3_600_000);
    expect(item.expiry - Date.now()).toBeLessThanOrEqual(3_600_000);
    kept.set(key, JSON.stringify({ ...item, expiry: Date.now() - 1 }));
    await read(english);
    expect(asked).toHaveLength(3);
  });
});
