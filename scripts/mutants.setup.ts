import { afterAll, beforeEach } from 'vitest';

/** Modules that the next run is the first to load must be loaded as they are, without the mutant of this one. */
afterAll(() => {
  const { __stryker__: stryker } = globalThis as { __stryker__?: { activeMutant?: string | undefined } };
  if (stryker) stryker.activeMutant = undefined;
});

/** They wait for ten seconds and more, and a mutant that they would notice is noticed by quicker ones. */
const slow = [
  '50 process calls in three processes are one call to the provider, over and over',
  '390000013 ends as SUCCESS',
  'money taken for what cannot be delivered goes back',
  'an invoice is paid whole, once, and not after it was paid elsewhere',
];
beforeEach(({ task, skip }) => {
  if (slow.some((words) => task.name.endsWith(words))) skip();
});
