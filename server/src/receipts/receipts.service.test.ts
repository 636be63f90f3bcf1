import type { StateChange } from '@portal/domain/payment/shown-status.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { readPackage } from '@portal/operators/content.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { createReceipts, hasReceipt, type PaymentRecord } from './receipts.service.ts';

const start = new Date('2026-03-02T08:00:00Z');
const texts = {
  text(locale: string, key: string, params: Record<string, unknown> = {}) {
    const { code } = pack.languages.find((one) => one.locale === locale) ?? { code: 'EN' };
    const words = (readPackage('mg', code, 'translation') as Record<string, string>)[key] ?? key;
    return words.replaceAll(/\{(\w+)\}/g, (_, name) => String(params[name] ?? `{${name}}`));
  },
};
const receipts = createReceipts({
  pack,
  texts,
  gateways: new Map([
    ['orange', { isRefundUndocumented: true as const }],
    ['mpesa', { receiptOf: (kept: string) => kept.split(':')[1] ?? '' }],
  ]),
});

function factsOf(payment: object, states: PaymentState[], locale = 'en-GB', more: Partial<PaymentRecord> = {}) {
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
      provider_reference: null,
      payer_msisdn: null,
      account_id: null,
      invoice_number: null,
      refund_expected_at: null,
      created_at: start,
      details: { item: { kind: 'airtime' } },
      ...payment,
    },
    changes,
    ...more,
  } as unknown as PaymentRecord;
  const { title, rows, timeline, footer } = receipts.facts(record, locale);
  return { title, rows: Object.fromEntries(rows), steps: timeline.map(([, words]) => words), footer, record };
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
    expect(factsOf(lead, [...paid, 'SUCCEEDED'], 'en-GB', { isLeadErased: true }).rows.State).toBe('Paid');
    expect(factsOf({}, [...paid, 'SUCCEEDED']).rows.State).toBe('Delivered');
  });

  test('STA-8 a bill is paid, and nothing of it is called delivered', () => {
    const bill = { transaction_type: 'POSTPAID_BILL', details: { item: { kind: 'bill', accountNo: 'PA1' } } };
    for (const [locale, words, open] of [
      ['en-GB', 'Bill paid', 'The bill is not paid yet.'],
      ['fr-FR', 'Facture payée', 'La facture n’est pas encore payée.'],
      ['mg-MG', 'Voaloa ny faktiora', 'Mbola tsy voaloa ny faktiora.'],
    ] as const) {
      const { rows, steps } = factsOf(bill, [...paid, 'SUCCEEDED'], locale);
      expect(Object.values(rows), locale).toContain(words);
      expect(steps.at(-1), locale).toBe(words);
      expect(factsOf(bill, paid, locale).footer, locale).toContain(open);
    }
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

  test('MNY-7 says of each state what is true of it, in every language, and calls nothing paid that was not delivered', () => {
    const back: PaymentState[] = [...paid, 'REFUND_DUE'];
    const states = {
      delivered: [...paid, 'SUCCEEDED'],
      taken: paid,
      goingBack: back,
      givenBack: [...back, 'REFUNDED'],
    };
    const seen = new Set<string>();
    for (const { locale } of pack.languages)
      for (const [state, changes] of Object.entries(states)) {
        const { rows, footer } = factsOf({}, changes as PaymentState[], locale);
        const paidWith = texts.text(locale, 'receipt.paidWith');
        expect(paidWith in rows, `${locale} ${state}`).toBe(state === 'delivered');
        expect(texts.text(locale, 'status.way') in rows, `${locale} ${state}`).toBe(state !== 'delivered');
        expect(footer).toBe(texts.text(locale, `receipt.shows.${state}`));
        expect(footer).not.toContain('receipt.');
        expect(rows[texts.text(locale, 'receipt.state')]).toBe(texts.text(locale, `status.step.${state}`));
        seen.add(footer);
      }
    expect(seen.size).toBe(12);
    expect(factsOf({}, paid).title).toBe('Payment record');
    expect(factsOf({}, states.givenBack as PaymentState[]).title).toBe('Refund note');
  });

  test('the steps are those of the status page: who was waited for, and money that goes back', () => {
    const steps = (payment: object, states: PaymentState[]) => factsOf(payment, states).steps;
    const mpesa = { gateway: 'mpesa', payment_mode: 'MPESA' };
    expect(steps({}, paid)).toEqual(['Waiting for the bank', 'Taken and on its way']);
    expect(steps({ gateway: 'orange' }, paid)[0]).toBe('Waiting for Orange Money');
    expect(steps({ gateway: 'airtime', payment_mode: 'AIRTIME' }, paid)[0]).toBe(
      'Waiting for the payment service’s answer',
    );
    expect(steps(mpesa, [...paid, 'REFUND_DUE'])).toEqual(['Waiting for your approval', 'Taken, going back to you']);
    expect(steps(mpesa, [...paid, 'REFUND_DUE', 'REFUNDED'])).toEqual([
      'Waiting for your approval',
      'Taken and on its way',
      'Given back',
    ]);
  });

  test('STA-8 a bill that was paid by its line names the end of its account, in every language', () => {
    const item = { kind: 'bill', accountNo: '1000000002', billNo: null };
    const bill = { transaction_type: 'POSTPAID_BILL', details: { item } };
    for (const { locale } of pack.languages) {
      const { rows } = factsOf(bill, paid, locale);
      expect(rows[texts.text(locale, 'common.accountNumber')]).toBe('•••0002');
      expect(JSON.stringify(rows)).not.toContain('1000000002');
    }
    expect(factsOf({ ...bill, details: { item: { ...item, accountNo: '' } } }, paid).rows).not.toHaveProperty(
      'Account number',
    );
  });

  test('MNY-7 there is none where nothing was taken', () => {
    const without: PaymentState[][] = [
      ['CREATED'],
      ['CREATED', 'FAILED'],
      ['CREATED', 'REVIEW'],
      ['CREATED', 'SUBMITTING', 'AWAITING_PAYER'],
      ['CREATED', 'SUBMITTING', 'UNKNOWN', 'REVIEW'],
    ];
    for (const states of without) expect(hasReceipt(factsOf({}, states).record), states.join()).toBe(false);
    for (const states of [paid, [...paid, 'SUCCEEDED'] as PaymentState[], [...paid, 'REFUND_DUE'] as PaymentState[]])
      expect(hasReceipt(factsOf({}, states).record), states.join()).toBe(true);
  });

  test('STA-3 its transaction id is the one of the status page: the provider’s where it gave one that names nobody, else ours', () => {
    const id = (payment: object) => factsOf({ gateway: 'mpesa', ...payment }, paid).rows['Transaction id'];
    expect(id({ provider_reference: 'token:MP77' })).toBe('MP77');
    expect(id({ provider_reference: 'token:390000001X' })).toBe('id1');
    expect(id({})).toBe('id1');
    for (const { locale } of pack.languages)
      expect(texts.text(locale, 'receipt.transactionId')).toBe(texts.text(locale, 'status.transactionId'));
  });
});
