import { readdirSync, readFileSync } from 'node:fs';
import { readPackage } from '@portal/operators/content.ts';
import { expect, test } from 'vitest';
import { sayIn } from './say-in.ts';

const words: Record<string, string> = {
  'errors.Please enter correct OTP': 'Saisissez le bon code',
  'errors.Minimum amount should be {currency} {n}': 'Montant minimum : {currency} {n}',
  'errors.Please enter valid {brand} number': 'Numéro {brand} non valide',
};
const say = sayIn({ text: (_locale, key) => words[key] ?? key }, { brand: 'Fanilo', currency: 'MGA' });

test('a refusal is said in the language asked for, with its figures and the brand in their places', () => {
  expect(say('fr-FR', 'Please enter correct OTP')).toBe('Saisissez le bon code');
  expect(say('fr-FR', 'Minimum amount should be MGA 1,500')).toBe('Montant minimum : MGA 1,500');
  expect(say('fr-FR', 'Please enter valid Fanilo number')).toBe('Numéro Fanilo non valide');
});

test('what nobody has translated is said as it is', () => {
  expect(say('fr-FR', 'A sentence of 12 providers.')).toBe('A sentence of 12 providers.');
});

/** Read by programs, or by whoever made a request by hand. */
const notForCustomers = [
  'The amount is not one of this currency.',
  'The body must be JSON (content-type: application/json).',
  'The request holds characters that cannot be stored.',
  'The field data.payment is not valid.',
  'There is no configuration of that name.',
  'There is no such call.',
  'There is no such provider.',
  'This is not available yet.',
  'Too many callbacks.',
  'Too many reports.',
];

test('D15 every sentence that the server refuses with is there in each language', () => {
  const source = new URL('../', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const written = files.filter((file) => file.endsWith('.ts') && !file.includes('.test.'));
  const sentences = written.flatMap((file) =>
    [...readFileSync(new URL(file, source), 'utf8').matchAll(/PortalError\(\s*[^,]+,\s*'([^']+)'/g)].map(
      ([, said]) => said,
    ),
  );
  const told = [...new Set(sentences)].filter((said) => said !== undefined && !notForCustomers.includes(said));
  expect(told.length).toBeGreaterThan(40);
  for (const language of ['EN', 'FR', 'MG']) {
    const texts = readPackage('mg', language, 'translation') as Record<string, string>;
    expect(
      told.filter((said) => !texts[`errors.${said}`]),
      language,
    ).toEqual([]);
  }
});
