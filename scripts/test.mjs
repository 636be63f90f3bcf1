import { continueWith, installWhenStale, requireNode20 } from './bootstrap.mjs';
import { endWith } from './progress.mjs';

try {
  requireNode20();
  await installWhenStale();
  continueWith('check.ts');
} catch (error) {
  endWith(error);
}
