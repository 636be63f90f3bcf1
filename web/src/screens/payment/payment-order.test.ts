import {
  initiationBody as initiationSchema,
  optionsBody as optionsSchema,
  processBody as processSchema,
} from '@portal/contract/payment-payloads.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import type { QueryData } from '../../lib/session.ts';
import {
  chosenOption,
  fetchOptions,
  initiationBody,
  isSameOrder,
  methodOf,
  optionGroups,
  optionsBody,
  type PaymentOption,
  processBody,
} from './payment-order.ts';

const operator = publicPack(pack);
const wallet: PaymentOption = {
  name: 'Fanilo Money',
  type: 'AM',
  paymentMode: 'FANILO_MONEY',
  paymentGateway: 'FANILO_MONEY',
};
const card: PaymentOption = { name: 'Visa', type: 'PG', paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'PAYSTACK' };
const orange: PaymentOption = {
  name: 'Orange Money',
  type: 'PG',
  paymentMode: 'PAYMENT_GATEWAY',
  paymentGateway: 'ORANGE',
};
const airtime: PaymentOption = { name: 'Airtime', type: 'AIRTIME', paymentMode: 'AIRTIME' };
const order: QueryData = {
  msisdn: '390000001',
  amount: 5_000,
  currency: 'MGA',
  lineType: 'PREPAID',
  transactionType: 'PREPAID_RECHARGE',
  productCode: 'P1',
  emailId: 'client@example.mg',
  rechargeType: 'broadband',
  redirectPage: '/prepaid-recharge',
};
const bill: QueryData = {
  ...order,
  transactionType: 'POSTPAID_BILL',
  invoiceDetail: { accountNo: 'PA1000000001', invoiceNo: 'INV-1' },
};

describe('the initiation payload', () => {
  const fields = [
    'paymentMobile',
    'amount',
    'countryCode',
    'currencyCode',
    'emailId',
    'mobileNumber',
    'productCode',
    'paymentGateway',
    'transactionType',
    'unit',
    'loggedInNumber',
    'accountId',
    'accountType',
    'invoiceNumber',
    'paymentMode',
    'txnId',
    'uniqueCode',
  ];

  test('has every field of the specification, and numbers with their leading 0', () => {
    const body = initiationBody(order, wallet, { msisdn: '390000005', uniqueCode: 'code' }, operator);
    expect(Object.keys(body).sort()).toEqual([...fields].sort());
    expect(body).toMatchObject({
      paymentMobile: '0390000005',
      mobileNumber: '0390000001',
      loggedInNumber: '0390000001',
      amount: 5_000,
      countryCode: '261',
      currencyCode: 'MGA',
      emailId: 'client@example.mg',
      productCode: 'P1',
      paymentGateway: 'FANILO_MONEY',
      paymentMode: 'FANILO_MONEY',
      transactionType: 'PREPAID_RECHARGE',
      accountType: 'PREPAID',
      uniqueCode: 'code',
    });
    expect(typeof body.unit).toBe('number');
  });

  test('has them for a minimal order too', () => {
    const { msisdn, amount, currency, transactionType, redirectPage } = order;
    const body = initiationBody(
      { msisdn, amount, currency, transactionType, redirectPage },
      airtime,
      { msisdn: '' },
      operator,
    );
    expect(Object.keys(body).sort()).toEqual([...fields].sort());
    expect(body).toMatchObject({ paymentMobile: '', emailId: '', invoiceNumber: '', paymentGateway: 'AIRTIME' });
    expect(initiationSchema.safeParse(body).success).toBe(true);
  });

  test('omits an incomplete email', () => {
    const body = initiationBody({ ...order, emailId: 'client@' }, wallet, { msisdn: '' }, operator);
    expect(body.emailId).toBe('');
  });

  test('contains the invoice of a bill, and the latest email', () => {
    const body = initiationBody(bill, card, { msisdn: '', email: 'new@example.mg' }, operator);
    expect(body).toMatchObject({
      accountId: 'PA1000000001',
      invoiceNumber: 'INV-1',
      emailId: 'new@example.mg',
      paymentGateway: 'PAYSTACK',
    });
    expect(initiationSchema.safeParse(body).success).toBe(true);
  });
});

test('the process payload has every field of the specification, and the PIN where there is one', () => {
  const body = processBody('abc', bill, wallet, { msisdn: '390000001' });
  expect(Object.keys(body).sort()).toEqual(
    [
      'transactionId',
      'isSubscriberRequest',
      'paymentGateway',
      'paymentMode',
      'proccessFlag',
      'accountId',
      'accountType',
      'paymentMobile',
    ].sort(),
  );
  expect(body).toMatchObject({ transactionId: 'abc', paymentMobile: '0390000001', accountId: 'PA1000000001' });
  expect(processSchema.safeParse(body).success).toBe(true);
});

