import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import { wayOf } from '../../features/await-approval/asked-words.ts';
import { type Translate, translator } from '../../lib/translate.ts';
import {
  addressOf,
  headingOf,
  missingKey,
  moneySteps,
  moneyWordOf,
  orderOf,
  outcomeOf,
  readStatus,
  stepWordOf,
  typeKeyOf,
} from './status-words.ts';

const t: Translate = translator({
  'common.thankYou': 'Thank you',
  'status.inProcessing': 'In Processing',
  'status.heading.FAILED': 'FAILED',
  'payment.group.AIRTIME': 'Crédit',
});

describe('STA-1 heading and style', () => {
  test.each([
    ['SUCCESS', 'Thank you', 'success'],
    ['REQUEST_REGISTERED', 'In Processing', 'process'],
    ['REQUEST_RAISED', 'In Processing', 'process'],
    ['ALREADY_PROCESSED', 'In Processing', 'process'],
    ['IN_PROCESS', 'In Processing', 'process'],
    ['FAILED', 'FAILED', 'failed'],
    ['FALIURE', 'FAILED', 'failed'],
    ['SOME_NEW_STATUS', 'SOME NEW STATUS', 'failed'],
  ])('STA-1 %s is headed %j in the style %s', (status, heading, outcome) => {
    expect(headingOf(status, t)).toBe(heading);
    expect(outcomeOf(status)).toBe(outcome);
  });

  test('ALREADY_PROCESSED is treated as REQUEST_REGISTERED, so that the page keeps polling', () => {
    expect(readStatus('ALREADY_PROCESSED')).toBe('REQUEST_REGISTERED');
  });
});

test('a postpaid bill with an invoice number is a fixed-internet bill', () => {
  expect(typeKeyOf({ transactionType: 'POSTPAID_BILL', invoiceNumber: 'INV-1' })).toBe('FIXED_INTERNET');
  expect(typeKeyOf({ transactionType: 'POSTPAID_BILL' })).toBe('POSTPAID_BILL');
  expect(typeKeyOf({ transactionType: 'POSTPAID_BILL', invoiceNumber: '' })).toBe('POSTPAID_BILL');
  expect(typeKeyOf({ transactionType: 'PREPAID_RECHARGE', invoiceNumber: 'INV-1' })).toBe('PREPAID_RECHARGE');
});

test('a number that is no payment’s is recognised as that of a question or a request', () => {
  expect(['7kx2m9qt', `hb${'0a'.repeat(10)}`, 'abc', '7kx2m9qt7kx2'].map(missingKey)).toEqual([
    'missingTicket',
    'missingLead',
    'missing',
    'missing',
  ]);
});

test('the payment id comes from the query or the path, with channel and pg', () => {
  expect(addressOf('/payment/status', { id: 'abc' })).toEqual({ txnId: 'abc' });
  expect(addressOf('/payment/status/abc', {})).toEqual({ txnId: 'abc' });
  expect(addressOf('/payment/status', { id: 'abc', channel: 'web', pg: 'x' })).toEqual({
    txnId: 'abc',
    channel: 'web',
    pg: 'x',
  });
  expect(addressOf('/payment/status', {})).toEqual({ txnId: '' });
});

describe('the steps of the money', () => {
  const at = '2026-03-02T08:00:00.000Z';
  type Given = Parameters<typeof moneySteps>[0];
  const steps = (moneyState: Given['moneyState'], states: Given['moneyState'][], final: boolean) =>
    moneySteps({ moneyState, final, timeline: states.map((state) => ({ state, at })) }).map(
      ({ state, mark }) => `${state} ${mark}`,
    );

  test('while waiting, later steps are pending', () => {
    expect(steps('awaitingApproval', ['awaitingApproval'], false)).toEqual([
      'awaitingApproval current',
      'taken todo',
      'delivered todo',
    ]);
    expect(steps('taken', ['awaitingApproval', 'taken'], false)).toEqual([
      'awaitingApproval done',
      'taken current',
      'delivered todo',
    ]);
  });

  test('at the end no step is pending', () => {
    expect(steps('delivered', ['awaitingApproval', 'taken', 'delivered'], true)).toEqual([
      'awaitingApproval done',
      'taken done',
      'delivered done',
    ]);
    expect(steps('notTaken', ['awaitingApproval', 'notTaken'], true)).toEqual([
      'awaitingApproval done',
      'notTaken failed',
    ]);
    expect(steps('givenBack', ['awaitingApproval', 'taken', 'givenBack'], true)).toEqual([
      'awaitingApproval done',
      'taken done',
      'givenBack done',
    ]);
  });

  test('MNY-1 money that is being refunded is not called in delivery, and the pending step is the refund', () => {
    const timeline = [{ state: 'taken', at } as const];
    const refund = { startedAt: at };
    const back = { moneyState: 'taken', final: false, timeline, refund } as const;
    expect(moneySteps(back).map(({ state, mark }) => `${state} ${mark}`)).toEqual(['taken current', 'givenBack todo']);
    const ways = publicPack(pack);
    const by = { paymentMode: 'FANILO_MONEY', transactionType: 'PREPAID_RECHARGE' } as const;
    expect(moneyWordOf({ ...back, ...by }, ways)).toBe('goingBack');
    expect(moneyWordOf({ moneyState: 'taken', ...by }, ways)).toBe('taken');
    expect(moneyWordOf({ ...back, ...by, moneyState: 'givenBack' }, ways)).toBe('givenBack');
  });

  test('a pending step has no time', () => {
    const [first, second] = moneySteps({ moneyState: 'taken', final: false, timeline: [{ state: 'taken', at }] });
    expect(first?.at).toBe(at);
    expect(second?.at).toBeNull();
  });
});

