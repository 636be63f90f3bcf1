import type { PaymentState } from './transitions.ts';

/** The payer decided, let it expire or could not pay. */
export const payerEndings = [
  'declined',
  'insufficientFunds',
  'expired',
  'limitExceeded',
  'wrongPin',
  'walletLocked',
  'noWallet',
  /** The phone shows another payment request, which has to be answered or to end first. */
  'requestOpen',
] as const;

/**
 * The reasons that a provider's refusal can have; the portal itself finds the others. They reveal something about a
 * wallet's owner: whether there is a wallet, its balance, whether the phone was on.
 */
export const providerRefusals = [...payerEndings, 'refusedByProvider'] as const;

/** Why a payment is in its state, in our terms. A provider's own codes never leave its connector. */
export const paymentReasons = [
  ...providerRefusals,
  'neverArrived',
  'notReached',
  'orderExpired',
  'deliveryRefused',
  'lateMoney',
  'amountConflict',
  'retriesSpent',
  'noConnector',
  /** From risk rules: held for a person, cancelled by one, or to be paid again after its release. */
  'held',
  'calledOff',
  'payAgain',
  /** Another payment paid the same order, or was started before this one was sent. */
  'paidAlready',
  'replaced',
] as const;

export type PaymentReason = (typeof paymentReasons)[number];

const saidByWallet: readonly PaymentReason[] = providerRefusals;

/** Reasons for REVIEW. They no longer apply once a person has decided. */
const whyAsked: readonly PaymentReason[] = ['retriesSpent', 'noConnector'];

/** The reason that anybody with the link may see. A wallet's reason is only for a payer who proved to be its owner. */
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

/** The text of a reason: a bill is paid, and what else is bought is delivered. */
export const reasonWord = (reason: PaymentReason | 'notApproved', itemKind: string) =>
  reason === 'deliveryRefused' && itemKind === 'bill' ? 'billRefused' : reason;
