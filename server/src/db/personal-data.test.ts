import { createDecipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  beginningOf,
  openColumns,
  PersonalData,
  type SealedTableName,
  sealColumns,
  sealedTables,
  UnreadableValue,
  withoutPersons,
} from './personal-data.ts';

const key = (id: string, secret = `${id} `.repeat(20)) => ({ id, secret });
const dataOf = (...keys: { id: string; secret: string }[]) => new PersonalData({ keys, secret: 'of the portal' });

/** A row of every sealed table, as its store passes it in. */
const rows: Record<SealedTableName, Record<string, unknown>> = {
  payments: {
    id: 'p1',
    msisdn: '0390000001',
    payer_msisdn: '0390000002',
    email: 'Client@example.mg',
    account_id: 'PA1000000001',
    invoice_number: 'INV-1',
    provider_reference: 'ws_CO_1390000002',
    continuation: '{"redirectUrl":"https://pay.example/1"}',
    details: '{"item":{"kind":"bill","accountNo":"PA1000000001","billNo":"INV-1"},"lineType":"POSTPAID"}',
  },
  idempotency_keys: { operation: 'initiate', key: 'k1', body_hash: 'ab12' },
  codes: {
    id: 'c1',
    subject: '0390000001',
    recipient: 'a@example.mg',
    payment: '{"digest":"d","payee":"39 00 000 01"}',
  },
  proofs: { digest: 'd1', subject: '0390000001', payment: 'of a payment' },
  callbacks: { provider: 'wallet', digest: 'd1', headers: '{"date":"today"}', body: Buffer.from([0, 255, 39, 128]) },
  form_entries: { id: 'f1', email: 'a@example.mg', data: '{"message":"é 🙂"}' },
  approvals: { id: 'a1', about: '0390000001' },
  ticket_messages: { id: 'K7QM2XRD.1', text: 'Where is my money? 0390000001' },
  lead_notes: { id: 'HB00.1', text: 'Call 0390000001 on Monday' },
  leads: {
    id: 'l1',
    full_name: 'Rasoa',
    contact_number: '0390000001',
    email: 'a@example.mg',
    address: '{"city":"antananarivo"}',
    source: 'WEBPORTAL',
    reference: 'ODU',
    works_id: 'W1',
    body_digest: 'ab12',
  },
};
const tables = Object.keys(sealedTables) as SealedTableName[];

/** The row as the database returns it. */
const read = (table: SealedTableName, stored: Record<string, unknown>) => {
  const columns: Record<string, unknown> = sealedTables[table].columns;
  return Object.fromEntries(
    Object.entries(stored).map(([column, value]) => [
      column,
      column in columns && columns[column] !== 'text' && columns[column] !== 'bytes'
        ? JSON.parse(String(value))
        : value,
    ]),
  );
};
const stored = (data: PersonalData, table: SealedTableName, row = rows[table]) =>
  read(table, sealColumns(data, table, row, row));

describe('SEC-26 a sealed row', () => {
  test.for(tables)('of %s opens to what was written, and every listed column is encrypted', (table) => {
    const data = dataOf(key('a'));
    const row = rows[table];
    expect(Object.keys(row).sort()).toEqual(
      [...sealedTables[table].row, ...Object.keys(sealedTables[table].columns)].sort(),
    );
    const sealed = stored(data, table);
    for (const column of Object.keys(sealedTables[table].columns)) {
      expect(sealed[column]).not.toEqual(read(table, row)[column]);
      expect(String(column === 'details' ? JSON.stringify(sealed[column]) : sealed[column])).toMatch(
        /v1\.a\.[\w-]{38,}/,
      );
    }
    expect(openColumns(data, table, row, sealed)).toEqual(read(table, row));
  });

  test('leaves in clear only what SQL queries, and empty values', () => {
    const data = dataOf(key('a'));
    const sealed = stored(data, 'payments', { ...rows.payments, email: null, msisdn: '' });
    expect(sealed).toMatchObject({ email: null, msisdn: '', email_hash: null, msisdn_hash: null });
    expect(sealed.details).toMatchObject({ item: { kind: 'bill' }, lineType: 'POSTPAID' });
    expect(JSON.stringify(sealed.details)).not.toMatch(/PA1000000001|INV-1/);
  });

  test('differs each time, so that equal numbers cannot be recognised as equal', () => {
    const data = dataOf(key('a'));
    expect(data.seal('payments.msisdn\np1', '0390000001')).not.toBe(data.seal('payments.msisdn\np1', '0390000001'));
  });

  test.for(tables)('of %s cannot be opened in another row or column', (table) => {
    const data = dataOf(key('a'));
    const row = rows[table];
    const sealed = stored(data, table);
    const other = { ...row, [sealedTables[table].row[0]]: 'another' };
    for (const column of Object.keys(sealedTables[table].columns)) {
      expect(() => openColumns(data, table, other, { [column]: sealed[column] }), column).toThrow(UnreadableValue);
      for (const [place, as] of Object.entries(sealedTables[table].columns)) {
        if (place === column || typeof as === 'object' || column === 'details') continue;
        const moved = as === 'bytes' ? Buffer.from(String(sealed[column])) : String(sealed[column]);
        expect(() => openColumns(data, table, row, { [place]: moved }), `${column} in ${place}`).toThrow(
          UnreadableValue,
        );
      }
    }
  });

  test('does not open after any one letter was changed', () => {
    const data = dataOf(key('a'));
    const sealed = data.seal('payments.msisdn\np1', '0390000001');
    const from = 'v1.a.'.length;
    for (let index = from; index < sealed.length; index += 1) {
      // Some bits of the last base64 letter are padding.
      const letter = sealed[index] === 'A' ? 'Q' : 'A';
      const altered = `${sealed.slice(0, index)}${letter}${sealed.slice(index + 1)}`;
      expect(() => data.openText('payments.msisdn\np1', altered), `letter ${index}`).toThrow(UnreadableValue);
    }
    data.takesClear = false;
    for (const cut of [sealed.slice(0, -1), sealed.slice(0, 20), sealed.slice(1)])
      expect(() => data.openText('payments.msisdn\np1', cut)).toThrow(UnreadableValue);
  });

  test('is AES-256-GCM under a key derived from the configured secret', () => {
    const secret = 'x'.repeat(32);
    const sealed = dataOf(key('a', secret)).seal('place', 'text');
    const bytes = Buffer.from(sealed.split('.')[2] ?? '', 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12)).setAAD(Buffer.from('place'));
    decipher.setAuthTag(bytes.subarray(-16));
    decipher.update(bytes.subarray(12, -16));
    expect(() => decipher.final()).toThrow();
    expect(bytes).toHaveLength(12 + 'text'.length + 16);
  });
});

