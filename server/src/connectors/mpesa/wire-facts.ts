import type { CodeFact, WireFacts } from '../wire-facts.ts';

const published = (code: string, says: string, read: string): CodeFact => ({
  ...{ code, says, read, certainty: 'documented', source: 'codes' },
});

const ended = (code: string | number) => ({
  ...{ ResponseCode: '0', MerchantRequestID: '29115-34620561-1', CheckoutRequestID: 'ws_CO_1', ResultCode: code },
});

export const mpesaFacts: WireFacts = {
  title: 'M-Pesa: Safaricom’s Daraja, STK push',
  summary:
    'A push to the payer’s phone. There is no key of ours that the provider would refuse twice, so a push is sent once and never again.',
  sources: {
    portal:
      'Safaricom’s developer portal, developer.safaricom.co.ke/APIs: M-PESA Express, Reversals, Pull Transactions',
    codes: 'the result codes of the portal, as three public references repeat them',
    clients: 'public clients, which disagree where noted',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    {
      fact: 'Amounts are whole major units.',
      certainty: 'documented',
      source: 'portal',
      ifWrong: 'An amount with a fraction is refused before anything is sent.',
    },
    { fact: 'ResultCode comes as a number or as a string.', certainty: 'documented', source: 'clients' },
    {
      fact: 'Callbacks are not signed.',
      certainty: 'documented',
      source: 'portal',
      ifWrong: 'The address carries a mark of ours, and a callback only makes the portal ask.',
    },
    {
      fact: 'The query repeats no amount and no receipt; the callback and the list have both.',
      certainty: 'documented',
      source: 'portal',
      ifWrong:
        'Where neither states it within five minutes, it counts as taken as it was asked for, which the CheckoutRequestID names; the daily comparison finds a difference.',
    },
    {
      fact: 'A debit may come after the query said that the push expired.',
      certainty: 'believed',
      source: 'clients',
      ifWrong: 'Late money is looked for in the list for the provider’s term, and goes back.',
    },
    { fact: 'The list shows the last 48 hours.', certainty: 'documented', source: 'portal' },
    {
      fact: 'A transaction is reversed once; a second request is answered R000001.',
      certainty: 'believed',
      source: 'clients',
      ifWrong: 'The list is looked at before every reversal.',
    },
  ],
  codes: [
    published('0', 'processed', 'paid'),
    published('1', 'not enough balance', 'refused: insufficientFunds'),
    published('1001', 'the subscriber is busy with another transaction', 'refused: requestOpen'),
    published('1019', 'the transaction expired', 'refused: expired'),
    published('1032', 'cancelled by the user', 'refused: declined'),
    published('1037', 'the user cannot be reached', 'refused: expired'),
    published('2001', 'wrong PIN', 'refused: wrongPin'),
    {
      code: '8006',
      says: 'the security credential is locked',
      read: 'refused: walletLocked',
      certainty: 'believed',
      source: 'clients',
    },
    published('17', 'internal failure, or the receiver is not available', 'unclear'),
    published('26', 'the system is busy', 'unclear'),
    published('1025', 'the push could not be sent', 'unclear'),
    published('9999', 'the push could not be sent', 'unclear'),
    {
      code: '500.001.1001',
      says: 'being processed, by some a duplicate',
      read: 'pending',
      certainty: 'believed',
      source: 'clients',
    },
    published('400.002.02', 'bad request, with the field in words', 'refused: noWallet or refusedByProvider'),
    published('404.001.03', 'invalid access token', 'a new token'),
    { code: '400.003.01', says: 'invalid access token', read: 'a new token', certainty: 'believed', source: 'clients' },
    { code: 'R000001', says: 'already reversed', read: 'refunded', certainty: 'believed', source: 'clients' },
    published('1000', 'a list of transactions follows', 'list'),
  ],
  examples: [
    {
      call: 'start',
      status: 200,
      json: {
        MerchantRequestID: '29115-34620561-1',
        CheckoutRequestID: 'ws_CO_1',
        ResponseCode: '0',
        ResponseDescription: 'Success. Request accepted for processing',
      },
      reads: { kind: 'await', providerReference: 'ws_CO_1' },
    },
    {
      call: 'start',
      status: 400,
      json: { requestId: '1', errorCode: '400.002.02', errorMessage: 'Bad Request - Invalid PhoneNumber' },
      reads: { kind: 'refused', reason: 'noWallet' },
    },
    {
      call: 'enquire',
      status: 200,
      json: ended(0),
      reads: { kind: 'paid', providerReference: 'ws_CO_1', amount: null, currency: null },
    },
    ...(
      [
        ['1', 'insufficientFunds'],
        [1001, 'requestOpen'],
        ['1019', 'expired'],
        ['1032', 'declined'],
        ['1037', 'expired'],
        ['2001', 'wrongPin'],
        ['8006', 'walletLocked'],
      ] as const
    ).map(([code, reason]) => ({
      call: 'enquire',
      status: 200,
      json: ended(code),
      reads: { kind: 'refused', reason },
    })),
    ...['17', '26', '1025', '9999'].map((code) => ({
      ...{ call: 'enquire', status: 200, json: ended(code), reads: { kind: 'unclear', detail: `result ${code}` } },
    })),
    {
      call: 'enquire',
      status: 500,
      json: { requestId: '1', errorCode: '500.001.1001', errorMessage: 'The transaction is being processed' },
      reads: { kind: 'pending' },
    },
    {
      call: 'refund',
      status: 200,
      json: { OriginatorConversationID: '1', ConversationID: 'AG_1', ResponseCode: '0' },
      reads: { kind: 'unclear', detail: 'the reversal was accepted' },
    },
    {
      call: 'refund',
      status: 200,
      json: { ConversationID: 'AG_1', ResponseCode: 'R000001' },
      reads: { kind: 'refunded' },
    },
    {
      call: 'token',
      status: 404,
      json: { errorCode: '404.001.03', errorMessage: 'Invalid Access Token' },
      reads: { isRefused: true },
    },
    {
      call: 'token',
      status: 400,
      json: { errorCode: '400.003.01', errorMessage: 'Invalid Access Token' },
      reads: { isRefused: true },
    },
    {
      call: 'list',
      status: 200,
      json: {
        ResponseCode: '1000',
        Response: [
          [{ transactionId: 'SAA1', transactiontype: 'c2b-pay-bill-debit', billreference: 'abc', amount: '5000.00' }],
        ],
      },
      reads: [{ transactionId: 'SAA1', billReference: 'abc', amount: 5_000, isReversal: false }],
    },
  ],
};
