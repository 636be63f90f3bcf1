import type { WireFacts } from '../wire-facts.ts';
import { defaultCodes } from './messages.ts';

const coded = (code: string) => ({
  ...{ code, transaction: { reference: 'ref1', transactionId: 'SC-1', amount: 5_000, currency: 'NGN' } },
});
const known = ['56D005', '1006'];

export const smartcashFacts: WireFacts = {
  title: 'SmartCash PSB',
  summary:
    'No specification is public. Everything but two codes is what the sandbox speaks: paths, headers and codes are settings, to be taken from the contract.',
  sources: {
    seed: 'the operator’s own specification',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    {
      fact: 'A charge carries the PIN, encrypted, and is decided when it is answered.',
      certainty: 'documented',
      source: 'seed',
      ifWrong: 'Even "paid" is only a reason to enquire at once.',
    },
    {
      fact: 'A repeated reference takes nothing.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'It is never sent again without an answer; three looks over the lag come first.',
    },
  ],
  codes: Object.entries(defaultCodes).map(([code, read]) => ({
    code,
    says: read,
    read,
    ...(known.includes(code)
      ? ({ certainty: 'documented', source: 'seed' } as const)
      : ({ certainty: 'believed', source: 'none' } as const)),
  })),
  examples: [
    { call: 'start', status: 200, json: coded('SC001'), reads: { kind: 'await', isDecided: true } },
    ...(
      [
        ['56D005', 'wrongPin'],
        ['1006', 'walletLocked'],
        ['SC101', 'declined'],
        ['SC102', 'insufficientFunds'],
        ['SC103', 'noWallet'],
        ['SC104', 'limitExceeded'],
        ['SC105', 'expired'],
        ['SC106', 'refusedByProvider'],
      ] as const
    ).map(([code, reason]) => ({ call: 'start', status: 200, json: coded(code), reads: { kind: 'refused', reason } })),
    {
      call: 'enquire',
      status: 200,
      json: coded('SC000'),
      reads: { kind: 'paid', providerReference: 'SC-1', amount: 5_000, currency: 'NGN' },
    },
    { call: 'enquire', status: 200, json: coded('SC002'), reads: { kind: 'pending' } },
    { call: 'enquire', status: 200, json: { code: 'SC201' }, reads: { kind: 'notFound' } },
    { call: 'refund', status: 200, json: coded('SC003'), reads: { kind: 'refunded' } },
    { call: 'user', status: 200, json: { code: 'SC004', user: { msisdn: '390000001' } }, reads: { answer: 'yes' } },
  ],
};
