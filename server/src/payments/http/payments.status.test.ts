import type { OperatorPack } from '@portal/domain/operator.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { describe, expect, test } from 'vitest';
import type { SameOrder } from '../core/order-claims.store.ts';
import type { Payment, PaymentRecord } from '../core/payments.store.ts';
import { type StatusContext, statusResult } from './payments.status.ts';

const created = new Date('2026-03-02T08:00:00Z');
const minute = (count: number) => new Date(created.getTime() + count * 60_000);
const pack = {
  numbering: { groups: [2, 2, 3, 2] },
  languages: [{ locale: 'en-GB', formats: 'en-GB' }],
  timeZone: 'Indian/Antananarivo',
  care: { number: '300' },
  methods: [
    { type: 'AM', gateway: 'wallet', mode: 'BRAND_MONEY', name: 'Wallet' },
    { type: 'PG', gateway: 'cards', mode: 'PAYMENT_GATEWAY', name: 'CARDS' },
  ],
} as unknown as OperatorPack;
const context: StatusContext = {
  pack,
  texts: {
    text: (language, key, params) => `${language} ${key}${params ? ` ${Object.values(params).join()}` : ''}`,
  },
  language: 'en-GB',
  now: minute(1),
  waitingFor: 'payer',
  gateway: {},
  invoiceTokenOf: (shown, visit) => JSON.stringify([shown, visit]),
  isOwn: false,
};
const payment = (over: Partial<Payment> = {}) =>
  ({
    id: 'id1',
    short_reference: 'short',
    state: 'AWAITING_PAYER',
    reason: null,
    transaction_type: 'PREPAID_RECHARGE',
    payment_mode: 'BRAND_MONEY',
    gateway: 'wallet',
    msisdn: '0390000001',
    payer_msisdn: null,
    payer_proof: null,
    currency: 'XTS',
    amount: 5_000,
    account_id: null,
    invoice_number: null,
    description: null,
    provider_reference: null,
    refund_expected_at: null,
    email: null,
    created_at: created,
    details: { item: { kind: 'airtime' } },
    ...over,
  }) as Payment;
const through = (...states: PaymentState[]) =>
  states.map((to, index) => ({ to, at: minute(index), event: '', by: null, note: null })) as never;
const shown = (
  over: Partial<Payment>,
  states: PaymentState[],
  {
    others = [],
    goodwill = null,
    isLeadErased = false,
    ...more
  }: Partial<StatusContext & Pick<PaymentRecord, 'others' | 'goodwill' | 'isLeadErased'>> = {},
) =>
  statusResult(
    {
      payment: payment({ state: states.at(-1), ...over }),
      changes: through(...states),
      others,
      goodwill,
      isLeadErased,
    },
    { ...context, ...more },
  );
const waiting: PaymentState[] = ['CREATED', 'SUBMITTING', 'AWAITING_PAYER'];
const paid: PaymentState[] = ['CREATED', 'SUBMITTING', 'PAID'];

