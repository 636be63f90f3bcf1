import type { CodeFact, WireFacts } from '../wire-facts.ts';

const published = (code: string, says: string, read: string): CodeFact => ({
  ...{ code, says, read, certainty: 'documented', source: 'portal' },
});
const seen = (status: string, more: object = {}) => ({
  status: true,
  message: 'Verification successful',
  data: {
    ...{ id: 4099260516, domain: 'test', status, reference: 'ref1', amount: 500_000, currency: 'NGN' },
    ...{ created_at: '2026-03-02T08:00:00.000Z', ...more },
  },
});

export const paystackFacts: WireFacts = {
  title: 'Paystack: popup',
  summary:
    'The server registers the payment, the browser resumes it in the provider’s popup, and only the server’s own verification counts.',
  sources: {
    portal: 'Paystack’s API reference, paystack.com/docs/api: Transaction, Refund; paystack.com/docs/payments/webhooks',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    { fact: 'Amounts are hundredths, whatever the currency.', certainty: 'documented', source: 'portal' },
    { fact: 'It settles GHS, KES, NGN, ZAR and USD, and nothing else.', certainty: 'documented', source: 'portal' },
    { fact: 'A repeated reference is refused: duplicate_reference.', certainty: 'documented', source: 'portal' },
    {
      fact: 'A payment that failed may be tried again in the same popup.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'Money that comes after a failure is looked for, and goes back; it is never kept.',
    },
    {
      fact: 'A popup that is closed calls onCancel; the payment stays abandoned, and can still be paid.',
      certainty: 'documented',
      source: 'portal',
    },
    {
      fact: 'x-paystack-signature is HMAC-SHA-512 of the raw body under the secret key, without a time.',
      certainty: 'documented',
      source: 'portal',
    },
    {
      fact: 'Fees may be added: requested_amount is what was asked for.',
      certainty: 'documented',
      source: 'portal',
      ifWrong: 'The smaller of the two counts.',
    },
  ],
  codes: [
    published('success', 'paid', 'paid'),
    published('failed', 'failed', 'refused: by gateway_response'),
    published('abandoned', 'nobody finished it', 'pending; after a day refused: expired'),
    published('ongoing', 'the customer is at it', 'pending'),
    published('pending', 'in process', 'pending'),
    published('processing', 'in process', 'pending'),
    published('queued', 'in process', 'pending'),
    published('reversed', 'given back, perhaps in part', 'unclear'),
    {
      code: 'unsupported_currency',
      says: 'currency not supported',
      read: 'refused: refusedByProvider',
      certainty: 'believed',
      source: 'none',
    },
    {
      code: 'invalid_amount',
      says: 'invalid amount',
      read: 'refused: refusedByProvider',
      certainty: 'believed',
      source: 'none',
    },
    {
      code: 'invalid_email_address',
      says: 'invalid email',
      read: 'refused: refusedByProvider',
      certainty: 'believed',
      source: 'none',
    },
    published('duplicate_reference', 'the reference was used', 'unclear'),
    published('transaction_not_found', 'no such reference', 'notFound'),
    published('Declined', 'the bank declined', 'refused: declined'),
    published('Insufficient Funds', 'the card has not enough', 'refused: insufficientFunds'),
    published('processed', 'a refund was made', 'refunded'),
  ],
  examples: [
    {
      call: 'start',
      status: 200,
      json: {
        status: true,
        message: 'Authorization URL created',
        data: { authorization_url: 'https://checkout.paystack.com/x', access_code: 'x1', reference: 'ref1' },
      },
      reads: { kind: 'registered', accessCode: 'x1' },
    },
    ...['unsupported_currency', 'invalid_amount', 'invalid_email_address'].map((code) => ({
      ...{ call: 'start', status: 400, json: { status: false, message: 'No', code } },
      reads: { kind: 'refused', reason: 'refusedByProvider' },
    })),
    {
      call: 'start',
      status: 400,
      json: { status: false, message: 'Duplicate Transaction Reference', code: 'duplicate_reference' },
      reads: { kind: 'unclear', detail: 'duplicate_reference', isRepeated: true },
    },
    {
      call: 'enquire',
      status: 200,
      json: seen('success'),
      reads: { kind: 'paid', providerReference: '4099260516', amount: 500_000, currency: 'NGN' },
    },
    {
      call: 'enquire',
      status: 200,
      json: seen('failed', { gateway_response: 'Declined' }),
      reads: { kind: 'refused', reason: 'declined' },
    },
    {
      call: 'enquire',
      status: 200,
      json: seen('failed', { gateway_response: 'Insufficient Funds' }),
      reads: { kind: 'refused', reason: 'insufficientFunds' },
    },
    ...['abandoned', 'ongoing', 'pending', 'processing', 'queued'].map((status) => ({
      ...{ call: 'enquire', status: 200, json: seen(status), reads: { kind: 'pending' } },
    })),
    { call: 'enquire', status: 200, json: seen('reversed'), reads: { kind: 'unclear', detail: 'reversed' } },
    {
      call: 'enquire',
      status: 404,
      json: { status: false, message: 'Transaction reference not found.', code: 'transaction_not_found' },
      reads: { kind: 'notFound' },
    },
    {
      call: 'refund',
      status: 200,
      json: { status: true, data: { transaction: 4099260516, amount: 500_000, status: 'processed' } },
      reads: { kind: 'refunded' },
    },
    {
      call: 'refund',
      status: 200,
      json: { status: true, data: { transaction: { id: 4099260516 }, amount: 500_000, status: 'pending' } },
      reads: { kind: 'unclear', detail: 'refund pending' },
    },
  ],
};
