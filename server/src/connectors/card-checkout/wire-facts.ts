import type { CodeFact, WireFacts } from '../wire-facts.ts';

const published = (code: string, says: string, read: string): CodeFact => ({
  ...{ code, says, read, certainty: 'documented', source: 'portal' },
});
const seen = (status: string) => ({
  status: 'success',
  message: 'Transaction fetched successfully',
  data: { id: 288200108, tx_ref: 'ref1', status, amount: 5_000, charged_amount: 5_000, currency: 'XTS' },
});
const refunded = (status: string) => ({
  status: 'success',
  message: 'Transaction refund initiated',
  data: { id: 75923, tx_id: 288200108, amount_refunded: 5_000, status },
});

export const cardCheckoutFacts: WireFacts = {
  title: 'Cards: Flutterwave’s standard checkout',
  summary:
    'The customer pays on the gateway’s page. Its return and its notice are hints; the verification by reference counts.',
  sources: {
    portal: 'Flutterwave’s documentation, developer.flutterwave.com: Standard, Transaction Verification, Refunds',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    {
      fact: 'Amounts are major units with a fraction; amount may be more than what was asked for.',
      certainty: 'documented',
      source: 'portal',
      ifWrong: 'The smaller of amount and charged_amount counts.',
    },
    {
      fact: 'A failed attempt is not a failed payment: another card may be tried on the same page.',
      certainty: 'documented',
      source: 'portal',
    },
    {
      fact: 'verif-hash is a fixed secret; bodies are not signed.',
      certainty: 'documented',
      source: 'portal',
      ifWrong: 'A notice only makes the portal ask.',
    },
    {
      fact: 'A reference that nobody tried to pay is answered by the sentence "No transaction was found for this id".',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'Not found once is no proof: six answers and a day are.',
    },
    {
      fact: 'Who leaves the page by its own link comes back with status=cancelled; the page can still be paid.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'The status page says that it waits for the bank, and offers the other ways all the same.',
    },
    {
      fact: 'A page lives for some time after it was opened; how long is not said.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'Money that comes after the payment was closed is looked for, and goes back.',
    },
  ],
  codes: [
    published('successful', 'paid', 'paid'),
    published('failed', 'an attempt failed', 'attemptFailed'),
    published('pending', 'in process', 'pending'),
    published('completed', 'a refund was made', 'refunded'),
    {
      code: 'completed-momo',
      says: 'a refund went to mobile money',
      read: 'refunded',
      certainty: 'believed',
      source: 'none',
    },
  ],
  examples: [
    {
      call: 'start',
      status: 200,
      json: { status: 'success', message: 'Hosted Link', data: { link: 'https://checkout.example/pay/1' } },
      reads: { kind: 'link', url: 'https://checkout.example/pay/1' },
    },
    {
      call: 'enquire',
      status: 200,
      json: seen('successful'),
      reads: { kind: 'paid', providerReference: '288200108', amount: 5_000, currency: 'XTS' },
    },
    { call: 'enquire', status: 200, json: seen('failed'), reads: { kind: 'attemptFailed' } },
    { call: 'enquire', status: 200, json: seen('pending'), reads: { kind: 'pending' } },
    {
      call: 'enquire',
      status: 400,
      json: { status: 'error', message: 'No transaction was found for this id', data: null },
      reads: { kind: 'notFound' },
    },
    { call: 'refund', status: 200, json: refunded('completed'), reads: { kind: 'refunded' } },
    { call: 'refund', status: 200, json: refunded('completed-momo'), reads: { kind: 'refunded' } },
  ],
};