describe('what anybody who has the link may know', () => {
  test('is the state of the money and a number that only its owner recognises', () => {
    expect(shown({}, waiting)).toEqual({
      status: 'IN_PROCESS',
      transactionStatus: 'IN_PROCESS',
      transactionId: 'id1',
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: 'BRAND_MONEY',
      paymentGateway: 'BRAND_MONEY',
      mobileNumber: '39 •• ••• 01',
      msisdn: '39 •• ••• 01',
      currencyCode: 'XTS',
      amount: 5_000,
      reference: 'short',
      moneyState: 'awaitingApproval',
      timeline: [{ state: 'awaitingApproval', at: minute(1).toISOString() }],
      final: false,
      nextPollSeconds: 5,
    });
  });

  test('STA-3 is the end of the account whose bill was paid by its line, once money was taken, and never more', () => {
    const item = { kind: 'bill', accountNo: '1000000002', billNo: null } as const;
    const bill = { transaction_type: 'POSTPAID_BILL', details: { item } } as Partial<Payment>;
    for (const isOwn of [true, false]) {
      for (const states of [paid, [...paid, 'FULFILLING', 'SUCCEEDED'], [...paid, 'REFUND_DUE', 'REFUNDED']])
        expect(shown(bill, states as PaymentState[], { isOwn })).toMatchObject({ accountId: '•••0002' });
      // Anybody may order for any line, so an order alone must reveal nothing about it.
      for (const states of [['CREATED'], waiting, [...waiting, 'UNKNOWN'], [...waiting, 'FAILED']])
        expect(shown(bill, states as PaymentState[], { isOwn })).not.toHaveProperty('accountId');
    }
    const forgotten = { ...bill, details: { item: { ...item, accountNo: '' } } } as Partial<Payment>;
    expect(shown(forgotten, paid)).not.toHaveProperty('accountId');
  });

  test('is no number where none was given', () => {
    expect(shown({ msisdn: '' }, waiting)).toMatchObject({ msisdn: '', mobileNumber: '' });
  });

  test('is asked for more often while it is young, and not at all once it is final', () => {
    expect(shown({}, waiting, { now: created }).nextPollSeconds).toBe(2);
    const end = shown({ state: 'SUCCEEDED' }, [...paid, 'FULFILLING', 'SUCCEEDED']);
    expect(end).toMatchObject({ status: 'SUCCESS', final: true, moneyState: 'delivered' });
    expect(end).not.toHaveProperty('nextPollSeconds');
  });

  test('names what was bought where there is something to name', () => {
    const bought = { account_id: '1000000002', invoice_number: 'PA-00001', description: '1 GB' };
    expect(shown(bought, waiting, { isOwn: true })).toMatchObject({
      accountId: '1000000002',
      invoiceNumber: 'PA-00001',
      bundleDescription: '1 GB',
    });
    expect(shown(bought, waiting, { isOwn: false })).toMatchObject({ accountId: '•••0002', invoiceNumber: '•••0001' });
    for (const key of [
      'accountId',
      'invoiceNumber',
      'bundleDescription',
      'statusReason',
      'conversion',
      'metaInfo',
      'refund',
    ])
      expect(shown({}, waiting)).not.toHaveProperty(key);
  });

  test('says why it failed, though not what a wallet said about a stranger', () => {
    const states: PaymentState[] = ['CREATED', 'SUBMITTING', 'FAILED'];
    expect(shown({ state: 'FAILED', reason: 'insufficientFunds' }, states).statusReason).toBe(
      'en-GB reasons.insufficientFunds',
    );
    const stranger = { state: 'FAILED', reason: 'insufficientFunds', payer_msisdn: '0390000002' } as const;
    expect(shown(stranger, states).statusReason).toBe('en-GB reasons.notApproved');
  });

  test('names the page of a card by its gateway', () => {
    expect(shown({ gateway: 'cards', payment_mode: 'PAYMENT_GATEWAY' }, waiting).paymentGateway).toBe('CARDS');
  });
});

describe('a provider’s reference', () => {
  const kept = { provider_reference: 'money-1' };

  test('is a receipt once money was taken, and nothing before', () => {
    expect(shown({ ...kept, state: 'PAID' }, paid).refTransactionId).toBe('money-1');
    expect(shown(kept, waiting)).not.toHaveProperty('refTransactionId');
    expect(shown({ ...kept, state: 'FAILED' }, ['CREATED', 'FAILED'])).not.toHaveProperty('refTransactionId');
    expect(shown({ state: 'PAID' }, paid)).not.toHaveProperty('refTransactionId');
  });

  test('is read as the gateway reads it', () => {
    const asked = { gateway: { receiptOf: (reference: string) => (reference === 'money-1' ? 'receipt-1' : '') } };
    expect(shown({ ...kept, state: 'PAID' }, paid, asked).refTransactionId).toBe('receipt-1');
    expect(shown({ provider_reference: 'other', state: 'PAID' }, paid, asked)).not.toHaveProperty('refTransactionId');
  });
});

