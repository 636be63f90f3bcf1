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
