import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('D19 a requested theme has the same colours as the phone’s preference, and light overrides dark', async () => {
  const css = await readFile(new URL('../ui/tokens.css', import.meta.url), 'utf8');
  const valuesOf = (start: string) => {
    const [, block = ''] = css.split(start);
    return [...(block.split('}')[0] ?? '').matchAll(/(--[\w-]+): (.*);/g)].map(([, name, value]) => [name, value]);
  };
  const preferred = valuesOf('@media (prefers-color-scheme: dark) {\n  :root:not([data-theme="light"]) {');
  expect(preferred.length).toBeGreaterThan(20);
  expect(valuesOf('\n:root[data-theme="dark"] {')).toEqual(preferred);
});
