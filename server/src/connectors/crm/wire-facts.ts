import type { WireFacts } from '../wire-facts.ts';

const order = (state: string) => ({ id: 'o1', externalId: 'ref1', state, orderTotalPrice: [] });

export const crmFacts: WireFacts = {
  title: 'CRM: TM Forum TMF699 and TMF622',
  summary: 'Takes leads and paid orders under our ids, and tells how far a lead is.',
  sources: {
    tmf: 'TM Forum TMF699 Sales Management v4, TMF622 Product Ordering v4',
    none: 'nobody: the sandbox and the connector agree with each other only',
  },
  facts: [
    {
      fact: 'externalId is ours, and the same lead or order sent twice is one.',
      certainty: 'believed',
      source: 'none',
      ifWrong: 'The list is looked at before every retry of a paid order; a lead could be there twice.',
    },
    {
      fact: 'A lead is acknowledged, pending, inProgress, accepted, rejected or cancelled.',
      certainty: 'documented',
      source: 'tmf',
    },
  ],
  codes: [
    { code: 'acknowledged', says: 'the order was taken in', read: 'delivered', certainty: 'documented', source: 'tmf' },
    { code: 'rejected', says: 'the order was refused', read: 'refused', certainty: 'documented', source: 'tmf' },
    { code: 'cancelled', says: 'the order was taken back', read: 'refused', certainty: 'documented', source: 'tmf' },
    { code: 'failed', says: 'the order failed', read: 'refused', certainty: 'documented', source: 'tmf' },
  ],
  examples: [
    { call: 'order', status: 201, json: order('acknowledged'), reads: { kind: 'delivered', providerReference: 'o1' } },
    ...['rejected', 'cancelled', 'failed'].map((state) => ({
      ...{ call: 'order', status: 201, json: order(state), reads: { kind: 'refused', detail: state } },
    })),
  ],
};
