import { describe, expect, test } from 'vitest';
import { loaderScript } from '../web/src/app/script-start.ts';
import { scriptProblems } from './check-oldest.ts';
import { asOldestReads, oldest, oldestWithScript, styleProblems, unread } from './oldest-browsers.ts';

describe('BRW-2 a script that old browsers cannot parse is refused', () => {
  test.each([
    'a ??= b;',
    'class A { #secret = 1; }',
    'const behind = /(?<=a)b/;',
    'const own = structuredClone(a);',
    'a.toSorted();',
  ])('%s is a problem', async (code) => {
    expect(await scriptProblems(code, 'x.js', oldest)).toHaveLength(1);
  });

  test('a script that they can parse is accepted', async () => {
    expect(await scriptProblems('const a = b?.c ?? (await import("./d.js"));', 'x.js', oldestWithScript)).toEqual([]);
  });

  test('the script that decides whether scripts run is parsed by the oldest browsers', async () => {
    const loader = loaderScript({ scripts: { entry: '/a.js', all: ['/a.js', '/b.js'] }, refreshSeconds: 5 }, '/b.js');
    expect(loader).toContain('location.reload()},5000)');
    expect(await scriptProblems(loader, 'loader.js', oldest)).toEqual([]);
  });
});

describe('BRW-2 a style that old browsers cannot parse', () => {
  test.each([
    '@layer a{b{c:d}}',
    'a{b:c;& d{e:f}}',
    '@media (width>=600px){a{b:c}}',
    'a:where(b){c:d}',
    'a{aspect-ratio:1}',
  ])('%s is a problem', (css) => {
    expect(styleProblems(css)).toHaveLength(1);
  });

  test('one that invalidates its whole rule is refused, and a single declaration is accepted', () => {
    expect(styleProblems('a,b:has(c){d:e}')).toEqual([expect.stringContaining('a,b:has(c)')]);
    expect(styleProblems('@media print{a:is(b,c),d{e:f}}')).toHaveLength(1);
    expect(styleProblems('a:is(b,c){d:e}b:has(c){d:e}')).toEqual([]);
  });

  test('is removed in the stand-in for the oldest browsers', () => {
    const css = 'a{inset:0;color:red}b:has(c){d:e}@media print{f{display:flex;gap:4px}g{display:grid;gap:4px}}';
    expect(asOldestReads(css)).toBe('a{color:red}@media print{f{display:flex}g{display:grid;gap:4px}}');
    expect(Object.values(unread).every(({ why }) => why.length > 10)).toBe(true);
  });
});
