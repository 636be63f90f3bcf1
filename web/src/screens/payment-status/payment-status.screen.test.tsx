import { transactionResult } from '@portal/contract/transaction.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import words from '../../../../operators/texts/en/translation.json' with { type: 'json' };
import { type Page, PageContext } from '../../lib/page.tsx';
import { translator } from '../../lib/translate.ts';
import { Screen } from './payment-status.screen.tsx';
import type { Transaction } from './status-words.ts';

const flat = (node: object, path = ''): [string, string][] =>
  Object.entries(node).flatMap(([key, value]) =>
    typeof value === 'string' ? [[path + key, value] as [string, string]] : flat(value, `${path}${key}.`),
  );

const id = '0123456789abcdefghjkmnpqrs';
const operator = publicPack(pack);
const page = {
  operator,
  language: operator.languages[0],
  t: translator(Object.fromEntries(flat(words))),
  path: '/payment/status',
  query: { id },
  href: (path: string) => path,
} as unknown as Page;

/** As the portal answers: what the contract does not know is no answer of it. */
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

/** The page as it is read: its texts, one after the other. */
const shown = (transaction: Transaction, token?: string) =>
  renderToStaticMarkup(
    <PageContext value={page}>
      <Screen loaded={{ known: { state: 'known', transaction }, ...(token ? { token } : {}) }} />
    </PageContext>,
  )
    .replace(/<[^>]+>/g, '|')
    .replace(/\|+/g, '|');

test('MNY-1 taken and on its way is told as that, with the times so far and what is still to come', () => {
  const text = shown(answer({}));
  expect(text).toContain('|In Processing|');
  expect(text).toContain('|Your money was taken and is on its way.|');
  expect(text).toContain('|Waiting for your approval|2 Mar 2026, 11:00|');
  expect(text).toContain('|Taken and on its way|2 Mar 2026, 11:01|');
  expect(text).toMatch(/\|Delivered\|(?!\d)/);
  expect(text).not.toContain('Unsuccessful');
});

test('MNY-5 money on its way back: when it was started and when it should arrive at the latest', () => {
  const refund = { startedAt: '2026-03-02T08:00:00.000Z', expectedBy: '2026-03-03T08:00:00.000Z' };
  const text = shown(answer({ refund }));
  expect(text).toContain('|The refund was started on 2 Mar 2026, 11:00.|');
  expect(text).toContain('by 3 Mar 2026, 11:00 at the latest.');
  expect(text).not.toContain('The money was back on');
  const back = shown(answer({ refund: { ...refund, completedAt: '2026-03-02T08:05:00.000Z' } }));
  expect(back).toContain('|The money was back on 2 Mar 2026, 11:05.|');
  expect(back).not.toContain('at the latest');
});

test('MNY-5 no hour is promised for a provider that tells none', () => {
  const orange = { paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'ORANGE' };
  const text = shown(answer({ ...orange, refund: { startedAt: '2026-03-02T08:00:00.000Z' } }));
  expect(text).toContain('|The refund was started on 2 Mar 2026, 11:00.|');
  expect(text).toContain('|We are giving the money back. Orange Money has not told us when it will be there;');
  expect(text).not.toContain('at the latest');
  expect(text).not.toMatch(/3 Mar|24/);
});

test('MNY-7 a card page that was left says so and offers the other ways with the order; without that word the bank is waited for', () => {
  const order = { msisdn: '390000001', amount: 5_000, currency: 'MGA', transactionType: 'PREPAID_RECHARGE' };
  const card = { status: 'REQUEST_REGISTERED', moneyState: 'awaitingApproval', timeline: [], order };
  const byCard = { ...card, paymentMode: 'PAYMENT_GATEWAY', paymentGateway: 'CARD' };
  const left = shown(answer({ ...byCard, left: true }), 'sealed');
  expect(left).toContain('|The bank’s page says that you left it without paying. We have heard of no payment.');
  expect(left).toContain('|Pay another way|');
  expect(left).not.toContain('We are waiting for the bank');
  expect(left).not.toContain('Unsuccessful');
  expect(shown(answer({ ...byCard, paymentGateway: 'ORANGE', left: true }))).toContain(
    '|The page of Orange Money says',
  );
  expect(shown(answer(byCard))).toContain('|We are waiting for the bank.');
});

describe('STA-1 STA-2 the words of the wire, those that are misspelt and new ones too', () => {
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
    expect(text).toContain(`|${heading}|Dear customer (39 •• ••• 01),|Your transaction is ${outcome}.|`);
  });
});