test('a payment in the second currency says the price and the rate it was made at', () => {
  const conversion = { price: 250, from: 'USD', to: 'CDF', value: '2800', at: '2026-03-02T07:00:00Z' };
  const details = { item: { kind: 'airtime' }, conversion } as never;
  expect(shown({ details }, waiting).conversion).toEqual({
    price: 250,
    fromCurrency: 'USD',
    rate: '2800',
    rateAt: '2026-03-02T07:00:00Z',
  });
});

test('a lead says what goes on with it, with the address masked', () => {
  const item = { kind: 'order', leadId: 'lead-1' };
  const metaInfo = { leadId: 'lead-1', note: 'en-GB lead.note', message: 'en-GB lead.message' };
  expect(shown({ details: { item } as never }, waiting).metaInfo).toEqual(metaInfo);
  const more = { details: { item, lineType: 'PREPAID' } as never, email: 'lova@example.mg' };
  expect(shown(more, waiting).metaInfo).toEqual({ ...metaInfo, lineType: 'PREPAID', email: 'l•••@example.mg' });
});

test('STA-4 of an erased lead nothing more is promised, and its order cannot be paid', () => {
  const lead = { transaction_type: 'HBB_LEADS', details: { item: { kind: 'order', leadId: '' } } as never };
  const states: PaymentState[] = [...paid, 'FULFILLING', 'SUCCEEDED'];
  expect(shown(lead, states, { isLeadErased: true }).metaInfo).toEqual({ isErased: true });
  const failed: PaymentState[] = [...waiting, 'FAILED'];
  expect(shown(lead, failed, { isOwn: true })).toHaveProperty('order');
  expect(shown(lead, failed, { isOwn: true, isLeadErased: true })).not.toHaveProperty('order');
});

describe('money that goes back', () => {
  const due: PaymentState[] = [...paid, 'FULFILLING', 'REFUND_DUE'];

  test('is expected within a day, or when the provider says', () => {
    expect(shown({ state: 'REFUND_DUE' }, due).refund).toEqual({
      startedAt: minute(4).toISOString(),
      expectedBy: new Date(minute(4).getTime() + 86_400_000).toISOString(),
    });
    expect(shown({ state: 'REFUND_DUE', refund_expected_at: minute(90) }, due).refund?.expectedBy).toBe(
      minute(90).toISOString(),
    );
  });

  test('MNY-5 is promised by no hour where nobody could show us that the provider keeps one', () => {
    const gateway = { isRefundUndocumented: true } as const;
    const promised = { state: 'REFUND_UNKNOWN', refund_expected_at: minute(90) } as const;
    expect(shown(promised, due, { gateway }).refund).toEqual({ startedAt: minute(4).toISOString() });
    const back = shown(promised, [...due, 'REFUNDING', 'REFUNDED'], { gateway }).refund;
    expect(back).toEqual({ startedAt: minute(4).toISOString(), completedAt: minute(6).toISOString() });
  });

  test('has come back when it has', () => {
    expect(shown({ state: 'REFUNDED' }, [...due, 'REFUNDING', 'REFUNDED'])).toMatchObject({
      moneyState: 'givenBack',
      refund: { startedAt: minute(4).toISOString(), completedAt: minute(6).toISOString() },
    });
  });
});

