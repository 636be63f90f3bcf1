import { expect, test } from 'vitest';
import { type Manifest, sizeRows } from './check-size.ts';

const manifest: Manifest = {
  'entry.tsx': {
    file: 'entry.js',
    isEntry: true,
    imports: ['_react.js'],
    dynamicImports: ['help.screen.tsx', 'map.ts'],
    css: ['entry.css'],
  },
  '_react.js': { file: 'react.js' },
  'help.screen.tsx': {
    file: 'help.js',
    imports: ['_react.js', '_form.js'],
    dynamicImports: ['vote.tsx'],
    css: ['help.css'],
  },
  'vote.tsx': { file: 'vote.js', imports: ['_form.js'] },
  'map.ts': { file: 'assets/map.js', imports: ['_form.js'] },
  '_form.js': { file: 'form.js', imports: ['_react.js'] },
};
const sizes: Record<string, number> = {
  'entry.js': 10,
  'react.js': 60_000,
  'help.js': 3,
  'help.css': 4,
  'vote.js': 2,
  'form.js': 500,
  'assets/map.js': 40_000,
  'entry.css': 9,
};

test('the entry is counted with its imports, a lazy chunk with what it adds, a part of a screen to its screen', () => {
  expect(sizeRows(manifest, (file) => sizes[file] ?? Number.NaN)).toEqual([
    { name: 'entry.tsx', bytes: 60_010, limit: 72_000 },
    { name: 'help.screen.tsx', bytes: 507, limit: 25_000 },
    { name: 'map.ts', bytes: 40_500, limit: 60_000 },
    { name: 'vote.tsx', bytes: 2, limit: 25_000 },
  ]);
});
