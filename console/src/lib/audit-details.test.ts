import { auditDetails } from '@portal/contract/console/acts.ts';
import { expect, test } from 'vitest';
import { en } from '../texts/en.ts';
import { fr } from '../texts/fr.ts';
import { mg } from '../texts/mg.ts';
import { detailsOf } from './audit-details.ts';

test('before and after of an action are compared, without unchanged values and without a currency of its own', () => {
  expect(detailsOf({ version: 2, roles: ['care'] }, { version: 3, roles: ['care'], proposal: 'p' })).toEqual([
    { name: 'version', before: 2, after: 3 },
    { name: 'proposal', before: undefined, after: 'p' },
  ]);
  expect(detailsOf(null, { amount: 5, currency: 'MGA' })).toEqual([{ name: 'amount', before: undefined, after: 5 }]);
  expect(detailsOf(null, null)).toEqual([]);
});

test.each(Object.entries({ en, fr, mg }))(
  'whatever an act says of before and after has words in %s',
  (_name, texts) => {
    expect(auditDetails.filter((name) => !texts[`detail.${name}`])).toEqual([]);
  },
);
