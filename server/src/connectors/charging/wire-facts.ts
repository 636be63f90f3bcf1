import type { WireFacts } from '../wire-facts.ts';

export const chargingFacts: WireFacts = {
  title: 'Charging system: TM Forum TMF654 (airtime, bundles, payment by airtime)',
  summary:
    'Top-ups carry no key of ours that the system would refuse twice: the history is looked at before every retry. A payment by airtime reserves, then commits or releases.',
  sources: {
    tmf: 'TM Forum TMF654 Prepay Balance Management v4 and TMF639 Resource Inventory v4, user guides and OpenAPI files',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    {
      fact: 'A top-up, a reservation and an adjustment have a status: created, failed, cancelled, completed.',
      certainty: 'documented',
      source: 'tmf',
    },
    {
      fact: 'balanceActionHistory lists them, with the payment’s id that we gave.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'An entry that does not say whose payment it is makes the look unclear, and nothing is sent again.',
    },
    {
      fact: 'What was done may show in the history up to ten minutes later (PROVIDER_LAGS).',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'A longer lag must be set, or a delivery could be made twice.',
    },
    {
      fact: 'A refusal names its reason in words: insufficient balance.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'Any other words are a refusal without a reason.',
    },
  ],
  codes: [
    { code: 'completed', says: 'done', read: 'done', certainty: 'documented', source: 'tmf' },
    { code: 'failed', says: 'not done', read: 'refused', certainty: 'documented', source: 'tmf' },
    { code: 'cancelled', says: 'taken back', read: 'refused', certainty: 'documented', source: 'tmf' },
    { code: 'created', says: 'taken in', read: 'unclear', certainty: 'documented', source: 'tmf' },
  ],
  examples: [
    { call: 'action', status: 201, json: { id: 't1', status: 'completed' }, reads: { kind: 'done', id: 't1' } },
    {
      call: 'action',
      status: 201,
      json: { id: 't1', status: 'failed', reason: 'insufficient balance' },
      reads: { kind: 'refused', reason: 'insufficient balance' },
    },
    {
      call: 'action',
      status: 201,
      json: { id: 't1', status: 'cancelled' },
      reads: { kind: 'refused', reason: 'cancelled' },
    },
    {
      call: 'action',
      status: 201,
      json: { id: 't1', status: 'created' },
      reads: { kind: 'unclear', detail: 'created' },
    },
  ],
};
