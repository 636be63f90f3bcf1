import type { PaymentState } from './transitions.ts';

/** Why a payment is where it is, in our words. A provider's own codes never leave its connector. */
export const paymentReasons = [
  'declined',
  'insufficientFunds',
  'expired',
  'limitExceeded',
  'wrongPin',
  'walletLocked',
  'noWallet',
  'refusedByProvider',
  'neverArrived',
  'notReached',
  'orderExpired',
  'deliveryRefused',
  'lateMoney',
  'amountConflict',
  'retriesSpent',
  'noConnector',
  /** By the rules about risk: waits for a person, was called off by one, or has to be paid anew after one let it go on. */
  'held',
  'calledOff',
  'payAgain',
  /** Another payment of the same order was the one that paid it, or was begun before this one was sent. */
  'paidAlready',
  'replaced',
] as const;

export type PaymentReason = (typeof paymentReasons)[number];

/** What a wallet said about its owner: whether there is one, what is in it, whether the phone was on. */
const saidByWallet: readonly PaymentReason[] = [
  'declined',
  'insufficientFunds',
  'expired',
  'limitExceeded',
  'wrongPin',
  'walletLocked',
  'noWallet',
  'refusedByProvider',
];

/** Why a person is asked; no longer a reason for anything once the person has decided. */
const whyAsked: readonly PaymentReason[] = ['retriesSpent', 'noConnector'];

/** The reason as whoever has the link may read it: a wallet's answer is for a payer who proved to be its owner. */
export function tellableReason(payment: {
  state: PaymentState;
  reason: PaymentReason | null;
  payer_msisdn: string | null;
  payer_proof: string | null;
}): PaymentReason | 'notApproved' | null {
  const { state, reason, payer_msisdn, payer_proof } = payment;
  if (reason && whyAsked.includes(reason) && state !== 'REVIEW') return null;
  const isStrangersWallet = payer_msisdn !== null && payer_proof === null;
  return reason && isStrangersWallet && saidByWallet.includes(reason) ? 'notApproved' : reason;
}
