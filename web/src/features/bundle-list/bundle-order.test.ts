import type { Bundle } from '@portal/domain/bundle.ts';
import { expect, test } from 'vitest';
import { bundleOrder } from './bundle-order.ts';

const bundle: Bundle = {
  name: 'Tselatra 1 GB',
  category: 'Internet',
  description: '1 GB, 7 days',
  data: '1',
  dataUnit: 'GB',
  validity: '7',
  amount: 5000,
  currency: 'MGA',
  productCode: 'D1G7',
  lineType: 'PREPAID',
};
const where = { redirectPage: '/data-bundle' };

test('BUN-4 an order contains the complete bundle', () => {
  expect(bundleOrder(bundle, { msisdn: '390000001', lineType: 'PREPAID' }, where)).toEqual({
    msisdn: '390000001',
    amount: 5000,
    currency: 'MGA',
    lineType: 'PREPAID',
    transactionType: 'PREPAID_BUNDLES',
    productCode: 'D1G7',
    description: '1 GB, 7 days',
    data: '1',
    dataUnit: 'GB',
    bundleInfo: { amount: 5000, lineType: 'PREPAID', description: '1 GB, 7 days', data: '1', dataUnit: 'GB' },
    redirectPage: '/data-bundle',
  });
});

test.each([
  ['POSTPAID', 'POSTPAID', 'POSTPAID_BUNDLES'],
  ['HYBRID', 'PREPAID', 'PREPAID_BUNDLES'],
  ['HYBRID', 'POSTPAID', 'POSTPAID_BUNDLES'],
] as const)('BUN-4 a %s number that buys a %s bundle makes %s', (lineType, sold, transactionType) => {
  const order = bundleOrder({ ...bundle, lineType: sold }, { msisdn: '390000002', lineType }, where);
  expect(order).toMatchObject({ transactionType, lineType });
});

test('a bundle without data has no data field, and the flow’s marker is kept', () => {
  const { data: _, dataUnit: __, ...calls } = bundle;
  const order = bundleOrder(
    { ...calls, voice: '60', voiceUnit: 'min' },
    { msisdn: '390000005', lineType: 'PREPAID' },
    { redirectPage: '/broadband-recharge', rechargeType: 'broadband' },
  );
  expect(order).not.toHaveProperty('data');
  expect(order.bundleInfo).not.toHaveProperty('data');
  expect(order.rechargeType).toBe('broadband');
});
