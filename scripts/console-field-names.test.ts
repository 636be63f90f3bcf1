import { expect, test } from 'vitest';
import { en } from '../console/src/texts/en.ts';
import { fr } from '../console/src/texts/fr.ts';
import { mg } from '../console/src/texts/mg.ts';
import { packageNames, readPackage } from '../operators/content.ts';

const packages = (['mg', 'cd', 'ng'] as const).flatMap((pack) =>
  packageNames(pack, pack === 'cd' ? 'FR' : 'EN').map((name) => ({
    name,
    body: readPackage(pack, pack === 'cd' ? 'FR' : 'EN', name),
  })),
);

function keysIn(body: unknown): string[] {
  if (Array.isArray(body)) return body.flatMap(keysIn);
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => [key, ...keysIn(value)]);
}

const all = new Set(packages.flatMap(({ body }) => keysIn(body)));

test.each(Object.entries({ en, fr, mg }))('in %s every field of a package is called by words', (_language, texts) => {
  const wanted = [...all].map((key) => (key.includes('.') ? `textGroup.${key.split('.')[0]}` : `field.${key}`));
  const missing = [...new Set(wanted)].filter((key) => !(key in texts));
  expect(missing).toEqual([]);
  const named = packages.filter(({ name }) => !(`contentName.${name}` in texts));
  expect(named.map(({ name }) => name)).toEqual([]);
});
