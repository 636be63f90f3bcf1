import { expect, test } from 'vitest';
import { en } from '../texts/en.ts';
import { personCsv, personJson, readableRows } from './person-export.ts';

const words = {
  sayOr: (key: string) => (en as Record<string, string>)[key] ?? key.split('.').slice(1).join(' '),
  time: (iso: string) => `<${iso.slice(0, 16)}>`,
  money: (amount: number, currency: string) => `${currency} ${amount}`,
  stateWords: (state: string, type = '') => `${state} of ${type}`,
};
const at = '2026-11-17T22:30:00.000Z';
const rows = readableRows(
  [
    {
      table: 'payments',
      at,
      values: {
        ...{ short_reference: 'ABCD2345', transaction_type: 'HBB_LEADS', amount: '90000', currency: 'MGA' },
        ...{ state: 'SUCCEEDED', msisdn_hash: 'p1.x', msisdn: '0390000001', visit: 'v1' },
      },
    },
    {
      table: 'leads',
      at,
      values: {
        status: 'PAID',
        address: '{"type":"INSTALLATION","street1":"Lot 1","landmark":"","city":"Ampefy","lat":null}',
      },
    },
    { table: 'form_entries', at, values: { data: '{"topic":"idea","message":"Dark mode, please"}' } },
  ],
  words,
);

test('what is handed to a person is called by words, with times and amounts as they are read', () => {
  expect(rows).toEqual([
    {
      kind: 'Payments',
      at: '<2026-11-17T22:30>',
      fields: [
        ['Reference', 'ABCD2345'],
        ['What was bought', 'home broadband'],
        ['Amount', 'MGA 90000'],
        ['State', 'SUCCEEDED of HBB_LEADS'],
        ['Number that gets it', '0390000001'],
      ],
      technical: [
        ['Fingerprint of the number', 'p1.x'],
        ['Browser', 'v1'],
      ],
    },
    expect.objectContaining({
      fields: [
        ['State', 'paid'],
        ['Address', 'Lot 1, Ampefy'],
      ],
    }),
    expect.objectContaining({
      fields: [['What was written', expect.stringMatching(/^About: .+\nMessage: Dark mode, please$/)]],
    }),
  ]);
});

test('in a file the technical fields are at the end, and nothing is left out', () => {
  const lines = personCsv(rows, ['Kind', 'When', 'Field', 'Value'], 'Technical').split('\r\n');
  expect(lines[0]).toBe('"Kind","When","Field","Value"');
  expect(lines.at(-1)).toBe('"Technical · Payments","<2026-11-17T22:30>","Browser","v1"');
  expect(lines).toHaveLength(11);
  expect(JSON.parse(personJson(rows, ['Kind', 'When'], 'Technical'))[0]).toEqual({
    ...{ Kind: 'Payments', When: '<2026-11-17T22:30>', Reference: 'ABCD2345', 'What was bought': 'home broadband' },
    ...{ Amount: 'MGA 90000', State: 'SUCCEEDED of HBB_LEADS', 'Number that gets it': '0390000001' },
    Technical: { 'Fingerprint of the number': 'p1.x', Browser: 'v1' },
  });
});
