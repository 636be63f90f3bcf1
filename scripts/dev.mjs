import { continueWith, installWhenStale, requireNode20 } from './bootstrap.mjs';
import { requireFreePort } from './port.mjs';
import { endWith } from './progress.mjs';

try {
  requireNode20();
  await requireFreePort(process.env);
  await installWhenStale();
  continueWith('dev.ts');
} catch (error) {
  endWith(error);
}
