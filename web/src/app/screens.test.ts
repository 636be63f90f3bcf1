import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { screens } from '@portal/domain/screens.ts';
import { expect, test, vi } from 'vitest';
import type { Api } from '../lib/api.ts';
import { recordTimings, timingStep } from './page-timings.ts';
import { moduleOf, precachedModules } from './screens.ts';

const root = new URL('../../', import.meta.url);
const texts = JSON.parse(readFileSync(new URL('../operators/texts/en/translation.json', root), 'utf8'));

test.each(screens)('the screen $name has its files, its texts and its title', ({ folder, title, ...screen }) => {
  const modules = [moduleOf(folder), ...(screen.parts ?? []), ...(screen.precached ?? [])];
  expect(modules.filter((module) => !existsSync(new URL(module, root)))).toEqual([]);
  expect(screen.texts.filter((name) => !texts[name])).toEqual([]);
  const [namespace = '', ...key] = title.split('.');
  expect(['common', ...screen.texts]).toContain(namespace);
  expect(texts[namespace]).toHaveProperty(key, expect.any(String));
});

test('every folder of screens/ belongs to a screen', () => {
  const folders = readdirSync(new URL('src/screens', root));
  expect(folders.toSorted()).toEqual([...new Set(screens.map(({ folder }) => folder as string))].sort());
});

test('the scripts of screens that work offline are prefetched', () => {
  expect(precachedModules).toEqual(expect.arrayContaining([moduleOf('offline'), moduleOf('home'), moduleOf('help')]));
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
