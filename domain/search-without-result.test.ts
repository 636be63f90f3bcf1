import { expect, test } from 'vitest';
import { searchedWords } from './search-without-result.ts';

test.each([
  ['  eSIM ', 'esim'],
  ['E-SIM,  iPhone!', 'e-sim iphone'],
  ['Crédit  échoué', 'crédit échoué'],
  ['5g', '5g'],
  ['<script>', 'script'],
])('%j is stored as %j', (typed, kept) => expect(searchedWords(typed)).toBe(kept));

test.each([
  '039 00 007 07',
  '+261390000707',
  'call 0390',
  'lova@example.mg',
  'lova @ example',
  'PA2000000123',
  'x',
  '',
  '   ',
  '---',
  '123',
  'my name is Lova Rabe from Ampefy',
  'a'.repeat(41),
])('%j is not stored', (typed) => expect(searchedWords(typed)).toBeNull());
