import { expect, test } from 'vitest';
import { emailProblem, isEmail } from './email.ts';

test.each([
  'client@example.mg',
  'a@b.co',
  'jean.paul_rakoto@mail.example.mg',
  'lova2024@example.mg',
  'first+tag@example.mg',
  'r-a@ex-ample.mg',
])('%s is an address', (address) => {
  expect(isEmail(address)).toBe(true);
});

test.each([
  '',
  'client',
  'client@',
  '@example.mg',
  'client@example',
  'client@example.m',
  'client@example.m1',
  'a b@example.mg',
  'a@b@example.mg',
  '.a@example.mg',
  'a@.mg',
  'a@example..mg',
  `${'a'.repeat(250)}@b.mg`,
])('%j is not', (address) => {
  expect(isEmail(address)).toBe(false);
});

test('a hostile address is refused quickly', () => {
  expect(isEmail(`${'a.'.repeat(120)}!`)).toBe(false);
  expect(isEmail(`a@${'a.'.repeat(120)}!`)).toBe(false);
});

test('missing and invalid are told apart', () => {
  expect(emailProblem('  ')).toBe('missing');
  expect(emailProblem('nobody')).toBe('invalid');
  expect(emailProblem(' client@example.mg ')).toBeNull();
});
