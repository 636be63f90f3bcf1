import type { CodeFact, WireFacts } from '../wire-facts.ts';

const published = (code: string, says: string, read: string): CodeFact => ({
  ...{ code, says, read, certainty: 'documented', source: 'codes' },
});

const ended = (code: string, status: string) => ({
  status: { success: false, response_code: code },
  data: { transaction: { id: 'ref1', status } },
});

export const walletFacts: WireFacts = {
  title: 'The operator’s own wallet: Airtel Africa’s open API',
  summary:
    'A push to the payer’s phone, or a PIN that comes with the request. Decided on the transaction’s own status in the enquiry, never on the outer SUCCESS.',
  sources: {
    portal: 'Airtel Africa’s developer portal, developers.airtel.africa: Collection-APIs, Encryption, User Enquiry',
    codes: 'the code table of Collection-APIs as five independent public clients carry it, in the same words',
    clients: 'public clients in use in Madagascar and Uganda, which disagree where noted',
    seed: 'the operator’s own specification',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    {
      fact: 'A repeated transaction id is answered HTTP 200, ESB000041, success false, and takes nothing.',
      certainty: 'believed',
      source: 'clients',
      ifWrong: 'It is never sent again without an answer; three looks over the lag come first.',
    },
    {
      fact: 'The acceptance says SUCCESS and means that the request is in process.',
      certainty: 'documented',
      source: 'portal',
    },
    {
      fact: 'An enquiry may leave amount and currency out.',
      certainty: 'believed',
      source: 'clients',
      ifWrong:
        'Without them our own request’s amount counts; with them they are compared. WALLET_ENQUIRY_STATES_AMOUNT demands them.',
    },
    {
      fact: 'A refund may be answered success false and be done all the same.',
      certainty: 'believed',
      source: 'clients',
      ifWrong: 'Only success true or "already refunded" counts; anything else is asked about until a person gets it.',
    },
    {
      fact: 'The callback’s hash is HMAC-SHA-256 in base64 over the transaction object; which key is disputed.',
      certainty: 'believed',
      source: 'clients',
      ifWrong: 'A callback only makes the portal ask; two keys can be configured.',
    },
    {
      fact: 'x-signature is AES-256-CBC of the exact body; x-key the key and vector under RSA, OAEP or PKCS#1 v1.5.',
      certainty: 'believed',
      source: 'clients',
      ifWrong: 'The padding is a setting; a wrong one is refused (DP00800001026) before money moves.',
    },
    {
      fact: 'A list of a day’s transactions has a count of all and pages.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'A list that does not add up is no list: the comparison says that it had none.',
    },
  ],
  codes: [
    published('DP00800001001', 'success', 'accepted; user: has a wallet'),
    published('DP00800001002', 'incorrect PIN', 'refused: wrongPin'),
    published('DP00800001003', 'exceeds the wallet’s limit', 'refused: limitExceeded'),
    published('DP00800001004', 'amount below the least allowed', 'refused: refusedByProvider'),
    published('DP00800001005', 'transaction id invalid, or no PIN entered', 'refused: refusedByProvider'),
    published('DP00800001007', 'not enough balance', 'refused: insufficientFunds'),
    published('DP00800001008', 'refused', 'refused: declined'),
    published('DP00800001009', 'do not honor: a generic refusal', 'refused: declined'),
    published('DP00800001010', 'not permitted: barred, leaving or not registered', 'refused: walletLocked'),
    published('DP00800001025', 'transaction not found', 'notFound'),
    published('DP00800001026', 'signature and payload do not match', 'refused: refusedByProvider'),
    published('DP00800001029', 'transaction expired', 'refused: expired'),
    { code: 'DP00800001012', says: 'no such wallet', read: 'refused: noWallet', certainty: 'believed', source: 'none' },
    { code: 'DP00800001041', says: 'already refunded', read: 'refunded', certainty: 'believed', source: 'none' },
    {
      code: 'ESB000041',
      says: 'repeated transaction id',
      read: 'unclear: enquire',
      certainty: 'believed',
      source: 'clients',
    },
    published('DP00800001000', 'ambiguous: enquire', 'unclear'),
    published('DP00800001006', 'in process', 'unclear'),
    published('DP00800001024', 'timed out', 'unclear'),
    published('TS', 'transaction successful', 'paid'),
    published('TF', 'transaction failed', 'refused: by the response code'),
    published('TE', 'transaction expired', 'refused: expired'),
    published('TIP', 'transaction in progress', 'pending'),
    published('TA', 'transaction ambiguous', 'unclear'),
    { code: 'TR', says: 'reversed, in a list', read: 'taken and given back', certainty: 'believed', source: 'none' },
  ],
  examples: [
    {
      call: 'start',
      status: 200,
      json: { status: { success: true, response_code: 'DP00800001006', result_code: 'ESB000010' } },
      reads: { kind: 'await' },
    },
    ...(
      [
        ['DP00800001002', 'wrongPin'],
        ['DP00800001003', 'limitExceeded'],
        ['DP00800001004', 'refusedByProvider'],
        ['DP00800001005', 'refusedByProvider'],
        ['DP00800001007', 'insufficientFunds'],
        ['DP00800001008', 'declined'],
        ['DP00800001009', 'declined'],
        ['DP00800001010', 'walletLocked'],
        ['DP00800001012', 'noWallet'],
        ['DP00800001026', 'refusedByProvider'],
        ['DP00800001029', 'expired'],
      ] as const
    ).map(([code, reason]) => ({
      call: 'start',
      status: 200,
      json: { status: { success: false, response_code: code } },
      reads: { kind: 'refused', reason },
    })),
    ...['DP00800001000', 'DP00800001024'].map((code) => ({
      call: 'start',
      status: 200,
      json: { status: { success: false, response_code: code } },
      reads: { kind: 'unclear', detail: code },
    })),
    {
      call: 'start',
      status: 200,
      json: { status: { success: false, result_code: 'ESB000041', response_code: 'DP00800001005' } },
      reads: { kind: 'unclear', detail: 'ESB000041', isRepeated: true },
    },
    {
      call: 'enquire',
      status: 200,
      json: {
        data: { transaction: { id: 'ref1', airtel_money_id: 'MP240101.1200.A00001', status: 'TS', message: 'Paid' } },
        status: { success: true, response_code: 'DP00800001001' },
      },
      reads: { kind: 'paid', providerReference: 'MP240101.1200.A00001', amount: null, currency: null },
    },
    {
      call: 'enquire',
      status: 200,
      json: ended('DP00800001007', 'TF'),
      reads: { kind: 'refused', reason: 'insufficientFunds' },
    },
    { call: 'enquire', status: 200, json: ended('DP00800001029', 'TE'), reads: { kind: 'refused', reason: 'expired' } },
    { call: 'enquire', status: 200, json: ended('DP00800001006', 'TIP'), reads: { kind: 'pending' } },
    { call: 'enquire', status: 200, json: ended('DP00800001000', 'TA'), reads: { kind: 'unclear', detail: 'TA' } },
    {
      call: 'enquire',
      status: 200,
      json: { data: null, status: { success: false, response_code: 'DP00800001025' } },
      reads: { kind: 'notFound' },
    },
    {
      call: 'refund',
      status: 200,
      json: { status: { success: true, response_code: 'DP00800001001' } },
      reads: { kind: 'refunded' },
    },
    {
      call: 'refund',
      status: 200,
      json: { status: { success: false, response_code: 'DP00800001041' } },
      reads: { kind: 'refunded' },
    },
    {
      call: 'list',
      status: 200,
      json: {
        data: { count: 1, transactions: [{ transaction_id: 'ref1', amount: '5000', currency: 'XTS', status: 'TR' }] },
        status: { success: true },
      },
      reads: { count: 1, listed: 1, entries: [{ reference: 'ref1', amount: 5_000, currency: 'XTS', givenBack: true }] },
    },
  ],
};
