import { expect, test } from 'vitest';
import type { Delivery, HandedLead } from '../ports.ts';
import { leadMailReceiver } from './index.ts';

const lead: HandedLead = {
  id: 'HB1',
  fullName: 'Lova Rabe',
  contactNumber: '0390000001',
  email: 'lova@example.mg',
  isFeasible: false,
  address: { city: 'Ambanja', street: 'Lot II 12', landmark: '', country: 'madagascar', lat: null, lng: null },
  plan: { code: 'H50G30', description: '50 GB', amount: 90_050, currency: 'XTS' },
  source: 'WEBPORTAL',
  reference: 'ODU PURCHASE',
  worksId: null,
  createdAt: new Date('2026-03-02T08:00:00Z'),
};
const paid: Delivery = {
  reference: 'payment-1',
  msisdn: '0390000001',
  amount: 90_050,
  currency: 'XTS',
  item: { kind: 'order', leadId: 'HB1', productCode: 'H50G30' },
};
const settings = { to: 'sales@example.mg', brand: 'Brand', digits: 2, host: 'portal.example' };

test('leads and paid orders are mailed to the sales people, without empty fields', async () => {
  const mails: { to: string; subject: string; text: string }[] = [];
  const receiver = leadMailReceiver({ send: async (mail) => void mails.push(mail), close: async () => {} }, settings);
  expect((await receiver.hand(lead)).kind).toBe('accepted');
  expect((await receiver.deliver(paid)).kind).toBe('delivered');
  expect((await receiver.deliver({ ...paid, item: { kind: 'airtime' } })).kind).toBe('refused');
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['sales@example.mg', 'Brand: home broadband request HB1'],
    ['sales@example.mg', 'Brand: home broadband paid, request HB1'],
  ]);
  expect(mails[0]?.text).toContain('XTS 900.50');
  expect(mails[0]?.text).toContain('Served there: not yet');
  expect(mails[0]?.text).not.toContain('Landmark');
});

test('a failing mail server proves nothing, so the mail is retried', async () => {
  const failing = { send: () => Promise.reject(new Error('no')), close: async () => {} };
  expect((await leadMailReceiver(failing, settings).hand(lead)).kind).toBe('unclear');
  expect((await leadMailReceiver(failing, settings).deliver(paid)).kind).toBe('unclear');
});

test('a repeated mail has the same Message-ID, and different leads or payments have different ones', async () => {
  const ids: (string | undefined)[] = [];
  const mail = {
    send: async ({ messageId }: { messageId?: string }) => void ids.push(messageId),
    close: async () => {},
  };
  // Each receiver is a process that crashed after sending and knows nothing of the others.
  for (let life = 0; life < 3; life += 1) {
    const receiver = leadMailReceiver(mail, settings);
    await receiver.hand(lead);
    await receiver.deliver(paid);
    expect(await receiver.findDelivery(paid)).toEqual({ kind: 'notFound' });
  }
  await leadMailReceiver(mail, settings).hand({ ...lead, id: 'HB2' });
  expect([...new Set(ids)]).toEqual([
    '<lead.HB1@portal.example>',
    '<order.payment-1@portal.example>',
    '<lead.HB2@portal.example>',
  ]);
});