describe('MNY-6 two payments of one order', () => {
  const back: PaymentState[] = [...paid, 'REFUND_DUE'];
  const done: PaymentState[] = [...paid, 'FULFILLING', 'SUCCEEDED'];
  const other = (over: Partial<SameOrder>): SameOrder => ({
    id: 'id2',
    reference: 'other',
    state: 'SUCCEEDED',
    reason: null,
    visit: 'v',
    isPaid: true,
    ...over,
  });
  const given = other({ state: 'REFUNDING', reason: 'paidAlready', isPaid: false });

  test('MNY-5 money of the other that has come back is told as back', () => {
    const told = (state: PaymentState) => shown({}, done, { others: [{ ...given, state }] }).sameOrder;
    expect(told('REFUNDING')).toEqual({ kind: 'paidTwice' });
    expect(told('REFUNDED')).toEqual({ kind: 'paidTwice', isBack: true });
    const first = { reason: 'paidAlready' as const };
    const of = (states: PaymentState[]) => shown(first, states, { others: [other({})] }).sameOrder;
    expect(of(back)).toEqual({ kind: 'paidBy' });
    expect(of([...back, 'REFUNDING', 'REFUNDED'])).toEqual({ kind: 'paidBy', isBack: true });
  });

  test('both pages say so, with the reference of the other for the visit that made both', () => {
    const own = { isOwn: true };
    const second = shown({ visit: 'v', reason: 'paidAlready' }, back, { ...own, others: [other({})] });
    expect(second.sameOrder).toEqual({ kind: 'paidBy', transactionId: 'id2', reference: 'other' });
    expect(second.statusReason).toBe('en-GB reasons.paidAlready');
    const first = shown({ visit: 'v' }, done, { ...own, others: [given] });
    expect(first.sameOrder).toEqual({ kind: 'paidTwice', transactionId: 'id2', reference: 'other' });
  });

  test('a stranger with the link, and a visit that made only one of them, learn no reference', () => {
    expect(shown({ visit: 'v' }, done, { others: [given] }).sameOrder).toEqual({ kind: 'paidTwice' });
    const foreign = { isOwn: true, others: [other({ visit: 'w' })] };
    expect(shown({ visit: 'v', reason: 'paidAlready' }, back, foreign).sameOrder).toEqual({ kind: 'paidBy' });
  });

  test('one that still waits is told that the order needs it no more', () => {
    expect(shown({ visit: 'v' }, waiting, { others: [other({ state: 'FULFILLING' })] }).sameOrder?.kind).toBe('paidBy');
    // The order is paid, so how the payer left this payment's page does not matter.
    const left = shown({ visit: 'v', page_word: 'left' }, waiting, { others: [other({ state: 'FULFILLING' })] });
    expect(left).not.toHaveProperty('left');
  });

  test('other tries that took nothing are nobody’s business', () => {
    const failed = other({ state: 'FAILED', reason: 'declined', isPaid: false });
    expect(shown({}, done, { others: [failed] }).sameOrder).toBeUndefined();
    expect(shown({}, waiting, { others: [failed] }).sameOrder).toBeUndefined();
  });
});

describe('MNY-8 what the visit that ordered it may know more', () => {
  test('the whole number that was asked, and the order while nothing was taken', () => {
    const over = { payer_msisdn: '0390000005', order_id: 'o'.repeat(32), visit: 'v' } as const;
    expect(shown(over, waiting, { isOwn: true })).toMatchObject({
      payer: '39 00 000 05',
      order: { msisdn: '390000001', amount: 5_000, currency: 'XTS', orderId: 'o'.repeat(32) },
    });
    const strangers = shown(over, waiting);
    expect(strangers.payer).toBe('39 •• ••• 05');
    expect(strangers.order).toBeUndefined();
    // The visit that ordered it sees the full number, but not the line that an account belongs to.
    expect(shown(over, paid, { isOwn: true }).mobileNumber).toBe('39 00 000 01');
    expect(strangers.mobileNumber).toBe('39 •• ••• 01');
    expect(shown({ ...over, invoice_number: 'I1' }, paid, { isOwn: true }).mobileNumber).toBe('39 •• ••• 01');
    expect(shown(over, paid, { isOwn: true }).order).toBeUndefined();
  });
});

