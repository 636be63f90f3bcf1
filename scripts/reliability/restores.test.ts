import { expect, test } from 'vitest';
import { runRestore } from './restores.ts';

test('REL-11 (quick form: point-in-time recovery; a promoted standby, a copied disk and ten killed restores by npm run restores) a restored past is detected, and nothing is taken, delivered or refunded twice', async () => {
  const { epochs, problems } = await runRestore('recovered');
  expect(problems.join('\n')).toBe('');
  expect(epochs.some(({ is_restored }) => is_restored)).toBe(true);
});
