import { expect, test } from 'vitest';
import { addressQueries } from './address-queries.ts';
import { formValuesOf, holdsMarkup, leadFieldPaths } from './lead-form-values.ts';
import { isLater } from './lead-status.ts';
import { townNamed } from './towns.ts';

test('LEA-3 an address is geocoded with its town, then the landmark, then the town alone', () => {
  expect(addressQueries({ address: ' Lot 12 ', landmark: 'School', town: 'Toamasina' })).toEqual([
    'Lot 12, Toamasina',
    'School, Toamasina',
    'Toamasina',
  ]);
  expect(addressQueries({ address: '', landmark: ' ', town: 'Toamasina' })).toEqual(['Toamasina']);
});

test('LEA-5 a town is matched in any case, and only if it is listed', () => {
  const towns = [{ cityName: 'Nosy Be', hbbLeadFeasibility: true }];
  expect(townNamed(' NOSY be', towns)).toBe(towns[0]);
  expect(townNamed('Nosy', towns)).toBeUndefined();
});

test('a lead only goes forward', () => {
  expect(isLater('PAID', 'SUBMITTED')).toBe(true);
  expect(isLater('SCHEDULED', 'NOT_FEASIBLE')).toBe(true);
  expect(isLater('PAID', 'INSTALLED')).toBe(false);
  expect(isLater('CLOSED', 'CLOSED')).toBe(false);
});

test('markup is detected anywhere, and a lead converts back to its form', () => {
  expect(['<b>', 'a>b', 'a < b'].every(holdsMarkup)).toBe(true);
  expect(holdsMarkup("Lot II 12, Rue d'Alger")).toBe(false);
  const address = { city: 'Toamasina', street1: 'Lot 12' };
  const lead = { fullName: 'Lova', contactNumber: '0390000001', email: 'a@b.mg', consent: true, address } as const;
  expect(formValuesOf(lead)).toEqual({
    fullName: 'Lova',
    contactNumber: '390000001',
    email: 'a@b.mg',
    town: 'Toamasina',
    installationAddress: 'Lot 12',
    landmark: '',
    consent: true,
  });
});

test('each form field has a path in the lead, so that an error is shown beside the right one', () => {
  expect(leadFieldPaths).toEqual({
    fullName: 'fullName',
    contactNumber: 'contactNumber',
    email: 'email',
    town: 'address.city',
    installationAddress: 'address.street1',
    landmark: 'address.landmark',
    consent: 'consent',
  });
});

test('queries are trimmed', () => {
  expect(addressQueries({ address: 'Lot 12', landmark: '', town: ' Toamasina ' })).toEqual([
    'Lot 12, Toamasina',
    'Toamasina',
  ]);
});
