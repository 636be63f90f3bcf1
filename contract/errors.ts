import type * as errorCodes from './error-codes.ts';

export type ErrorName = keyof typeof errorCodes;
export type ErrorCode = (typeof errorCodes)[ErrorName];
type ErrorDetail = { readonly http: number; readonly meaning: string };

/** Apart from the codes, because the web branches on codes and needs nothing else. */
export const errorDetails: Record<ErrorName, ErrorDetail> = {
  wrongCode: { http: 401, meaning: 'The one-time code is wrong; error.attemptsLeft tells how many tries remain.' },
  attemptsExhausted: { http: 429, meaning: 'All tries for this code are used; a new code must be sent.' },
  invalidWalletUser: { http: 404, meaning: 'The number has no wallet.' },
  codeRefused: { http: 400, meaning: 'The code was not accepted for a reason given in the message.' },
  maxLimit: { http: 502, meaning: 'No more codes are sent to this number for now.' },
  wrongPin: { http: 401, meaning: 'The wallet PIN is wrong; error.attemptsLeft tells how many tries remain.' },
  walletLocked: { http: 423, meaning: 'The wallet is locked after too many wrong PINs.' },
  wrongSmartCashPin: {
    http: 401,
    meaning: 'The SmartCash PIN is wrong; error.attemptsLeft tells how many tries remain.',
  },
  // Both account errors share one status, so that it does not tell an existing account from a missing one.
  accountMismatch: { http: 404, meaning: 'The account number does not belong to this line.' },
  accountUnknown: { http: 404, meaning: 'There is no such account.' },
  malformed: { http: 422, meaning: 'The request is not as described; error.field names the field at fault.' },
  unreadable: { http: 400, meaning: 'The request could not be read: its body is no JSON, or broke off.' },
  notFound: { http: 404, meaning: 'There is nothing under this address or id.' },
  methodNotAllowed: { http: 405, meaning: 'The address does not take this method.' },
  tooLarge: { http: 413, meaning: 'The request is too large.' },
  unsupportedType: { http: 415, meaning: 'The body is not JSON.' },
  rateLimited: { http: 429, meaning: 'Too many requests; error.retryAfterSeconds tells when to try again.' },
  challengeNeeded: {
    http: 428,
    meaning:
      'What is asked for is scarce just now: solve error.challenge, and send the same again with the header x-challenge.',
  },
  crossSite: { http: 403, meaning: 'The request came from another site.' },
  notVerified: {
    http: 401,
    meaning: 'The call needs a verified code, account number or token that is missing or used up.',
  },
  codeNeeded: {
    http: 401,
    meaning:
      'Before this payment goes on its payer enters a fresh code: sendCode with transactionId, verifyCode, then the same process with uniqueCode. Nothing was taken.',
  },
  pinRefused: {
    http: 401,
    meaning: 'The encrypted PIN is not usable for this transaction: altered, replayed or too old.',
  },
  lineUnknown: { http: 404, meaning: 'The number is not a line of this operator.' },
  lineNotEligible: { http: 409, meaning: 'The line is of a type that cannot buy this.' },
  amountOutOfRange: { http: 422, meaning: 'The amount is below the minimum or above the maximum.' },
  priceChanged: { http: 409, meaning: 'The price or the amount due is not the one that was sent; fetch it again.' },
  notOffered: { http: 409, meaning: 'This way to pay or this product is not offered here.' },
  insufficientBalance: { http: 409, meaning: 'The balance does not cover the amount.' },
  paidRecently: {
    http: 409,
    meaning:
      'The same purchase was made minutes ago: open error.earlierTransactionId, or send confirmRepeat to pay again.',
  },
  orderPaid: {
    http: 409,
    meaning:
      'It was paid before: by another payment of the same order, which error.earlierTransactionId names where the same visit made it, or by somebody else meanwhile. Nothing more was taken.',
  },
  payerBusy: {
    http: 429,
    meaning:
      'As many payment requests were made as may be for now, of this payer, this recipient or this address; nothing was taken.',
  },
  keyReused: { http: 409, meaning: 'The idempotency key was used with another body.' },
  wrongState: { http: 409, meaning: 'The transaction is past the point where this is possible.' },
  alreadyVoted: { http: 409, meaning: 'This visitor voted on the question before.' },
  upstreamFailed: { http: 502, meaning: 'A system behind the portal failed.' },
  upstreamTimeout: { http: 504, meaning: 'A system behind the portal did not answer in time.' },
  unavailable: { http: 503, meaning: 'The portal cannot answer for the moment.' },
  internal: { http: 500, meaning: 'The portal made a mistake.' },
};

/** Errors of every call; a definition names only its own. */
export const commonErrors = [
  'malformed',
  'unreadable',
  'rateLimited',
  'crossSite',
  'tooLarge',
  'unavailable',
  'internal',
] as const satisfies readonly ErrorName[];
