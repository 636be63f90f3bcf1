import type { WireFacts } from '../wire-facts.ts';

export const billingFacts: WireFacts = {
  title: 'Billing system: TM Forum TMF678 and TMF676',
  summary:
    'Tells what is owed, and takes payments for it. A payment carries our reference; the list is looked at before every retry.',
  sources: {
    tmf: 'TM Forum TMF678 Customer Bill Management v4, TMF676 Payment Management v4, TMF666 Account Management v4',
    seed: 'the operator’s own specification',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    {
      fact: 'A bill is new, onHold, validated, sent, partiallyPaid or settled; remainingAmount is what is owed.',
      certainty: 'documented',
      source: 'tmf',
    },
    {
      fact: 'correlatorId of a payment is our reference, and payments can be listed by it.',
      certainty: 'documented',
      source: 'tmf',
      ifWrong: 'A list that cannot be read is unclear, and nothing is sent again.',
    },
    {
      fact: 'A payment shows in the list up to ten minutes later (PROVIDER_LAGS).',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'A longer lag must be set, or a bill could be paid twice.',
    },
  ],
  codes: [
    { code: 'done', says: 'booked', read: 'delivered', certainty: 'documented', source: 'tmf' },
    { code: 'rejected', says: 'not booked', read: 'refused', certainty: 'documented', source: 'tmf' },
    { code: 'cancelled', says: 'taken back', read: 'refused', certainty: 'documented', source: 'tmf' },
    { code: 'failed', says: 'not booked', read: 'refused', certainty: 'documented', source: 'tmf' },
    {
      code: '60119',
      says: 'account and number do not belong together',
      read: 'mismatch',
      certainty: 'documented',
      source: 'seed',
    },
    { code: '60005', says: 'no such account', read: 'unknown', certainty: 'documented', source: 'seed' },
    { code: 'pending', says: 'taken in', read: 'unclear', certainty: 'documented', source: 'tmf' },
  ],
  examples: [
    {
      call: 'payment',
      status: 201,
      json: { id: 'p1', status: 'done' },
      reads: { kind: 'delivered', providerReference: 'p1' },
    },
    ...['rejected', 'cancelled', 'failed'].map((status) => ({
      ...{ call: 'payment', status: 201, json: { id: 'p1', status }, reads: { kind: 'refused', detail: status } },
    })),
    {
      call: 'payment',
      status: 201,
      json: { id: 'p1', status: 'pending' },
      reads: { kind: 'unclear', detail: 'pending' },
    },
    { call: 'match', status: 422, json: { code: '60119', message: 'No' }, reads: { kind: 'mismatch' } },
    { call: 'match', status: 404, json: { code: 60005, message: 'No' }, reads: { kind: 'unknown' } },
  ],
};
