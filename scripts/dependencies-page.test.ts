import { expect, test } from 'vitest';
import { readLock, shippedDependencies } from './dependencies-page.ts';

/** Each may be used, changed and passed on beside our own licence. */
const allowed = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Unlicense',
];

test('every shipped licence is allowed', () => {
  const shipped = shippedDependencies(readLock());
  expect(shipped.length).toBeGreaterThan(50);
  for (const name of ['fastify', 'react', 'pg', 'leaflet']) expect(shipped.map((each) => each.name)).toContain(name);
  const isAllowed = (licence: string) =>
    licence
      .replace(/[()]/g, '')
      .split(' OR ')
      .some((each) => allowed.includes(each));
  expect(shipped.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

test('packages are resolved as Node does, and development tools are excluded', () => {
  const lock = {
    server: { dependencies: { a: '1', b: '1' } },
    'node_modules/a': { version: '1.0.0', license: 'MIT', dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', license: 'ISC' },
    'node_modules/b': { version: '1.0.0', license: 'MIT' },
    'node_modules/tool': { version: '1.0.0', license: 'GPL-3.0' },
  };
  expect(shippedDependencies(lock).map(({ name, version }) => `${name} ${version}`)).toEqual([
    'a 1.0.0',
    'b 1.0.0',
    'b 2.0.0',
  ]);
});
