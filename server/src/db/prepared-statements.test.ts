import { expect, test } from 'vitest';
import { plannedOnce } from './prepared-statements.ts';

test('a statement keeps its name, and another statement gets another', () => {
  const [first] = plannedOnce(['select id from payments where id = $1', ['a']]) as [{ name: string }];
  const [again] = plannedOnce(['select id from payments where id = $1', ['b']]) as [{ name: string }];
  const [other] = plannedOnce(['select state from payments where id = $1', ['a']]) as [{ name: string }];
  expect(first).toMatchObject({ text: 'select id from payments where id = $1', values: ['a'] });
  expect(again.name).toBe(first.name);
  expect(other.name).not.toBe(first.name);
});

test.each([
  ['all columns', ['select * from payments where id = $1', ['a']]],
  ['all columns of one', ['select "payments".*, count(*) from payments where id = $1', ['a']]],
  ['all columns of what changed', ['update payments set due_at = $1 returning *', [1]]],
  ['nothing given', ['begin', []]],
  ['no values', ['create table a (b int); create table c (d int)']],
])('%s: it is sent without a name', (_what, parameters) => {
  expect(plannedOnce(parameters)).toBe(parameters);
});

test('count(*) is not taken for all columns', () => {
  expect(plannedOnce(['select count(*) from payments where state = $1', ['a']])[0]).toHaveProperty('name');
});

test('the number of names is limited', () => {
  const named = Array.from({ length: 1_000 }, (_, index) => plannedOnce([`select ${index} where $1`, [true]]));
  expect(named.filter(([first]) => typeof first === 'object').length).toBeLessThan(400);
});
