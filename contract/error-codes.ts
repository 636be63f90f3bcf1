/**
 * `statusCode` of failed calls: the numbers and '56D005' are the specification's, the words are ours. Exported one by
 * one, so that a script of the web bundles only those it uses.
 */
export const wrongCode = 2003;
export const attemptsExhausted = 2002;
export const invalidWalletUser = 4001;
export const codeRefused = 400;
export const maxLimit = 502;
export const wrongPin = 1004;
export const walletLocked = 1006;
export const wrongSmartCashPin = '56D005';
export const accountMismatch = 60119;
export const accountUnknown = 60005;
export const malformed = 'MALFORMED';
export const unreadable = 'UNREADABLE';
export const notFound = 'NOT_FOUND';
export const methodNotAllowed = 'METHOD_NOT_ALLOWED';
export const tooLarge = 'TOO_LARGE';
export const unsupportedType = 'UNSUPPORTED_TYPE';
export const rateLimited = 'RATE_LIMITED';
export const challengeNeeded = 'CHALLENGE_NEEDED';
export const crossSite = 'CROSS_SITE';
export const notVerified = 'NOT_VERIFIED';
export const codeNeeded = 'CODE_NEEDED';
export const pinRefused = 'PIN_REFUSED';
export const lineUnknown = 'LINE_UNKNOWN';
export const lineNotEligible = 'LINE_NOT_ELIGIBLE';
export const amountOutOfRange = 'AMOUNT_OUT_OF_RANGE';
export const priceChanged = 'PRICE_CHANGED';
export const notOffered = 'NOT_OFFERED';
export const insufficientBalance = 'INSUFFICIENT_BALANCE';
export const paidRecently = 'PAID_RECENTLY';
export const orderPaid = 'ORDER_PAID';
export const payerBusy = 'PAYER_BUSY';
export const keyReused = 'KEY_REUSED';
export const wrongState = 'WRONG_STATE';
export const alreadyVoted = 'ALREADY_VOTED';
export const upstreamFailed = 'UPSTREAM_FAILED';
export const upstreamTimeout = 'UPSTREAM_TIMEOUT';
export const unavailable = 'UNAVAILABLE';
export const internal = 'INTERNAL';
