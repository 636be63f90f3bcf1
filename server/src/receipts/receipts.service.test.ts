import type { StateChange } from '@portal/domain/payment/shown.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { readPackage } from '@portal/operators/content.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { createReceipts, type PaymentRecord } from './receipts.service.ts';

const start = new Date('2026-03-02T08:00:00Z');
const texts = {
  text(locale: string, key: string, params: Record<string, unknown> = {}) {
    const { code } = pack.languages.find((one) => one.locale === locale) ?? { code: 'EN' };
    const words = (readPackage('mg', code, 'translation') as Record<string, string>)[key] ?? key;
    return words.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name] ?? `{${name}}`));
  },
};
const receipts = createReceipts({ pack, texts, gateways: new Map([['orange', { isRefundBelieved: true }]]) });

function factsOf(payment: object, states: PaymentState[], locale = 'en-GB') {
  const changes = states.map((to, index): StateChange => ({ to, at: new Date(start.getTime() + index * 60_000) }));
  const record = {
    payment: {
      id: 'id1',
      short_reference: 'SHORT',
      transaction_type: 'PREPAID_RECHARGE',
      payment_mode: 'PAYMENT_GATEWAY',
      gateway: 'card',
      msisdn: '0390000001',
      currency: pack.currency.code,
      amount: 5_000,
      description: null,
      account_id: null,
      invoice_number: null,
      refund_expected_at: null,
      created_at: start,
      details: { item: { kind: 'airtime' } },
      ...payment,
    },
    changes,
  } as unknown as PaymentRecord;
  const { rows, timeline } = receipts.facts(record, locale);
  return { rows: Object.fromEntries(rows), steps: timeline.map(([, words]) => words) };
}

const paid: PaymentState[] = ['CREATED', 'SUBMITTING', 'AWAITING_PAYER', 'PAID', 'FULFILLING'];

describe('STA-8 the receipt says of the money what the status page says', () => {
  test('STA-8 home broadband is paid, and its installation still to come; nothing is called delivered', () => {
    const lead = {
      transaction_type: 'HBB_LEADS',
      details: { item: { kind: 'order', leadId: 'LD1', productCode: 'P' } },
    };
    for (const [locale, words] of [
      ['en-GB', 'Paid, installation to come'],
      ['fr-FR', 'Payé, installation à venir'],
      ['mg-MG', 'Voaloa, ho avy ny fametrahana'],
    ] as const) {
      const { rows, steps } = factsOf(lead, [...paid, 'SUCCEEDED'], locale);
      expect(Object.values(rows), locale).toContain(words);
      expect(steps.at(-1), locale).toBe(words);
    }
    expect(factsOf({}, [...paid, 'SUCCEEDED']).rows.State).toBe('Delivered');
  });

  test('MNY-5 money that goes back names the hour it should be there, and none for a provider that tells none', () => {
    const refund_expected_at = new Date('2026-03-03T08:00:00Z');
    const due: PaymentState[] = [...paid, 'REFUND_DUE'];
    expect(factsOf({ refund_expected_at }, due).rows.Refund).toMatch(/by 3 March 2026.* at the latest\.$/);
    for (const [locale, label, words] of [
      ['en-GB', 'Refund', /^We are giving the money back\. Orange Money has not told us when/],
      ['fr-FR', 'Remboursement', /^Nous vous remboursons\. Orange Money ne nous a pas dit quand/],
      ['mg-MG', 'Famerenam-bola', /^Averinay aminao ny vola\. Tsy nolazain’ny Orange Money/],
    ] as const) {
      const told = factsOf({ gateway: 'orange', refund_expected_at }, due, locale).rows[label];
      expect(told, locale).toMatch(words);
      expect(told, locale).not.toMatch(/2026|24/);
    }
    expect(factsOf({ refund_expected_at }, [...due, 'REFUNDING', 'REFUNDED']).rows).not.toHaveProperty('Refund');
    expect(factsOf({}, [...paid, 'SUCCEEDED']).rows).not.toHaveProperty('Refund');
  });
});