test('D20 a purchase for a router is a Broadband Recharge', () => {
  expect(typeKeyOf({ transactionType: 'PREPAID_BUNDLES', rechargeType: 'broadband' })).toBe('BROADBAND');
  expect(typeKeyOf({ transactionType: 'PREPAID_BUNDLES' })).toBe('PREPAID_BUNDLES');
});

describe('MNY-7 the order as shown to its own visit', () => {
  const order = { msisdn: '390000001', amount: 5_000, currency: 'MGA', orderId: 'o'.repeat(32) } as const;

  test.each([
    ['PREPAID_RECHARGE', '/prepaid-recharge'],
    ['PREPAID_BUNDLES', '/data-bundle'],
    ['POSTPAID_BUNDLES', '/data-bundle'],
    ['POSTPAID_BILL', '/postpaid-bill-pay'],
    ['HBB_LEADS', '/hbb-lead'],
  ] as const)('%s goes back to %s', (transactionType, redirectPage) => {
    expect(orderOf({ ...order, transactionType })).toEqual({ ...order, transactionType, redirectPage });
  });

  test('an invoice and a router lead to their own pages', () => {
    const invoice = { accountNo: 'PA1', invoiceNo: 'INV-1', invoiceToken: 'shown' };
    expect(orderOf({ ...order, transactionType: 'POSTPAID_BILL', invoice })).toMatchObject({
      redirectPage: '/orp/fixed-internet',
      invoiceDetail: invoice,
    });
    expect(orderOf({ ...order, transactionType: 'PREPAID_BUNDLES', rechargeType: 'broadband' }).redirectPage).toBe(
      '/broadband-recharge',
    );
  });
});

describe('MNY-1 where the money is while nobody has answered', () => {
  const bought = { transactionType: 'PREPAID_RECHARGE' } as const;
  const operator = publicPack(pack);
  const withPin = { ...operator, features: { ...operator.features, enableAmPin: true } };
  const waiting = (paymentMode: string, paymentGateway = paymentMode, of = operator) =>
    moneyWordOf({ ...bought, moneyState: 'awaitingApproval', paymentMode, paymentGateway }, of);

  test('says whether the approval is on the phone, at the bank or on another page', () => {
    expect(waiting('MPESA')).toBe('awaitingApproval');
    expect(
      waiting('FANILO_MONEY', 'FANILO_MONEY', { ...operator, features: { ...operator.features, enableAmPin: false } }),
    ).toBe('awaitingApproval');
    expect(waiting('PAYMENT_GATEWAY', 'CARD')).toBe('awaitingBank');
    expect(waiting('PAYMENT_GATEWAY', 'ORANGE')).toBe('awaitingGateway');
  });

  test('MNY-7 a page that was left, a declined card and a page that never opened have their own texts', () => {
    const told = (paymentGateway: string, known: object) =>
      moneyWordOf(
        { ...bought, moneyState: 'awaitingApproval', paymentMode: 'PAYMENT_GATEWAY', paymentGateway, ...known },
        operator,
      );
    for (const [gateway, place] of [
      ['CARD', 'Bank'],
      ['ORANGE', 'Gateway'],
    ] as const)
      for (const word of ['left', 'declined', 'unopened'])
        expect(told(gateway, { [word]: true })).toBe(`${word}${place}`);
  });

  test('after a PIN or a code the outcome is unknown, and not called failed', () => {
    for (const key of [
      waiting('SMARTCASH_SECURE'),
      waiting('AIRTIME'),
      waiting('FANILO_MONEY', 'FANILO_MONEY', withPin),
    ])
      expect(key).toBe('awaitingAnswer');
  });

  test('a withdrawn payment method and every other state keep their texts', () => {
    expect(waiting('GONE')).toBe('awaitingApproval');
    expect(moneyWordOf({ ...bought, moneyState: 'taken', paymentMode: 'AIRTIME' }, operator)).toBe('taken');
  });
});

test('STA-3 MNY-1 a bill is paid, and never called delivered: neither when it is, nor as the step to come', () => {
  const bill = { transactionType: 'POSTPAID_BILL', moneyState: 'delivered', paymentMode: 'FANILO_MONEY' } as const;
  const operator = publicPack(pack);
  expect(moneyWordOf(bill, operator)).toBe('paidBill');
  const toCome = { state: 'delivered', at: null, mark: 'todo' } as const;
  expect(stepWordOf(toCome, { ...bill, moneyState: 'taken' }, operator)).toBe('paidBill');
});

test('STA-3 LEA-6 a paid home-broadband order says that the installation is pending, and names the payment method in words', () => {
  const lead = { transactionType: 'HBB_LEADS', moneyState: 'delivered', paymentMode: 'FANILO_MONEY' } as const;
  expect(moneyWordOf(lead, publicPack(pack))).toBe('paidLead');
  expect(moneyWordOf({ ...lead, metaInfo: { isErased: true } }, publicPack(pack))).toBe('erasedLead');
  expect(moneyWordOf({ ...lead, transactionType: 'PREPAID_RECHARGE' }, publicPack(pack))).toBe('delivered');
  for (const [paymentGateway, paymentMode, words] of [
    ['FANILO_MONEY', 'FANILO_MONEY', 'Fanilo Money'],
    [undefined, 'MPESA', 'MPESA'],
    ['AIRTIME', 'AIRTIME', 'Crédit'],
    ['ORANGE', 'PAYMENT_GATEWAY', 'Orange Money'],
    [undefined, 'SOMETHING_NEW', 'SOMETHING_NEW'],
  ] as const)
    expect(wayOf({ paymentGateway, paymentMode }, { operator: pack, t }), paymentMode).toBe(words);
});
