import type { PaymentReason } from './payment/reasons.ts';
import { refundHours, reviewHours } from './payment/schedule.ts';
import type { PaymentState } from './payment/transitions.ts';

/** Whose turn it is. `new`: nobody of ours has answered yet. */
export const ticketStates = ['new', 'waitingForUs', 'waitingForCustomer', 'solved'] as const;
export type TicketState = (typeof ticketStates)[number];

export const ticketAuthors = ['customer', 'care', 'portal'] as const;
export type TicketAuthor = (typeof ticketAuthors)[number];

/** Promises about money that are late: the portal opens a ticket by itself. */
export const lateCauses = ['refundLate', 'reviewLate'] as const;
export type LateCause = (typeof lateCauses)[number];

/** Where the money is in the end, as the portal writes it into such a ticket. */
export const moneyEnds = { SUCCEEDED: 'delivered', REFUNDED: 'refunded', FAILED: 'notTaken' } as const;
type MoneyEnd = (typeof moneyEnds)[keyof typeof moneyEnds];

/** All that the portal itself says in a ticket; the words are in the texts of each language. */
export type PortalWord = LateCause | MoneyEnd;

export const ticketText = { least: 3, most: 1_000 } as const;

/** Nobody has to spell out which letter or digit is meant. */
export const ticketAlphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
export const ticketLength = 8;
const pattern = new RegExp(`^[${ticketAlphabet}]{${ticketLength}}$`);

/** In two groups, as it is read out. */
export const writeTicketNumber = (id: string): string => `${id.slice(0, 4)}-${id.slice(4)}`;

/** As somebody typed it, in whatever case and with whatever spaces; null where it is none. */
export function readTicketNumber(text: string): string | null {
  const plain = text.toUpperCase().replace(/[\s-]/g, '');
  return pattern.test(plain) ? plain : null;
}

/** What becomes of a ticket when somebody writes in it. What the portal says is nobody's answer. */
export function afterWriting(state: TicketState, author: TicketAuthor): TicketState {
  if (author === 'care') return 'waitingForCustomer';
  if (author === 'portal' || state === 'new') return state;
  return 'waitingForUs';
}

export const isOurTurn = (state: TicketState): boolean => state === 'new' || state === 'waitingForUs';

const goingBack: readonly PaymentState[] = ['REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN'];

/** Which promise to the customer is late, by the same times as the status page tells. */
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
