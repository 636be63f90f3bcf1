import { contract } from '@portal/contract/contract.ts';
import type { Bundle } from '@portal/domain/bundle.ts';
import { canSubmit } from '@portal/domain/lead/form-rules.ts';
import type { FormSchema } from '@portal/domain/lead/form-schema.ts';
import { formValuesOf } from '@portal/domain/lead/lead-form-values.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { readPackage } from '@portal/operators/content.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFeasible, leadBody, leadOrder, worksVisitOf } from './lead-order.ts';

const operator = publicPack(pack);
const schema = readPackage('mg', 'EN', 'lead-form-schema') as FormSchema;
const towns = [
  { cityName: 'Antananarivo', hbbLeadFeasibility: true },
  { cityName: 'Ambanja', hbbLeadFeasibility: false },
];
const plan = {
  productCode: 'H50G30',
  amount: 90_000,
  currency: 'MGA',
  description: '50 GB, 30 days',
  data: '50',
  dataUnit: 'GB',
} as Bundle;
const values = {
  fullName: 'Lova Rabe',
  contactNumber: '390000001',
  email: 'lova@example.mg',
  town: 'Antananarivo',
  installationAddress: 'Lot II 12 Analakely',
  landmark: '',
  consent: true,
};
const parts = { values, plan, point: { lat: -18.9, lng: 47.5 }, towns, lineType: 'PREPAID', works: null, operator };

test('LEA-4 the lead has everything the call takes, with country, reference and consent', () => {
  const body = leadBody(parts, 'proof');
  expect(contract.submitLead.body.safeParse(body).success).toBe(true);
  expect(body).toMatchObject({
    contactNumber: '0390000001',
    feasibility: true,
    address: { country: 'madagascar', type: 'INSTALLATION' },
    reference: 'ODU PURCHASE',
    source: 'WEBPORTAL',
    consent: true,
  });
});

test('LEA-5 feasibility depends on the town, in any case', () => {
  expect(isFeasible({ town: 'ANTANANARIVO' }, towns)).toBe(true);
  expect(isFeasible({ town: 'ambanja' }, towns)).toBe(false);
  expect(isFeasible({ town: 'Atlantis' }, towns)).toBe(false);
});

test('PAY-6 a sales visit is recognised by its URL, and changes source and payment mode', () => {
  const works = worksVisitOf({ isFaniloWorks: 'true', id: 'AW-7' }, operator);
  expect(works).toEqual({ id: 'AW-7' });
  expect(worksVisitOf({ isFaniloWorks: 'true', id: '<b>' }, operator)).toBeNull();
  expect(worksVisitOf({ id: 'AW-7' }, operator)).toBeNull();
  expect(leadBody({ ...parts, works }, 'proof')).toMatchObject({ source: 'HBB_ODU_AW', worksId: 'AW-7' });
  const paid = { leadId: 'HB1', redirectPage: '/' };
  expect(leadOrder({ ...parts, works }, paid)).toMatchObject({ transactionType: 'HBB_LEADS', flow: 'HBB_AIRTIME' });
  expect(leadOrder(parts, paid)).not.toHaveProperty('flow');
});

test('FRM-2 every field that the form accepts is parsed and validated alike by the server', () => {
  const word = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('Lova Rabe', '390000001', 'a@b.mg', '12345', '-- /', '<script>', 'Lot II 12', '  ', 'é à'),
  );
  const any = fc.record({
    fullName: word,
    contactNumber: word,
    email: word,
    town: fc.constantFrom('Antananarivo', 'Ambanja', ''),
    installationAddress: word,
    landmark: word,
    consent: fc.boolean(),
  });
  fc.assert(
    fc.property(any, (typed) => {
      const trimmed = Object.fromEntries(
        Object.entries(typed).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
      );
      const body = leadBody({ ...parts, values: typed }, 'proof');
      expect(canSubmit(schema, formValuesOf(body))).toBe(canSubmit(schema, trimmed));
      // The contract accepts everything that the form accepts.
      if (canSubmit(schema, trimmed)) expect(contract.submitLead.body.safeParse(body).success).toBe(true);
    }),
    { numRuns: 500 },
  );
});