describe('MNY-7 a gateway’s page that was left', () => {
  const gateway = { isLeft: (word: string) => word === 'gone' };

  test('is told in the gateway’s own word, while nothing else is known', () => {
    expect(shown({}, waiting, { gateway, returnWord: 'gone' }).left).toBe(true);
    for (const said of ['paid', '', undefined])
      expect(shown({}, waiting, { gateway, returnWord: said })).not.toHaveProperty('left');
    expect(shown({}, waiting, { gateway: {}, returnWord: 'gone' })).not.toHaveProperty('left');
  });

  test('is still told on a page that is opened anew by its bare link', () => {
    expect(shown({ page_word: 'left' }, waiting, { gateway }).left).toBe(true);
    expect(shown({ page_word: 'declined' }, waiting, { gateway }).declined).toBe(true);
    expect(shown({ page_word: 'left' }, paid, { gateway })).not.toHaveProperty('left');
    // A later return without that parameter overrides the stored one.
    expect(shown({ page_word: 'left' }, waiting, { gateway, returnWord: 'paid' })).not.toHaveProperty('left');
    // A later return URL does not override a stored "done".
    expect(shown({ page_word: 'done' }, waiting, { gateway, returnWord: 'gone' })).not.toHaveProperty('left');
    expect(shown({ page_word: 'done' }, waiting, { gateway })).not.toHaveProperty('done');
  });

  test('says nothing once the truth is known', () => {
    for (const states of [paid, ['CREATED', 'SUBMITTING', 'FAILED'] as PaymentState[]])
      expect(
        shown({ state: states.at(-1) as PaymentState }, states, { gateway, returnWord: 'gone' }),
      ).not.toHaveProperty('left');
  });
});

describe('MNY-7 a card', () => {
  const gateway = { isDeclined: (word: string) => word === 'failed' };
  const lost: PaymentState[] = ['CREATED', 'SUBMITTING', 'UNKNOWN'];

  test('that the gateway’s page calls declined is told so, while nothing else is known', () => {
    expect(shown({}, waiting, { gateway, returnWord: 'failed' }).declined).toBe(true);
    for (const said of ['successful', undefined])
      expect(shown({}, waiting, { gateway, returnWord: said })).not.toHaveProperty('declined');
    expect(shown({}, paid, { gateway, returnWord: 'failed' })).not.toHaveProperty('declined');
  });

  test('for which the gateway gave no page is told so: nobody could pay on it', () => {
    const redirect = { waitingFor: 'redirect' as const };
    expect(shown({ continuation: null }, lost, redirect).unopened).toBe(true);
    expect(shown({ continuation: null }, ['CREATED', 'SUBMITTING'], redirect).unopened).toBe(true);
    // The payer got the page's URL, or is prompted on the phone.
    expect(shown({ continuation: null }, [...waiting, 'UNKNOWN'], redirect)).not.toHaveProperty('unopened');
    expect(shown({ continuation: null }, lost)).not.toHaveProperty('unopened');
    expect(shown({ continuation: null }, paid, redirect)).not.toHaveProperty('unopened');
  });
});

describe('MNY-1 a provider that gave no clear answer', () => {
  const lost: PaymentState[] = ['CREATED', 'SUBMITTING', 'UNKNOWN'];

  test('is told apart from a payer who has not answered yet, until it is known', () => {
    expect(shown({}, lost).unclear).toBe(true);
    expect(shown({}, [...waiting, 'UNKNOWN']).unclear).toBe(true);
    expect(shown({ reason: 'retriesSpent' }, [...lost, 'REVIEW']).unclear).toBe(true);
    for (const states of [waiting, ['CREATED', 'SUBMITTING'], [...lost, 'AWAITING_PAYER'], [...lost, 'PAID']])
      expect(shown({}, states as PaymentState[])).not.toHaveProperty('unclear');
    expect(shown({}, ['CREATED', 'SUBMITTING', 'PAID', 'FULFILLING', 'FULFIL_UNKNOWN'])).not.toHaveProperty('unclear');
  });

  test('says nothing more where nobody was asked, or a page of the gateway is left or was never there', () => {
    expect(shown({ reason: 'held' }, ['CREATED', 'REVIEW'])).not.toHaveProperty('unclear');
    expect(shown({ continuation: null }, lost, { waitingFor: 'redirect' })).toMatchObject({ unopened: true });
    const left = { gateway: { isLeft: () => true }, returnWord: 'gone', waitingFor: 'redirect' } as const;
    expect(shown({}, [...waiting, 'UNKNOWN'], left)).not.toHaveProperty('unclear');
  });
});

