import { budgetsOf } from '@portal/domain/budgets.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBudgets } from '../budgets/budgets.service.ts';
import type { Database } from '../db/database.ts';
import type { Lead } from '../leads/leads.service.ts';
import { testDatabase } from '../testing/database.ts';
import { createLeadNotices } from './notices.leads.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

test('SEC-16 messages about requests are counted for their number and mailbox before they are sent; a failed one is not', async () => {
  const now = () => new Date();
  const hour = { most: 1, seconds: 3_600 };
  const sent: string[] = [];
  let isBroken = true;
  const deliver = async ({ to }: { to: string }) => {
    if (isBroken) throw new Error('no connection');
    sent.push(to);
  };
  const lead = {
    language: 'en',
    is_feasible: true,
    address: { city: 'Antananarivo' },
    plan_amount: 90_000,
    plan_currency: pack.currency.code,
    plan_description: '50 GB',
  };
  const leads: Record<string, object> = {
    one: { ...lead, id: 'HB1', contact_number: '0390000001', email: 'lova@example.mg' },
    again: { ...lead, id: 'HB2', contact_number: '0390000001', email: 'Lova+2@example.mg' },
    other: { ...lead, id: 'HB3', contact_number: '0390000002', email: 'hery@example.mg' },
  };
  const tell = createLeadNotices({
    find: async (id) => leads[id] as Lead | undefined,
    budgets: createBudgets(database.db, {
      ...{ secret: 'secret', scale: 1, now, events: { refused: () => {} } },
      rules: budgetsOf({ budgets: { noticeNumber: hour, noticeMail: hour } }),
    }),
    now,
    sms: { send: (message) => deliver(message).then(() => ({ messageId: '' })) },
    mail: { send: deliver },
    texts: { text: (_, key) => key },
    pack,
    trackUrl: (id) => id,
  });
  for (const by of ['sms', 'mail'] as const) await expect(tell({ leadId: 'one', by })).rejects.toThrow('no connection');
  isBroken = false;
  for (const leadId of ['one', 'again', 'other', 'deleted'])
    for (const by of ['sms', 'mail'] as const) await tell({ leadId, by });
  expect(sent).toEqual(['261390000001', 'lova@example.mg', '261390000002', 'hery@example.mg']);
});
