import { afterAll, beforeEach } from 'vitest';

/** Switches the mutant off, so that modules first loaded by the next run are loaded unmutated. */
afterAll(() => {
  const { __stryker__: stryker } = globalThis as { __stryker__?: { activeMutant?: string | undefined } };
  if (stryker) stryker.activeMutant = undefined;
});

/** These wait for ten seconds or more, and quicker tests kill the same mutants. */
const slow = [
  '50 process calls in three processes are one call to the provider, over and over',
  '390000013 ends as SUCCESS',
  'money taken for what cannot be delivered goes back',
  'an invoice is paid whole, once, and not after it was paid elsewhere',
];
beforeEach(({ task, skip }) => {
  if (slow.some((words) => task.name.endsWith(words))) skip();
});
