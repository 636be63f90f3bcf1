import type { PaymentReason } from './payment/reasons.ts';
import { refundHours, reviewHours } from './payment/schedule.ts';
import type { PaymentState } from './payment/transitions.ts';

/** Whose turn it is. `new`: customer care has not replied yet. */
export const ticketStates = ['new', 'waitingForUs', 'waitingForCustomer', 'solved'] as const;
export type TicketState = (typeof ticketStates)[number];

export const ticketAuthors = ['customer', 'care', 'portal'] as const;
export type TicketAuthor = (typeof ticketAuthors)[number];

/** Late promises about money, for which the portal opens a ticket itself. */
export const lateCauses = ['refundLate', 'reviewLate'] as const;
export type LateCause = (typeof lateCauses)[number];

/** The outcome of the money, as the portal writes it into such a ticket. */
export const moneyEnds = { SUCCEEDED: 'delivered', REFUNDED: 'refunded', FAILED: 'notTaken' } as const;
type MoneyEnd = (typeof moneyEnds)[keyof typeof moneyEnds];

/** All messages that the portal itself writes in a ticket. Their texts are in each language. */
export type PortalWord = LateCause | MoneyEnd;

export const ticketText = { least: 3, most: 1_000 } as const;

/** No letters or digits that are easily confused. */
export const ticketAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ticketLength = 8;
const pattern = new RegExp(`^[${ticketAlphabet}]{${ticketLength}}$`);

/** Formats the number in two groups for reading aloud. */
export const writeTicketNumber = (id: string): string => `${id.slice(0, 4)}-${id.slice(4)}`;

/** Parses a typed number, ignoring case and spaces; null if invalid. */
export function readTicketNumber(text: string): string | null {
  const plain = text.toUpperCase().replace(/[\s-]/g, '');
  return pattern.test(plain) ? plain : null;
}

/** The state of a ticket after somebody wrote in it. The portal's own messages do not count as a reply. */
export function afterWriting(state: TicketState, author: TicketAuthor): TicketState {
  if (author === 'care') return 'waitingForCustomer';
  if (author === 'portal' || state === 'new') return state;
  return 'waitingForUs';
}

export const isOurTurn = (state: TicketState): boolean => state === 'new' || state === 'waitingForUs';

const goingBack: readonly PaymentState[] = ['REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN'];

/** Which promise to the customer is late, by the times that the status page shows. */
export function lateCause(
  payment: { state: PaymentState; reason: PaymentReason | null; changed_at: Date; refund_expected_at: Date | null },
  { now, isRefundTimed }: { now: Date; isRefundTimed: boolean },
): LateCause | null {
  const { state, reason, changed_at, refund_expected_at: expected } = payment;
  const isPast = (hours: number) => changed_at.getTime() + hours * 3_600_000 < now.getTime();
  if (state === 'REVIEW') return isPast(reviewHours(reason)) ? 'reviewLate' : null;
  if (!goingBack.includes(state) || !isRefundTimed) return null;
  return (expected ? expected < now : isPast(refundHours)) ? 'refundLate' : null;
}
