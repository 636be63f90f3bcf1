import { expect, test } from 'vitest';
import { placesWith } from './package-search.ts';

test('sentences that people read are found before ids, and those before names of fields', () => {
  const body = {
    links: [{ id: 'refund', note: 'See below' }],
    refund: 'x',
    questions: [{ id: 'when', question: 'When is my refund here?' }],
  };
  const found = placesWith([{ body }], (place) => place.join(' '), 'refund', false);
  expect(found.map(([name]) => name)).toEqual(['questions[0].question', 'links[0].id', 'refund']);
});

test('what is missing in a language is found', () => {
  const pages = [{ body: { a: 'one', b: 'two' } }, { body: { a: 'un', b: '' } }];
  expect(placesWith(pages, String, '', true).map(([name]) => name)).toEqual(['b']);
});
