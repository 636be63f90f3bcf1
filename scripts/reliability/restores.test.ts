import { expect, test } from 'vitest';
import { runRestore } from './restores.ts';

test('REL-11 (quick form: point-in-time recovery; a promoted standby, a copied disk and ten killed restores by npm run restores) a past that comes back is noticed, and nothing is taken, delivered or given back twice', async () => {
  const { epochs, problems } = await runRestore('recovered');
  expect(problems.join('\n')).toBe('');
  expect(epochs.some(({ is_restored }) => is_restored)).toBe(true);
});
