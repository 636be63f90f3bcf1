import { expect, test } from 'vitest';
import { mentions, personalTables } from './persons.store.ts';

const number = { kind: 'number', value: '0390000123' } as const;
const email = { kind: 'email', value: 'rasoa@example.mg' } as const;

test.each(['390000123', '0390000123', '+261390000123', '261 39 00 001 23', 'call me: 039 00 001 23.', 'M4-390000123'])(
  'a number is found as people and providers write it: %s',
  (text) => {
    expect(mentions(number).test(text)).toBe(true);
  },
);

test.each(['3900001234', '0390000124', '39000012', '120390000123456'])('another number is not: %s', (text) => {
  expect(mentions(number).test(text)).toBe(false);
});

test('an email is found in any case and within text, and is no part of another one', () => {
  for (const text of ['Rasoa@Example.mg', 'from <rasoa@example.mg>, today'])
    expect(mentions(email).test(text)).toBe(true);
  for (const text of ['rasoa@example.mga', 'x.rasoa@example.mg', 'rasoaXexample.mg'])
    expect(mentions(email).test(text), text).toBe(false);
});

test('every table of the list that names somebody is searched', () => {
  for (const table of ['payments', 'codes', 'proofs', 'callbacks', 'form_entries', 'leads', 'approvals'])
    expect(personalTables).toContain(table);
  expect(personalTables).not.toContain('ledger_postings');
});