test('payment options are requested with amount, number, line and kind', () => {
  expect(optionsBody(order)).toEqual({
    amount: 5_000,
    mobileNumber: '0390000001',
    subscriberType: 'PREPAID',
    rechargeType: 'broadband',
    transactionType: 'PREPAID_RECHARGE',
  });
  expect(optionsSchema.safeParse(optionsBody(order)).success).toBe(true);
});

test('PAY-3 a URL with a channel or a gateway uses the other call, with both in its query', async () => {
  const asked: unknown[] = [];
  const api = (async (name: string, { query }: { query?: object }) => {
    asked.push([name, query]);
    return { ok: true, result: { paymentOption: [] } };
  }) as unknown as Parameters<typeof fetchOptions>[0];
  await fetchOptions(api, order, {});
  await fetchOptions(api, order, { pg: 'orange' });
  await fetchOptions(api, order, { channel: 'CWAAA', pg: 'orange', order: 'token' });
  expect(asked).toEqual([
    ['paymentOptions', undefined],
    ['paymentOptionsByChannel', { pg: 'orange' }],
    ['paymentOptionsByChannel', { channel: 'CWAAA', pg: 'orange' }],
  ]);
});

test('an invoice without a number is requested and registered without one', () => {
  const invoice = { ...bill, msisdn: '' };
  expect(optionsBody(invoice).mobileNumber).toBe('');
  expect(optionsSchema.safeParse(optionsBody(invoice)).success).toBe(true);
  const body = initiationBody(invoice, card, { msisdn: '' }, operator);
  expect(body).toMatchObject({ mobileNumber: '', loggedInNumber: '', paymentMobile: '' });
  expect(initiationSchema.safeParse(body).success).toBe(true);
});

test('SMC-1 both calls send the number encrypted instead of in clear', () => {
  const payer = { msisdn: '390000001', sealed: 'c2VhbGVk' };
  expect(initiationBody(order, wallet, payer, operator).paymentMobile).toBe('c2VhbGVk');
  expect(processBody('abc', order, wallet, payer).paymentMobile).toBe('c2VhbGVk');
});

test('an order is equal with another email, and different with any other change', () => {
  expect(isSameOrder({ ...order, emailId: 'new@example.mg' }, order)).toBe(true);
  expect(isSameOrder({ ...order, amount: 1 }, order)).toBe(false);
  expect(isSameOrder(null, order)).toBe(false);
});

describe('which payment method is selected', () => {
  const types = ['PG', 'AIRTIME', 'AM', 'MPESA', 'SMARTCASH_SECURE'] as const;

  test('the one in the URL, else the first card, else the first by name', () => {
    const chosen = (options: PaymentOption[], path: string) => chosenOption(options, path, operator);
    expect(chosen([airtime, wallet, card], '/payment/start/fanilo-money')).toBe(wallet);
    for (const open of ['/payment', '/payment/start']) {
      expect(chosen([airtime, wallet, orange, card], open)).toBe(card);
      expect(chosen([airtime, wallet, orange], open)).toBe(orange);
      expect(chosen([wallet, airtime], open)).toBe(airtime);
      expect(chosen([], open)).toBeNull();
    }
    expect(chosen([airtime, wallet, orange], '/payment/start/card')).toBeNull();
    expect(chosen([card, orange], '/payment/start/orange-money')).toBe(orange);
  });

  test('D20 a gateway without cards is a section under its own name', () => {
    const groups = optionGroups([orange, wallet, card], operator);
    expect(groups.map(({ route, name, options }) => [route, name, options.map((one) => one.name)])).toEqual([
      ['card', null, ['Visa']],
      ['orange-money', 'Orange Money', ['Orange Money']],
      ['fanilo-money', null, ['Fanilo Money']],
    ]);
    expect(methodOf('/payment/start/orange-money', operator)).toBe('PG');
  });

  test('each type is a section with a route of the specification, in a fixed order', () => {
    const options = types.map((type) => ({ ...wallet, type })).reverse();
    const groups = optionGroups(options, operator);
    expect(groups.map(({ type }) => type)).toEqual(types);
    expect(groups.map(({ route }) => route)).toEqual(['card', 'airtime', 'fanilo-money', 'mpesa', 'smartcash']);
    expect(optionGroups([wallet], operator)).toHaveLength(1);
  });

  test('a URL names a method, none, or is unknown', () => {
    expect(methodOf('/payment/start/fanilo-money', operator)).toBe('AM');
    for (const open of ['/payment', '/payment/start']) expect(methodOf(open, operator)).toBeNull();
    for (const stray of ['/payment/abc', '/payment/card', '/payment/start/abc', '/payment/start/'])
      expect(methodOf(stray, operator)).toBe('unknown');
  });
});
