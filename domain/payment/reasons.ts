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
] as const;

export type PaymentReason = (typeof paymentReasons)[number];
