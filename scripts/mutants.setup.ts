import { afterAll } from 'vitest';

/** Modules that the next run is the first to load must be loaded as they are, without the mutant of this one. */
afterAll(() => {
  const { __stryker__: stryker } = globalThis as { __stryker__?: { activeMutant?: string | undefined } };
  if (stryker) stryker.activeMutant = undefined;
});
