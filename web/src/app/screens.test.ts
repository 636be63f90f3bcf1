import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, test, vi } from 'vitest';
import type { Api } from '../lib/api.ts';
import { recordTimings, timingStep } from './page-timings.ts';
import { indexedPaths, screenAt } from './screens.ts';

const finder = ['/storeLocator', '/store-locator', '/store_finder/fanilo_shop', '/store_finder/dealers'];

test.each([
  ['storeFinder', finder],
  ['contactSection', ['/contact-us']],
] as const)('D21 where the pack switches %s off, its pages are nobody’s, and no list has them', (feature, own) => {
  const on = publicPack(pack);
  const off = { ...on, features: { ...on.features, [feature]: false } };
  for (const path of indexedPaths(on)) {
    const isOwn = (own as readonly string[]).includes(path);
    expect(screenAt(path, on, { gallery: false }), path).not.toBeNull();
    expect(screenAt(path, off, { gallery: false }) === null, path).toBe(isOwn);
    expect(indexedPaths(off).includes(path), path).toBe(!isOwn);
  }
});

test('D21 with KPI on the timings of a page are sent as events, by steps', () => {
  expect([0, 500, 501, 1_500, 8_000, 8_001].map((time) => timingStep('ready', time))).toEqual([
    'ready_500',
    'ready_500',
    'ready_1000',
    'ready_2000',
    'ready_8000',
    'ready_more',
  ]);
  const api = vi.fn();
  vi.stubGlobal('window', {});
  vi.stubGlobal('navigator', {});
  vi.spyOn(performance, 'getEntriesByName').mockReturnValue([{ startTime: 700 } as PerformanceEntry]);
  vi.spyOn(performance, 'now').mockReturnValue(2_100);
  recordTimings(api as unknown as Api, '261_homepage');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  const sent = ['painted_1000', 'ready_4000'].map((outcome) => [
    'recordEvent',
    { body: { event: 'page_timing', page_name: '261_homepage', outcome } },
  ]);
  expect(api.mock.calls).toEqual(sent);
});
