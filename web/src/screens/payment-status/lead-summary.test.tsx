import { transactionResult } from '@portal/contract/transaction.ts';
import { publicPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Page, PageContext } from '../../lib/page.tsx';
import { translator } from '../../lib/translate.ts';
import { LeadSummary } from './lead-summary.tsx';

/** The portal's response for a paid lead; leadId is missing where the CRM has no number for it. */
const answer = (more: object) =>
  transactionResult.parse({
    status: 'SUCCESS',
    transactionStatus: 'SUCCESS',
    transactionId: '0123456789abcdefghjkmnpqrs',
    transactionType: 'HBB_LEADS',
    paymentMode: 'FANILO_MONEY',
    paymentGateway: 'FANILO_MONEY',
    mobileNumber: '39 •• ••• 01',
    msisdn: '39 •• ••• 01',
    currencyCode: 'MGA',
    amount: 90_000,
    bundleDescription: '50 GB, 30 days',
    metaInfo: { note: 'A note.', message: 'A message.', lineType: 'PREPAID', email: 'l•••@example.mg' },
    reference: 'ABCD2345',
    moneyState: 'delivered',
    timeline: [],
    final: true,
    ...more,
  });

const t = translator({
  'status.leadMissing': 'Your request has no number yet.',
  'status.leadErased': 'Your request has been erased. Call {care}.',
  'common.mobileNumber': 'Mobile number',
});
const operator = publicPack(pack);
const page = { operator, language: operator.languages[0], t } as Page;
const shown = (transaction: ReturnType<typeof answer>) =>
  renderToStaticMarkup(
    <PageContext value={page}>
      <LeadSummary transaction={transaction} number={transaction.mobileNumber} />
    </PageContext>,
  );

test('MNY-3 an unpaid order promises no call and no installation', () => {
  expect(shown(answer({}))).toContain('A message.');
  expect(shown(answer({ status: 'FAILED' }))).not.toMatch(/A note|A message/);
});

test('STA-4 of an erased lead the page says so, without an empty row or a promise', () => {
  const erased = shown(answer({ metaInfo: { isErased: true }, mobileNumber: '', msisdn: '' }));
  expect(erased).toContain('Your request has been erased. Call ');
  expect(erased).not.toMatch(/A note|A message|has no number|Mobile number|<dl/);
  // Without the request the payment may still have a number.
  expect(shown(answer({ metaInfo: { isErased: true } }))).toContain('Mobile number');
});

test('STA-4 a success without a lead id says so, and only a success', () => {
  expect(shown(answer({}))).toContain('Your request has no number yet.');
  expect(shown(answer({ status: 'REQUEST_RAISED' }))).not.toContain('has no number');
  expect(shown(answer({ status: 'FAILED' }))).not.toContain('has no number');
  const { metaInfo } = answer({});
  const numbered = shown(answer({ metaInfo: { ...metaInfo, leadId: 'HB00000000000000000001' } }));
  expect(numbered).toContain('HB00000000000000000001');
  expect(numbered).not.toContain('has no number');
});
