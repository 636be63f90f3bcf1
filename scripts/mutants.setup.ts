import { afterAll, beforeEach } from 'vitest';
import { slowTests } from './mutants.slow.ts';

/** Switches the mutant off, so that modules first loaded by the next run are loaded unmutated. */
afterAll(() => {
  const { __stryker__: stryker } = globalThis as { __stryker__?: { activeMutant?: string | undefined } };
  if (stryker) stryker.activeMutant = undefined;
});

beforeEach(({ task, skip }) => {
  if (slowTests.some((words) => task.name.endsWith(words))) skip();
});
