import { parseArgs } from 'node:util';
import { continueWith, installWhenStale, requireNode20 } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

try {
  requireNode20();
  await installWhenStale();
  // A file, a folder or words of a title: these tests alone. Anything else is for the whole check.
  const { positionals } = parseArgs({ options: { only: { type: 'string' } }, allowPositionals: true, strict: false });
  continueWith(positionals.length > 0 ? 'test-one.ts' : 'check.ts');
} catch (error) {
  endWith(error);
}
