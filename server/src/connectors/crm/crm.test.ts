import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { HttpClient } from '../http-client.ts';
import type { Delivery, HandedLead, LeadReceiver } from '../ports.ts';
import { crmLeadReceiver } from './index.ts';
import { readOrders, readStage } from './messages.ts';

const http = new HttpClient();
let sandbox: Sandbox;
let phone: PhoneClient;
let receiver: LeadReceiver;
const settings = () => ({
  url: `${sandbox.http}/crm`,
  keyId: 'sandbox-crm-key',
  secret: 'sandbox-crm-secret',
  digits: 0,
});

beforeAll(async () => {
  sandbox = await startSandbox();
  phone = new PhoneClient(sandbox.http);
  receiver = crmLeadReceiver(http, settings());
});
afterAll(async () => {
  await http.close();
  await sandbox.stop();
});
beforeEach(() => phone.post('/reset'));

const lead: HandedLead = {
  id: 'HB1',
  fullName: 'Lova Rabe',
  contactNumber: '0390000001',
  email: 'lova@example.mg',
  isFeasible: true,
  address: { city: 'Antananarivo', street: 'Lot II 12', landmark: '', country: 'madagascar', lat: -18.9, lng: 47.5 },
  plan: { code: 'H50G30', description: '50 GB, 30 days', amount: 90_000, currency: 'MGA' },
  source: 'WEBPORTAL',
  reference: 'ODU PURCHASE',
  worksId: null,
  createdAt: new Date('2026-03-02T08:00:00Z'),
};
const delivery: Delivery = {
  reference: 'payment-1',
  msisdn: '0390000001',
  amount: 90_000,
  currency: 'MGA',
  item: { kind: 'order', leadId: 'HB1', productCode: 'H50G30' },
};

describe('leads', () => {
  test('a lead handed over twice is one lead, and its stage can be queried', async () => {
    const first = await receiver.hand(lead);
    expect(first).toEqual({ kind: 'accepted', reference: expect.stringMatching(/^SL-/) });
    expect(await receiver.hand(lead)).toEqual(first);
    expect(await receiver.stageOf('HB1')).toEqual({ kind: 'stage', stage: 'received' });
    expect(await receiver.stageOf('HB2')).toEqual({ kind: 'none' });
  });

  test('silence, faults and a wrong signature prove nothing; a refusal is reported as one', async () => {
    expect((await crmLeadReceiver(http, { ...settings(), secret: 'other' }).hand(lead)).kind).toBe('unclear');
    for (const [fault, kind] of [
      ['error500', 'unclear'],
      ['loseAnswer', 'unclear'],
      ['refuse', 'refused'],
    ] as const) {
      await phone.fault({ provider: 'crm', operation: 'lead', fault, times: 1 });
      expect((await receiver.hand(lead)).kind, fault).toBe(kind);
    }
  });

  test('an unknown stage is unclear', () => {
    const json = [{ id: '1', externalId: 'HB1', status: 'sleeping' }];
    expect(readStage({ kind: 'answer', status: 200, json }, 'HB1').kind).toBe('unclear');
  });
});

describe('orders', () => {
  test('a paid order is found again, also if the response was lost', async () => {
    expect(await receiver.findDelivery(delivery)).toEqual({ kind: 'notFound' });
    await phone.fault({ provider: 'crm', operation: 'order', fault: 'loseAnswer', times: 1 });
    expect((await receiver.deliver(delivery)).kind).toBe('unclear');
    expect(await receiver.findDelivery(delivery)).toEqual({
      kind: 'delivered',
      providerReference: expect.stringMatching(/^PO-/),
    });
  });

  test('a refused order is reported as refused, and an item that is not an order is never sent', async () => {
    await phone.fault({ provider: 'crm', operation: 'order', fault: 'refuse', times: 1 });
    expect((await receiver.deliver(delivery)).kind).toBe('refused');
    expect((await receiver.deliver({ ...delivery, item: { kind: 'airtime' } })).kind).toBe('refused');
    expect(await receiver.findDelivery(delivery)).toEqual({ kind: 'notFound' });
  });

  test('an order of ours for another amount does not prove that this one is missing', () => {
    const price = { taxIncludedAmount: { unit: 'MGA', value: 1 } };
    const json = [{ id: '1', externalId: 'payment-1', state: 'acknowledged', orderTotalPrice: [{ price }] }];
    expect(readOrders({ kind: 'answer', status: 200, json }, delivery, 0).kind).toBe('unclear');
  });
});