describe('SEC-26 keys', () => {
  test('the first one encrypts, all of them decrypt, and the error for a missing key names only the column', () => {
    const old = dataOf(key('old'));
    const sealed = old.seal('leads.email\nl1', 'a@example.mg');
    const both = dataOf(key('new'), key('old'));
    expect(both.openText('leads.email\nl1', sealed)).toBe('a@example.mg');
    expect(both.seal('leads.email\nl1', 'a@example.mg')).toMatch(/^v1\.new\./);
    expect(() => dataOf(key('new')).openText('leads.email\nl1', sealed)).toThrow(
      /^leads\.email is under a key that is not configured$/,
    );
    expect(() => dataOf(key('old', 'another secret')).openText('leads.email\nl1', sealed)).toThrow(UnreadableValue);
  });

  test('hashes are keyed, one for each key, equal for the same person, and different for each kind', () => {
    const both = dataOf(key('new'), key('old'));
    const hashes = both.hashes('number', '0390000001');
    expect(hashes).toEqual([
      ...dataOf(key('new')).hashes('number', '0390000001'),
      ...dataOf(key('old')).hashes('number', '0390000001'),
    ]);
    expect(
      new Set([...hashes, ...both.hashes('invoice', '0390000001'), ...both.hashes('number', '0390000002')]).size,
    ).toBe(6);
    expect(both.hashes('email', 'Client@Example.mg')).toEqual(both.hashes('email', 'client@example.mg'));
    for (const hash of hashes) expect(hash).toMatch(/^[\w-]{22}$/);
    expect([both.hashes('number', null), both.hashes('number', '')]).toEqual([[], []]);
  });

  test('a value in clear is read until the database is fully encrypted, and refused afterwards', () => {
    const data = dataOf(key('a'));
    expect(data.openText('payments.msisdn\np1', '0390000001')).toBe('0390000001');
    expect(data.openJson('leads.address\nl1', { city: 'x' })).toEqual({ city: 'x' });
    data.takesClear = false;
    expect(() => data.openText('payments.msisdn\np1', '0390000001')).toThrow('payments.msisdn is in clear');
    expect(() => data.openJson('leads.address\nl1', { city: 'x' })).toThrow(UnreadableValue);
    expect(() => data.openBytes('callbacks.body\nw\nd', Buffer.from('{}'))).toThrow(UnreadableValue);
  });
});

test('SEC-26 numbers and emails are removed from texts that are kept for ever, and the rest stays', () => {
  expect(withoutPersons('called 034 12 345 67 (+261341234567), wrote to a.b@example.mg, receipt MP12, HTTP 500')).toBe(
    'called # (#), wrote to # receipt MP12, HTTP 500',
  );
});

test('a list shows how a text begins, cut between words, with numbers masked before it is cut', () => {
  expect(beginningOf('Short\nand whole')).toBe('Short and whole');
  const words = 'I paid twice and got it once, so please look at it and then call me back at noon on 034 12 345 67.';
  expect(beginningOf(words)).toBe('I paid twice and got it once, so please look at it and then call me back at…');
  // A number in the place of the cut leaves no digits.
  expect(beginningOf(`${'x'.repeat(74)} 034 12 345 67`)).not.toMatch(/\d/);
});
