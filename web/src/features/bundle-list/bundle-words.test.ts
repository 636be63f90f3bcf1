import type { Bundle } from '@portal/domain/bundle.ts';
import { readPackage } from '@portal/operators/content.ts';
import { expect, test } from 'vitest';
import { type Texts, translator } from '../../lib/translate.ts';
import { bundleWords } from './bundle-words.ts';

const wordsIn = (language: string) =>
  bundleWords(translator(readPackage('mg', language, 'translation') as Texts), (amount) => String(amount));
const words = wordsIn('EN');

test('BUN-1 validity in words: -1 is Unlimited, a day is one, a missing period is Others', () => {
  expect(words.validity({ validity: '-1' })).toBe('Unlimited');
  expect(words.validity({ validity: '1', validityUnit: 'DAYS' })).toBe('1 day');
  expect(words.validity({ validity: '30', validityUnit: 'DAYS' })).toBe('30 days');
  expect(words.validity({ validity: '24', validityUnit: 'HOURS' })).toBe('24 hours');
  expect(words.validity({ validity: '2', validityUnit: 'seasons' })).toBe('2 seasons');
  expect(words.period(undefined)).toBe('Others');
  expect(words.period('Others')).toBe('Others');
  expect(wordsIn('FR').period(undefined)).toBe('Autres');
  expect(wordsIn('FR').validity({ validity: '30', validityUnit: 'DAYS' })).toBe('30 jours');
});

test('BUN-3 each content of a bundle has its unit', () => {
  const bundle = { data: '1.5', dataUnit: 'GB', voice: '60', voiceUnit: 'min', sms: '50' } as Bundle;
  expect(words.facts(bundle).map(({ label, value }) => `${label} ${value}`)).toEqual([
    'Data 1.5 GB',
    'Calls 60 min',
    'SMS 50',
  ]);
  expect(words.facts({ data: '-1', dataUnit: '' } as Bundle)[0]?.value).toBe('Unlimited');
  expect(words.facts({ data: 'Illimité', dataUnit: '' } as Bundle)[0]?.value).toBe('Illimité');
  expect(words.headline(bundle)).toBe('1.5 GB');
  expect(words.headline({ sms: '50' } as Bundle)).toBe('50 SMS');
});

test('D1 BUN-3 what has no limit is told in the language of the page, and a validity in its own gender', () => {
  const unlimited = { data: 'Unlimited', dataUnit: '', voice: '-1' } as Bundle;
  const said = (language: string) => [
    wordsIn(language).validity({ validity: '-1' }),
    ...wordsIn(language)
      .facts(unlimited)
      .map(({ value }) => value),
  ];
  expect(said('EN')).toEqual(['Unlimited', 'Unlimited', 'Unlimited']);
  expect(said('FR')).toEqual(['Illimitée', 'Illimité', 'Illimité']);
  expect(said('MG')).toEqual(['Tsy voafetra', 'Tsy voafetra', 'Tsy voafetra']);
});

test('hours of use in words', () => {
  expect(words.hours('22:00-06:00')).toBe('Only 22:00 to 06:00');
  expect(words.hours(undefined)).toBeNull();
});

test('a description that only repeats the contents is recognised in any order and spacing', () => {
  const bundle = {
    data: '20',
    dataUnit: 'GB',
    voice: '1000',
    voiceUnit: 'min',
    sms: '50',
    validity: '30',
    validityUnit: 'DAYS',
  } as Bundle;
  const repeated = (description: string, own = words) => own.isRepeated({ ...bundle, description });
  expect(repeated('20 GB + 1,000 min + 50 SMS, 30 days')).toBe(true);
  expect(repeated('30 days: 20 GB, 1000 min, 50 SMS')).toBe(true);
  expect(repeated('20 GB + 1 000 min + 50 SMS, 30 jours', wordsIn('FR'))).toBe(true);
  expect(repeated('20 GB for nights, 30 days')).toBe(false);
  expect(repeated('25 GB, 30 days')).toBe(false);
});

test('a name that tells all that is inside is known as one', () => {
  const bundle = { data: '1', dataUnit: 'GB', voice: '1000', voiceUnit: 'min', sms: '50' } as Bundle;
  const named = (name: string) => words.isNamed({ ...bundle, name });
  expect(named('Miaraka 1 GB + 1,000 min + 50 SMS')).toBe(true);
  expect(named('Miaraka 1 GB + 1000 min')).toBe(false);
  expect(named('For students')).toBe(false);
});
