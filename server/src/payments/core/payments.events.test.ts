import { differenceKinds } from '@portal/domain/payment/reconciliation-differences.ts';
import { expect, test } from 'vitest';
import { createMetrics } from '../../http/metrics.ts';
import { reconciliationEvents } from '../reconcile/payments.reconcile.events.ts';
import type { Report } from '../reconcile/payments.reconcile.ts';
import { paymentEvents } from './payments.events.ts';
import type { Payment } from './payments.store.ts';

function watched() {
  const logged: [level: string, fields: unknown, words: string][] = [];
  const at = (level: string) => (fields: unknown, words: string) => void logged.push([level, fields, words]);
  const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } as never;
  const metrics = createMetrics();
  return { log, metrics, logged };
}
const payment = (state: string) => ({ id: 'id', gateway: 'wallet', state, reason: 'expired' }) as Payment;

test('each payment event is counted and logged without any phone number', async () => {
  const { log, metrics, logged } = watched();
  const events = paymentEvents(log, metrics);
  events.created({ gateway: 'wallet', transactionType: 'PREPAID_RECHARGE' } as never);
  events.moved(payment('FAILED'), 'SUBMITTING', 'refuse');
  events.moved(payment('REVIEW'), 'UNKNOWN', 'giveUp');
  events.unclear(payment('UNKNOWN'), 'enquire', 'no answer');
  events.callback('wallet', 'stray');
  events.callback('wallet', 'repeated');
  events.stepFailed('id', 'why');
  const text = await metrics.text();
  for (const line of [
    '# HELP portal_payments_created_total Orders stored',
    'portal_payments_created_total{gateway="wallet",type="PREPAID_RECHARGE"} 1',
    '# HELP portal_payment_moves_total Payments that changed state',
    'portal_payment_moves_total{gateway="wallet",from="SUBMITTING",to="FAILED"} 1',
    '# HELP portal_provider_unclear_total Provider answers that prove nothing',
    'portal_provider_unclear_total{gateway="wallet",call="enquire"} 1',
    '# HELP portal_callbacks_total Callbacks received',
    'portal_callbacks_total{provider="wallet",verdict="stray"} 1',
    '# HELP portal_payment_steps_failed_total Steps that ended in an error of ours',
    'portal_payment_steps_failed_total 1',
  ])
    expect(text).toContain(line);
  const moved = { payment: 'id', reason: 'expired' };
  expect(logged).toEqual([
    ['info', { ...moved, from: 'SUBMITTING', to: 'FAILED', event: 'refuse' }, 'payment moved'],
    ['error', { ...moved, from: 'UNKNOWN', to: 'REVIEW', event: 'giveUp' }, 'payment moved'],
    ['warn', { payment: 'id', call: 'enquire', detail: 'no answer' }, 'provider answer unclear'],
    ['debug', { provider: 'wallet', verdict: 'stray' }, 'callback received'],
    ['info', { provider: 'wallet', verdict: 'repeated' }, 'callback received'],
    ['error', { payment: 'id', err: 'why' }, 'payment step failed'],
  ]);
});

test('a reconciliation difference is an error, a day without all responses a warning', async () => {
  const { log, metrics, logged } = watched();
  const { compared: tell } = reconciliationEvents(log, metrics);
  const [first] = differenceKinds;
  for (const what of differenceKinds)
    expect(await metrics.text()).toContain(`portal_reconciliation_differences_total{what="${what}"} 0`);
  const figures = { day: '2026-03-02', taken: 3, delivered: 2, givenBack: 1 };
  tell({ ...figures, differences: [], unchecked: ['x'], unanswered: [] } as unknown as Report);
  tell({
    ...figures,
    differences: [{ what: first, reference: 'id' }],
    unchecked: [],
    unanswered: ['y', 'z'],
  } as unknown as Report);
  const text = await metrics.text();
  expect(text).toContain('# HELP portal_reconciliation_differences_total Payments on which the books differ');
  expect(text).toContain(`portal_reconciliation_differences_total{what="${first}"} 1`);
  expect(text).toContain('# HELP portal_reconciliation_incomplete_total Comparisons that somebody gave no answer for');
  expect(text).toContain('portal_reconciliation_incomplete_total 1');
  const job = 'reconcile';
  expect(logged).toEqual([
    ['info', { job, ...figures, unchecked: 1 }, 'a day compared'],
    ['error', { job, what: first, payment: 'id' }, 'the books differ'],
    ['warn', { job, ...figures, unchecked: 0, unanswered: 2 }, 'a day not compared in full, asked again in an hour'],
  ]);
});