test('MNY-3 what waits for a person says by when somebody looks, and whom to call once that has passed', () => {
  const held: PaymentState[] = ['CREATED', 'REVIEW'];
  const reasonAt = (reason: 'held' | 'retriesSpent', now: Date) => shown({ reason }, held, { now }).statusReason;
  // REVIEW began a minute after the order. The term is an hour if the payer was not prompted yet, else a day.
  expect(reasonAt('held', minute(2))).toMatch(/^en-GB reasons\.held en-GB status\.reviewBy 2 Mar 2026, 12:01$/);
  expect(reasonAt('retriesSpent', minute(120))).toMatch(
    /reasons\.retriesSpent en-GB status\.reviewBy 3 Mar 2026, 11:01$/,
  );
  expect(reasonAt('held', minute(62))).toBe('en-GB reasons.held en-GB status.reviewLate 300');
  expect(shown({ reason: 'calledOff' }, [...held, 'FAILED']).statusReason).toBe('en-GB reasons.calledOff');
});

test('SEC-21 an invoice is paid another way by its own visit with a token of its own, and without the number of its account', () => {
  const over = { account_id: 'PA1', invoice_number: 'INV-1', visit: 'v', transaction_type: 'POSTPAID_BILL' };
  const [accountNo, invoiceNo] = ['PA1', 'INV-1'];
  const tokenOf = (msisdn: string | null) => JSON.stringify([{ accountNo, invoiceNo, msisdn }, 'v']);
  expect(shown(over, waiting, { isOwn: true }).order).toMatchObject({
    msisdn: '',
    invoice: { accountNo, invoiceNo, invoiceToken: tokenOf('0390000001') },
  });
  expect(shown({ ...over, msisdn: '' }, waiting, { isOwn: true }).order?.invoice?.invoiceToken).toBe(tokenOf(null));
  expect(shown(over, waiting)).not.toHaveProperty('order');
});

describe('D20 how a payment is named', () => {
  test('paymentGateway is the gateway that took the card, not the mode; other ways are named by their mode', () => {
    const card = { gateway: 'cards', payment_mode: 'PAYMENT_GATEWAY' };
    expect(shown(card, paid)).toMatchObject({ paymentGateway: 'CARDS', paymentMode: 'PAYMENT_GATEWAY' });
    expect(shown({}, paid)).toMatchObject({ paymentGateway: 'BRAND_MONEY', paymentMode: 'BRAND_MONEY' });
  });

  test('refTransactionId is the provider’s own reference, once it took the money and gave one', () => {
    expect(shown({ provider_reference: 'MP123' }, paid).refTransactionId).toBe('MP123');
    expect(shown({ provider_reference: 'MP123' }, waiting).refTransactionId).toBeUndefined();
    expect(shown({ provider_reference: null }, paid).refTransactionId).toBeUndefined();
    const receiptOf = (kept: string) => kept.split(':')[1] ?? '';
    expect(shown({ provider_reference: 'token:TX9' }, paid, { gateway: { receiptOf } }).refTransactionId).toBe('TX9');
  });

  test('what is bought for a router says so', () => {
    const details = { item: { kind: 'airtime' as const }, isBroadband: true };
    expect(shown({ details }, paid).rechargeType).toBe('broadband');
    expect(shown({}, paid).rechargeType).toBeUndefined();
  });
});
