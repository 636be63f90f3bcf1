import { transactionResult } from '@portal/contract/transaction.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { type Page, PageContext } from '../../lib/page.tsx';
import { translatorIn, written } from '../../testing/texts.fixture.ts';
import { Screen } from './payment-status.screen.tsx';
import type { Transaction } from './status-words.ts';

const id = '0123456789abcdefghjkmnpqrs';
const operator = publicPack(pack);
const page = {
  operator,
  language: operator.languages[0],
  t: translatorIn('EN'),
  path: '/payment/status',
  query: { id },
  href: (path: string) => path,
} as unknown as Page;

/** The portal's response, parsed by the contract, so that unknown fields are refused. */
const answer = (more: object) =>
  transactionResult.parse({
    status: 'REQUEST_RAISED',
    transactionStatus: 'REQUEST_RAISED',
    transactionId: id,
    transactionType: 'PREPAID_RECHARGE',
    paymentMode: 'FANILO_MONEY',
    paymentGateway: 'FANILO_MONEY',
    mobileNumber: '39 •• ••• 01',
    msisdn: '39 •• ••• 01',
    currencyCode: 'MGA',
    amount: 5_000,
    reference: 'ABCD2345',
    moneyState: 'taken',
    timeline: [
      { state: 'awaitingApproval', at: '2026-03-02T08:00:00.000Z' },
      { state: 'taken', at: '2026-03-02T08:01:00.000Z' },
    ],
    final: false,
    nextPollSeconds: 5,
    ...more,
  });

const markup = (transaction: Transaction, token?: string) =>
  renderToStaticMarkup(
    <PageContext value={page}>
      <Screen loaded={{ known: { state: 'known', transaction }, ...(token ? { token } : {}) }} />
    </PageContext>,
  );

/** The texts of the page in reading order. */
const shown = (transaction: Transaction, token?: string) =>
  markup(transaction, token)
    .replace(/<[^>]+>/g, '|')
    .replaceAll('\u00a0', ' ')
    .replace(/\|+/g, '|');

test('MNY-1 money taken but not delivered is described as such, with past times and pending steps', () => {
  const text = shown(answer({}));
  expect(text).toContain('|In Processing|');
  expect(text).toContain('|Your money was taken and is on its way.|');
  expect(text).toContain('|Waiting for your approval|2 Mar 2026, 11:00|');
  expect(text).toContain('|Taken and on its way|2 Mar 2026, 11:01|');
  expect(text).toMatch(/\|Delivered\|(?!\d)/);
  expect(text).not.toContain('Unsuccessful');
});

test('MNY-7 what failed is followed by the ways out, before timeline and summary; elsewhere the money comes first', () => {
  const places = (more: object) => {
    const text = shown(answer(more));
    const parts = ['|Return|', '|Where is the money?|', '|Summary|'];
    for (const part of parts) expect(text).toContain(part);
    return parts.map((part) => text.indexOf(part));
  };
  const failed = { status: 'FAILED', transactionStatus: 'FAILED', final: true };
  for (const more of [
    { ...failed, moneyState: 'notTaken' },
    { ...failed, moneyState: 'givenBack' },
  ])
    expect(places(more)).toEqual(places(more).toSorted((one, other) => one - other));
  const [out = 0, money = 0] = places({});
  expect(money).toBeGreaterThan(0);
  expect(out).toBeGreaterThan(money);
});

test('MNY-5 a refund in progress shows when it was started and the latest arrival', () => {
  const refund = { startedAt: '2026-03-02T08:00:00.000Z', expectedBy: '2026-03-03T08:00:00.000Z' };
  const text = shown(answer({ refund }));
  expect(text).toContain('|The refund was started on 2 Mar 2026, 11:00.|');
  expect(text).toContain('by 3 Mar 2026, 11:00 at the latest.');
  expect(text).not.toContain('The money was back on');
  const back = shown(answer({ refund: { ...refund, completedAt: '2026-03-02T08:05:00.000Z' } }));
  expect(back).toContain('|The money was back on 2 Mar 2026, 11:05.|');
  expect(back).not.toContain('at the latest');
});

