import { expect, test } from 'vitest';
import { emailProblem, isEmail, mailboxOf, maskEmail } from './email.ts';

test.each([
  'client@example.mg',
  'a@b.co',
  'jean.paul_rakoto@mail.example.mg',
  'lova2024@example.mg',
  'first+tag@example.mg',
  'r-a@ex-ample.mg',
])('D16 %s is an address', (address) => {
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

test('an address may have 254 letters, and no more', () => {
  const ofLength = (length: number) => `a@${'b'.repeat(length - 5)}.mg`;
  expect(isEmail(ofLength(254))).toBe(true);
  expect(isEmail(ofLength(255))).toBe(false);
});

test('text after an address makes it invalid', () => {
  expect(isEmail('client@example.mg!')).toBe(false);
  expect(isEmail('client@example.mg bcc:x@example.mg')).toBe(false);
});

test('a masked address shows its first letter and its domain, and not how long it is when it is short', () => {
  expect(maskEmail('lova.rabe@example.mg')).toBe('l••••••••@example.mg');
  expect(maskEmail('lo@example.mg')).toBe('l•••@example.mg');
  expect(maskEmail('l@example.mg')).toBe('l•••@example.mg');
  expect(maskEmail('a@b@example.mg')).toBe('a•••@example.mg');
});

test('an invalid address is not shown at all', () => {
  expect(maskEmail('@example.mg')).toBe('');
  expect(maskEmail('lova')).toBe('');
});

test('SEC-19 addresses that a provider delivers to one person are one mailbox', () => {
  for (const same of ['v@example.mg', 'V+1@example.mg', 'v+bills+2@EXAMPLE.mg'])
    expect(mailboxOf(same), same).toBe('v@example.mg');
  for (const same of ['r.avo@gmail.com', 'ravo@gmail.com', 'Ra.vo+x@googlemail.com'])
    expect(mailboxOf(same), same).toBe('ravo@gmail.com');
  expect(mailboxOf('r.avo@example.mg')).toBe('r.avo@example.mg');
  expect(mailboxOf('v@example.com')).not.toBe(mailboxOf('v@example.mg'));
});
