import { paymentReasons } from '@portal/domain/payment/reasons.ts';
import { velocityNames } from '@portal/domain/risk.ts';
import { lateCauses, moneyEnds } from '@portal/domain/ticket.ts';

const each = (prefix: string, codes: readonly string[]) => codes.map((code) => `${prefix}.${code}`);

/** Every code of a payment's story; a test checks that the console has a text for each in every language. */
export const storyCodes: readonly string[] = [
  ...each('evidence.start', ['accepted', 'refused', 'unclear']),
  ...each('evidence.enquire', ['paid', 'refused', 'pending', 'notFound', 'unclear']),
  ...each('evidence.deliver', ['delivered', 'refused', 'unclear']),
  ...each('evidence.findDelivery', ['delivered', 'notFound', 'unclear']),
  ...each('evidence.refund', ['refunded', 'unclear']),
  ...each('evidence.findRefund', ['refunded', 'notFound', 'unclear']),
  ...each('side', ['accepted', 'refused', 'unclear', 'paid', 'pending', 'notFound', 'refunded', 'delivered', 'sent']),
  ...each('posting', ['paid', 'delivered', 'refunded', 'goodwill']),
  ...each('goodwill', ['due', 'sending', 'unknown', 'given', 'refused', 'stuck']),
  ...each('risk', ['allow', 'ask', 'hold', 'answered']),
  ...each('rule', [...velocityNames, 'newNumber', 'simSwap']),
  ...each('reason', paymentReasons),
  ...each('message', [
    'delivered',
    'received',
    'notTaken',
    'lookedInto',
    'goingBack',
    'givenBack',
    'goodwill',
    'careWrote',
  ]),
  ...each('way', ['sms', 'mail']),
  ...each('outcome', ['sent', 'failed', 'overBudget']),
  ...each('ticket.opened', ['customer', 'portal']),
  ...each('ticket', ['wrote']),
  ...each('ticket.said', [...lateCauses, ...Object.values(moneyEnds)]),
  ...each('act.payment', ['revealed', 'claimed', 'letGo', 'asked', 'settled', 'receiptAgain']),
  ...['refund', 'goodwill'].flatMap((kind) =>
    each(`act.${kind}`, ['proposed', 'approved', 'refused', 'withdrawn', 'doneAlone']),
  ),
  ...each('act.call', ['refused']),
  ...each('act.ticket', ['opened', 'answered', 'solved', 'reopened']),
];
