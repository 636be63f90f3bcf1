import { permissions } from '@portal/contract/console/permissions.ts';
import * as errorCodes from '@portal/contract/error-codes.ts';
import { expect, test } from 'vitest';
import { en } from './en.ts';
import { fr } from './fr.ts';
import { mg } from './mg.ts';

const languages = Object.entries({ en, fr, mg });

test.each(languages)('in %s every error that can end a flow has a text', (_language, texts) => {
  const wanted = [...Object.values(errorCodes).map(String), 'SUCCESS', 'FAILED', 'OFFLINE', 'TIMEOUT', 'UNKNOWN'];
  expect(wanted.filter((code) => !(`flowOutcome.${code}` in texts))).toEqual([]);
});

test.each(languages)('in %s every role that a permission names has a text', (_language, texts) => {
  for (const role of new Set(Object.values(permissions).flat())) expect(texts).toHaveProperty([`role.${role}`]);
});
