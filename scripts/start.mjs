import { continueWith, installWhenStale, requireNode20 } from './bootstrap.mjs';
import { requireFreePort } from './port.mjs';
import { endWith } from './progress.mjs';

try {
  requireNode20();
  await requireFreePort(process.env);
  await installWhenStale();
  continueWith('run.ts');
} catch (error) {
  endWith(error);
}
