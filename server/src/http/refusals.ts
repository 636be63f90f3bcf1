import type { ErrorName } from '@portal/contract/errors.ts';
import english from '@portal/operators/texts/en/translation.json' with { type: 'json' };
import french from '@portal/operators/texts/fr/translation.json' with { type: 'json' };
import malagasy from '@portal/operators/texts/mg/translation.json' with { type: 'json' };

/** The error that a program reads, and what is filled into the words that a person reads. */
const refusal = <const Parameter extends string = never>(error: ErrorName, ...parameters: Parameter[]) => ({
  error,
  parameters,
});

/** Every reason why the portal refuses something. Its words are `errors.<reason>` in the texts of each language. */
export const refusals = {
  accountMismatch: refusal('accountMismatch'),
  accountUnknown: refusal('accountUnknown'),
  alreadyVoted: refusal('alreadyVoted'),
  amountDueChanged: refusal('priceChanged'),
  amountNotInCurrency: refusal('malformed'),
  amountTooLarge: refusal('amountOutOfRange', 'amount'),
  amountTooSmall: refusal('amountOutOfRange', 'amount'),
  attemptsExhausted: refusal('attemptsExhausted'),
  balanceSilent: refusal('upstreamTimeout'),
  balancesNotShown: refusal('notOffered'),
  billUnreadable: refusal('upstreamFailed'),
  billingSilent: refusal('upstreamTimeout'),
  bodyUnreadable: refusal('unreadable'),
  boughtByAmount: refusal('priceChanged'),
  bundleNotForLine: refusal('lineNotEligible'),
  bundlePriceChanged: refusal('priceChanged'),
  bundleWithdrawn: refusal('notOffered'),
  callUnknown: refusal('notFound'),
  challengeNeeded: refusal('challengeNeeded'),
  codeExpired: refusal('codeRefused'),
  codeForForeignNumber: refusal('codeRefused'),
  codeNeeded: refusal('codeNeeded'),
  codeOfAnotherNumber: refusal('codeRefused'),
  codeTooSoon: refusal('codeRefused', 'seconds'),
  codeUnknown: refusal('codeRefused'),
  configurationUnknown: refusal('notFound'),
  contentUnknown: refusal('notFound'),
  countryNotServed: refusal('notOffered'),
  crossSite: refusal('crossSite'),
  currenciesNotExchanged: refusal('notOffered'),
  currencyNotUsed: refusal('priceChanged'),
  exchangeFailed: refusal('upstreamFailed'),
  fieldInvalid: refusal('malformed', 'field'),
  formRefused: refusal('malformed', 'why'),
  formUnusable: refusal('upstreamFailed'),
  internal: refusal('internal'),
  invoiceNotShown: refusal('notOffered'),
  invoicePaid: refusal('priceChanged'),
  keyReused: refusal('keyReused'),
  leadUnknown: refusal('notFound'),
  lineNotPostpaid: refusal('lineNotEligible'),
  lineNotPrepaid: refusal('lineNotEligible'),
  lineSilent: refusal('upstreamTimeout'),
  lineUnknown: refusal('lineUnknown'),
  maxLimit: refusal('maxLimit'),
  methodNotOffered: refusal('notOffered'),
  methodWithdrawn: refusal('notOffered'),
  methodWithoutCode: refusal('notOffered'),
  methodWithoutWallet: refusal('invalidWalletUser'),
  noBillForLine: refusal('lineNotEligible'),
  noBillForNumber: refusal('lineNotEligible'),
  notJson: refusal('unsupportedType'),
  notVerified: refusal('notVerified'),
  nothingHere: refusal('notFound'),
  nothingTaken: refusal('notFound'),
  numberNeeded: refusal('malformed'),
  operatorUnknown: refusal('notFound'),
  orderNotPayable: refusal('notOffered'),
  orderPaid: refusal('orderPaid'),
  otherThanRegistered: refusal('keyReused'),
  paidMeanwhile: refusal('orderPaid'),
  paidRecently: refusal('paidRecently'),
  payerBusy: refusal('payerBusy'),
  payerNumberInvalid: refusal('malformed', 'brand'),
  payerNumberUnreadable: refusal('malformed'),
  paymentUnknown: refusal('notFound'),
  pinNeeded: refusal('pinRefused'),
  pinUnreadable: refusal('pinRefused'),
  pinsUnavailable: refusal('unavailable'),
  planPriceChanged: refusal('priceChanged'),
  planWithdrawn: refusal('notOffered'),
  prepaidHasNoBill: refusal('lineNotEligible'),
  providerUnknown: refusal('notFound'),
  questionUnknown: refusal('notFound'),
  rateExpired: refusal('priceChanged'),
  textNotStorable: refusal('malformed'),
  tooLarge: refusal('tooLarge'),
  tooManyCallbacks: refusal('rateLimited'),
  tooManyReports: refusal('rateLimited'),
  tooManyRequests: refusal('rateLimited', 'seconds'),
  tooManyThisHour: refusal('rateLimited'),
  tooManyThisMinute: refusal('rateLimited'),
  tryAgain: refusal('unavailable'),
  unavailable: refusal('unavailable'),
  unavailableNothingTaken: refusal('unavailable'),
  walletLocked: refusal('walletLocked', 'wallet'),
  walletSilent: refusal('codeRefused'),
  walletUnknown: refusal('invalidWalletUser'),
  wrongCode: refusal('wrongCode'),
  wrongPin: refusal('wrongPin'),
  wrongSmartCashPin: refusal('wrongSmartCashPin'),
};

export type Refusal = keyof typeof refusals;
export type ParametersOf<R extends Refusal> = Record<(typeof refusals)[R]['parameters'][number], string | number>;

/** A reason without words in one of the languages does not compile. */
const words: Record<'en' | 'fr' | 'mg', Record<Refusal, string>> = {
  en: english.errors,
  fr: french.errors,
  mg: malagasy.errors,
};

/** The specification's own words, for logs and for clients that name no language. */
export const refusalInEnglish = (refusal: Refusal, parameters: Readonly<Record<string, unknown>>): string =>
  words.en[refusal].replace(/\{(\w+)\}/g, (placeholder, name: string) => String(parameters[name] ?? placeholder));