test('MNY-5 no arrival time is promised for a provider that states none', () => {
  const orange = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'ORANGE' };
  const text = shown(answer({ ...orange, refund: { startedAt: '2026-03-02T08:00:00.000Z' } }));
  expect(text).toContain('|The refund was started on 2 Mar 2026, 11:00.|');
  expect(text).toContain('|We are giving the money back. Orange Money has not told us when it will be there;');
  expect(text).not.toContain('at the latest');
  expect(text).not.toMatch(/3 Mar|24/);
});

test('MNY-7 a card page that was left is reported, with the other payment methods for the order; otherwise the page waits for the bank', () => {
  const order = { msisdn: '390000001', amount: 5_000, currency: 'MGA', transactionType: 'PREPAID_RECHARGE' };
  const card = { status: 'REQUEST_REGISTERED', moneyState: 'awaitingApproval', timeline: [], order };
  const byCard = { ...card, paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD' };
  const left = shown(answer({ ...byCard, left: true }), 'sealed');
  expect(left).toContain(
    '|In Processing|You came back from the bank’s page without paying.| We are checking with the bank, and have heard of no payment.',
  );
  expect(left).toContain('|Pay another way|');
  expect(left).not.toContain('We are waiting for the bank');
  expect(left).not.toContain('Unsuccessful');
  expect(shown(answer({ ...byCard, paymentGateway: 'ORANGE', left: true }))).toContain(
    '|You came back from the page of Orange Money without confirming.| We are checking with Orange Money,',
  );
  expect(shown(answer(byCard))).toContain('|We are waiting for the bank.');
});

describe('MNY-1 a provider that gave no clear answer', () => {
  const asked = { status: 'REQUEST_REGISTERED', moneyState: 'awaitingApproval', timeline: [], payer: '39 00 000 08' };

  test('is reported first, without sending the customer to a request on the phone that may not exist', () => {
    const text = shown(answer({ ...asked, paymentMode: 'MPESA', paymentGateway: 'MPESA', unclear: true }));
    expect(text).toContain(
      '|In Processing|We got no clear answer from MPESA and are finding out whether your money was taken.| You do not pay twice:',
    );
    expect(text).toContain('If a request came to the phone, answer it there. If none came, please wait a little');
    expect(text).not.toContain('We are waiting for your approval');
    expect(shown(answer({ ...asked, paymentMode: 'MPESA' }))).toContain(
      '|We are waiting for your approval on the phone.',
    );
  });

  test('after a PIN or a code no request is mentioned', () => {
    const text = shown(answer({ ...asked, paymentMode: 'AIRTIME', paymentGateway: 'AIRTIME', unclear: true }));
    expect(text).toContain('|We got no clear answer from Airtime and');
    expect(text).not.toContain('request came to the phone');
  });
});

describe('MNY-1 the timeline and the sentence beside it agree', () => {
  const at = '2026-03-02T08:00:00.000Z';
  const waiting = {
    ...{ status: 'REQUEST_REGISTERED', moneyState: 'awaitingApproval' },
    timeline: [{ state: 'awaitingApproval', at }],
  };
  const mpesa = { paymentMode: 'MPESA', paymentGateway: 'MPESA' };
  const byPage = (paymentGateway: string) => ({ paymentMode: 'PAYMENT_GATEWAY', paymentGateway });

  test.each([
    ['asked on the phone', mpesa, 'Waiting for your approval'],
    ['no clear answer', { ...mpesa, unclear: true }, 'No clear answer yet, we are finding out'],
    ['after a code', { paymentMode: 'AIRTIME', paymentGateway: 'AIRTIME' }, 'Waiting for the payment service’s answer'],
    [
      'no clear answer after a code',
      { paymentMode: 'AIRTIME', paymentGateway: 'AIRTIME', unclear: true },
      'No clear answer yet, we are finding out',
    ],
    ['on the page of a bank', byPage('CARD'), 'Waiting for the bank'],
    ['on the page of a wallet', byPage('ORANGE'), 'Waiting for Orange Money'],
    ['a page that was left', { ...byPage('CARD'), left: true }, 'You came back without paying'],
    ['a card that was declined', { ...byPage('CARD'), declined: true }, 'Card declined, the bank’s page says'],
    ['a page that never opened', { ...byPage('ORANGE'), unopened: true }, 'The page of Orange Money did not open'],
  ])('%s', (_, more, step) => {
    const text = shown(answer({ ...waiting, ...more }));
    expect(text).toContain(`|Where is the money?|${step}|2 Mar 2026, 11:00|Taken and on its way|Delivered|`);
    if (step !== 'Waiting for your approval') expect(text).not.toContain('aiting for your approval');
  });

  test('past steps are named as they happened: no approval on a phone for a card, and a refund is not a delivery', () => {
    const timeline = [
      { state: 'awaitingApproval', at },
      { state: 'taken', at },
    ];
    expect(shown(answer({ ...byPage('CARD'), timeline, refund: { startedAt: at } }))).toContain(
      '|Waiting for the bank|2 Mar 2026, 11:00|Taken, going back to you|2 Mar 2026, 11:00|Given back|',
    );
    const back = { status: 'FAILED', moneyState: 'givenBack', final: true };
    expect(
      shown(
        answer({ ...back, ...mpesa, timeline: [...timeline, { state: 'givenBack', at }], refund: { startedAt: at } }),
      ),
    ).toContain(
      '|Waiting for your approval|2 Mar 2026, 11:00|Taken and on its way|2 Mar 2026, 11:00|Given back|2 Mar 2026, 11:00|',
    );
  });

  test('each sentence has its timeline step in every language', () => {
    for (const one of Object.values(written))
      expect(Object.keys(one.status.step)).toEqual(expect.arrayContaining(Object.keys(one.status.money)));
  });
});

describe('MNY-8 a mistyped number on the status page', () => {
  const order = { msisdn: '390000001', amount: 5_000, currency: 'MGA', transactionType: 'PREPAID_RECHARGE' };
  const asked = {
    ...{ status: 'REQUEST_REGISTERED', moneyState: 'awaitingApproval', timeline: [], order },
    ...{ paymentMode: 'MPESA', paymentGateway: 'MPESA', payer: '39 00 000 08' },
  };
  const link = (more: object, token?: string) =>
    /<a[^>]*href="([^"]+)"[^>]*>Wrong number\? Correct it</.exec(markup(answer({ ...asked, ...more }), token))?.[1];

  test('is corrected by a link to the same payment method with the order, before hydration and without script', () => {
    expect(link({}, 'sealed')).toBe('/payment/start/mpesa?order=sealed&amp;correct=1');
  });

  test('is not offered to a visitor with only the link, for a number verified by a code, for a gateway’s page, nor at the end', () => {
    expect(link({ order: undefined })).toBeUndefined();
    expect(link({ paymentMode: 'AIRTIME', paymentGateway: 'AIRTIME' }, 'sealed')).toBeUndefined();
    expect(
      link({ paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD', payer: undefined }, 'sealed'),
    ).toBeUndefined();
    expect(link({ status: 'FAILED', moneyState: 'notTaken', final: true }, 'sealed')).toBeUndefined();
    expect(link({ sameOrder: { kind: 'paidBy' } }, 'sealed')).toBeUndefined();
  });
});

describe('MNY-3 the next thing to do', () => {
  const attribute = (name: string, attributes = '') => new RegExp(`${name}="([^"]+)"`).exec(attributes)?.[1];
  const links = (more: object) =>
    [...markup(answer(more)).matchAll(/<a ([^>]*data-kind[^>]*)>([^<]+)</g)]
      .map(([, given, name]) => `${attribute('data-kind', given)} ${name} ${attribute('href', given)}`)
      .filter((link) => !link.includes('Receipt'));

  test('STA-6 during a review is to ask about it, and Return leads to the page of its flow, without script too', () => {
    const held = { statusReason: 'The amount taken is not the amount of the order. A person is looking at it.' };
    expect(links(held)).toEqual([
      `primary Ask about this payment /payment/status?id=${id}&amp;ask=1#question`,
      'secondary Return /prepaid-recharge',
      'secondary Help with this payment /gethelp',
    ]);
    expect(links({})).toEqual(['primary Return /prepaid-recharge', 'secondary Help with this payment /gethelp']);
  });

  test('after a refund is to start again where it began, or to ask', () => {
    const back = { status: 'FAILED', moneyState: 'givenBack', final: true, statusReason: 'It could not be delivered.' };
    const { nextPollSeconds: _, ...rest } = answer(back);
    expect(links(rest)).toEqual([
      'primary Start again /prepaid-recharge',
      'secondary Ask about this payment #question',
      'secondary Return /',
      'secondary Help with this payment /gethelp',
    ]);
    expect(links({ ...rest, transactionType: 'HBB_LEADS' })[0]).toBe('primary Start again /hbb-lead');
    // Another payment has paid the order, so there is nothing to retry.
    expect(links({ ...rest, sameOrder: { kind: 'paidBy', isBack: true } })[0]).toBe(
      'primary Ask about this payment #question',
    );
  });
});

test('MNY-5 after the refund no text says that it is still in progress', () => {
  const told = (more: object) => shown(answer({ status: 'FAILED', moneyState: 'givenBack', final: true, ...more }));
  for (const kind of ['paidBy', 'paidTwice']) {
    expect(told({ sameOrder: { kind } })).toContain('goes back to you by itself.');
    const back = told({ sameOrder: { kind, isBack: true } });
    expect(back).toContain('was given back to you.|');
    expect(back).not.toMatch(/goes back|going back/);
  }
});

test('STA-4 an erased request for home broadband leaves no empty brackets, no bare country code and no promise', () => {
  const erased = { transactionType: 'HBB_LEADS', metaInfo: { isErased: true }, mobileNumber: '', msisdn: '' };
  const text = shown(answer({ ...erased, status: 'SUCCESS', moneyState: 'delivered', final: true } as object));
  expect(text).toContain('|Dear customer,|');
  expect(text).toContain('|Paid. Your request for home internet has been erased since.|');
  expect(text).not.toMatch(/\(\s*\)|\+261(?! ?\d)|still to come|We call you/);
});

describe('STA-1 STA-2 statuses of the wire, misspelt and unknown ones included', () => {
  test.each([
    ['SUCCESS', 'Thank you', 'Successful'],
    ['REQUEST_REGISTERED', 'In Processing', 'In Processing'],
    ['REQUEST_RAISED', 'In Processing', 'In Processing'],
    ['ALREADY_PROCESSED', 'In Processing', 'In Processing'],
    ['IN_PROCESS', 'In Processing', 'In Processing'],
    ['FAILED', 'FAILED', 'Unsuccessful'],
    ['FALIURE', 'FAILED', 'Unsuccessful'],
    ['TIMED_OUT_UPSTREAM', 'TIMED OUT UPSTREAM', 'Unsuccessful'],
  ])('STA-1 STA-2 %s: %s, Your transaction is %s', (status, heading, outcome) => {
    const text = shown({ ...answer({}), status } as Transaction);
    expect(text).toContain(
      `|${heading}|MGA 5,000|→ +261 39 •• ••• 01|Dear customer (39 •• ••• 01),|Your transaction is ${outcome}.|`,
    );
  });
});
