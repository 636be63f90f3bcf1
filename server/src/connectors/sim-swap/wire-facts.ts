import type { WireFacts } from '../wire-facts.ts';

export const simSwapFacts: WireFacts = {
  title: 'SIM swap: CAMARA',
  summary:
    'Whether a number got another SIM within so many hours. No answer is a reason to ask for more proof, never to let through.',
  sources: { camara: 'CAMARA SIM Swap, github.com/camaraproject/SimSwap: sim-swap.yaml, POST /check' },
  facts: [
    { fact: 'POST /check {phoneNumber, maxAge} answers {swapped}.', certainty: 'documented', source: 'camara' },
    { fact: 'phoneNumber is in E.164 with plus.', certainty: 'documented', source: 'camara' },
  ],
  codes: [],
  examples: [
    { call: 'check', status: 200, json: { swapped: true }, reads: { kind: 'swapped' } },
    { call: 'check', status: 200, json: { swapped: false }, reads: { kind: 'notSwapped' } },
    {
      call: 'check',
      status: 404,
      json: { status: 404, code: 'IDENTIFIER_NOT_FOUND' },
      reads: { kind: 'unclear', detail: 'HTTP 404' },
    },
  ],
};
