import type { CodeFact, WireFacts } from '../wire-facts.ts';

const published = (code: string, says: string, read: string): CodeFact => ({
  ...{ code, says, read, certainty: 'documented', source: 'portal' },
});
const seen = (status: string, more: object = {}) => ({ status, order_id: 'ref1', ...more });

export const orangeMoneyFacts: WireFacts = {
  title: 'Orange Money WebPay',
  summary:
    'The customer confirms on Orange’s page within ten minutes. The notice names neither amount nor payer; the status call counts.',
  sources: {
    portal: 'Orange’s developer portal, developer.orange.com/apis/om-webpay: Getting started, API reference',
    clients: 'public clients',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    { fact: 'Amounts are whole units; the sandbox’s currency is OUV.', certainty: 'documented', source: 'portal' },
    {
      fact: 'pay_token is needed to ask, and is given once, with the page.',
      certainty: 'documented',
      source: 'portal',
      ifWrong: 'Without it the payment stays unclear, and a person gets it.',
    },
    {
      fact: 'The notice carries status, notif_token and txnid, unsigned.',
      certainty: 'documented',
      source: 'portal',
      ifWrong: 'Its address carries a mark of ours, and it only makes the portal ask.',
    },
    {
      fact: 'A customer who leaves the page is sent to cancel_url, one who has confirmed to return_url.',
      certainty: 'documented',
      source: 'portal',
    },
    {
      fact: 'The status call says nothing of a page that was left: it is INITIATED or PENDING until it expires.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'FAILED ends the payment as soon as it is said.',
    },
    {
      fact: 'There is a refund call, and it refuses a second refund.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'No refund is promised by an hour; what is not proved goes to a person.',
    },
  ],
  codes: [
    published('SUCCESS', 'paid', 'paid'),
    published('FAILED', 'failed', 'refused: refusedByProvider'),
    published('EXPIRED', 'not confirmed in time', 'refused: expired'),
    published('INITIATED', 'the page is open', 'pending'),
    published('PENDING', 'being confirmed', 'pending'),
    { code: 'ALREADY_REFUNDED', says: 'refunded before', read: 'refunded', certainty: 'believed', source: 'none' },
  ],
  examples: [
    {
      call: 'start',
      status: 201,
      json: {
        status: 201,
        message: 'OK',
        pay_token: 'v1',
        payment_url: 'https://checkout.example/pay/v1',
        notif_token: 'n1',
      },
      reads: { kind: 'page', url: 'https://checkout.example/pay/v1', payToken: 'v1' },
    },
    {
      call: 'enquire',
      status: 201,
      json: seen('SUCCESS', { txnid: 'MP1' }),
      reads: { kind: 'paid', providerReference: 'v1 MP1', amount: null, currency: null },
    },
    { call: 'enquire', status: 201, json: seen('FAILED'), reads: { kind: 'refused', reason: 'refusedByProvider' } },
    { call: 'enquire', status: 201, json: seen('EXPIRED'), reads: { kind: 'refused', reason: 'expired' } },
    { call: 'enquire', status: 201, json: seen('INITIATED'), reads: { kind: 'pending' } },
    { call: 'enquire', status: 201, json: seen('PENDING'), reads: { kind: 'pending' } },
    {
      call: 'refund',
      status: 200,
      json: { status: 'ALREADY_REFUNDED', order_id: 'ref1' },
      reads: { kind: 'refunded' },
    },
  ],
};
