import type { WireFacts } from '../wire-facts.ts';

export const smsFacts: WireFacts = {
  title: 'SMS centre: SMPP 3.4',
  summary:
    'One transceiver session, bound at the first message and again after it is lost. A message counts as sent when the centre took it.',
  sources: {
    smpp: 'SMPP Protocol Specification v3.4, SMPP Developers Forum',
    tried: 'tried against Debian’s libnet-smpp-perl SMSC and our own',
  },
  facts: [
    {
      fact: 'submit_sm_resp with command_status 0 means taken, not delivered.',
      certainty: 'documented',
      source: 'smpp',
    },
    {
      fact: 'registered_delivery 1 asks for a receipt: deliver_sm, esm_class 4, with message_state.',
      certainty: 'documented',
      source: 'smpp',
      ifWrong: 'Receipts are counted (portal_sms_receipts_total); nothing depends on them.',
    },
    {
      fact: 'At most ten messages wait for their answer at once.',
      certainty: 'believed',
      source: 'tried',
      ifWrong: 'A centre that takes fewer refuses (ESME_RTHROTTLED), and the message is sent again later.',
    },
    { fact: 'A session that leaves enquire_link unanswered is dead.', certainty: 'documented', source: 'smpp' },
  ],
  codes: [],
  examples: [],
};
