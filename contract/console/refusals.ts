/** Why the console refuses, and the HTTP status. The console has a text for each. */
export const consoleRefusals = {
  notSignedIn: 401,
  sessionEnded: 401,
  otherBrowser: 401,
  otherPerson: 409,
  proofOfOther: 409,
  proveAgain: 401,
  passkeyRefused: 401,
  notPermitted: 403,
  crossSite: 403,
  notFound: 404,
  invitationOver: 410,
  invalid: 422,
  contentRefused: 422,
  isTable: 409,
  notPossible: 409,
  decidedByProvider: 409,
  lastAdmin: 409,
  ownAccount: 409,
  linkMade: 409,
  emailKnown: 409,
  passkeyKnown: 409,
  lastPasskey: 409,
  tooManyViews: 409,
  paymentUnderWay: 409,
  requestPaid: 409,
  timePassed: 409,
  workedOn: 409,
  workedOnByOther: 409,
  refundProposed: 409,
  tooManyDays: 422,
  tooFarAhead: 422,
  amountTooHigh: 422,
  timeMissing: 422,
  timePast: 422,
  endBeforeStart: 422,
  lastsTooLong: 422,
  notWaiting: 409,
  notAskedYet: 409,
  askedBefore: 409,
  toldFailed: 409,
  provedTaken: 409,
  notStatedTaken: 409,
  otherAmount: 409,
  orderDelivered: 409,
  wasDelivered: 409,
  deliveryUnclear: 409,
  notDelivered: 409,
  stillThere: 409,
  reasonNeeded: 422,
  noConnector: 409,
  notDeliveredYet: 409,
  noLine: 409,
  goodwillGiven: 409,
  goodwillUnderWay: 409,
  goodwillOff: 409,
  goodwillNotStuck: 409,
  goodwillTooMuch: 409,
  goodwillCredited: 409,
  goodwillUnclear: 409,
  dayNotOver: 409,
  dayTooOld: 422,
  beingCompared: 409,
  nothingToErase: 409,
  ticketOpen: 409,
  entryChanged: 409,
  cellRefused: 409,
  sameProposed: 409,
  confirmFigures: 409,
  ownProposal: 409,
  proposalDecided: 409,
  proposalExpired: 409,
  proposalChanged: 409,
  alreadyProposed: 409,
  needsTwo: 409,
  changed: 409,
  changedMeanwhile: 409,
  tooLarge: 413,
  alreadyPlanned: 409,
  tooMany: 429,
  unavailable: 503,
  failed: 500,
} as const;

export type ConsoleRefusalCode = keyof typeof consoleRefusals;

/** Parameters of a refusal's text, in braces there. */
export const refusalParameters = {
  tooManyViews: ['most'],
  workedOn: ['person'],
  tooManyDays: ['most'],
  tooFarAhead: ['years'],
  amountTooHigh: ['most'],
  lastsTooLong: ['days'],
  dayTooOld: ['first'],
  entryChanged: ['entry'],
  cellRefused: ['column'],
  sameProposed: ['person'],
  confirmFigures: ['prices', 'words', 'ended', 'total'],
} as const satisfies Partial<Record<ConsoleRefusalCode, readonly string[]>>;

/** Amounts are formatted for the reader's language and the operator's currency. */
export type Parameter = string | number | { amount: number; currency: string; digits: number };
export type Parameters = Readonly<Record<string, Parameter>>;
export type ParametersOf<C extends ConsoleRefusalCode> = C extends keyof typeof refusalParameters
  ? Readonly<Record<(typeof refusalParameters)[C][number], Parameter>>
  : undefined;

/** An error at one path of a package, with the parameters of its text. */
export const contentFaults = {
  notList: [],
  notObject: [],
  notText: [],
  notNumber: [],
  notChoice: [],
  missing: [],
  badLink: [],
  droppedLink: ['links'],
  badName: [],
  sameName: ['name'],
  saysNothing: [],
  unknownKey: [],
  unknownPlaceholder: ['names'],
  noPlaceholders: [],
  otherPlaceholders: ['wanted'],
  foreignLetters: ['letters'],
  isTable: [],
  notForm: [],
  noLabel: [],
  noRank: [],
  unknownType: [],
  optionsWithoutValue: [],
  noOptions: [],
  badPattern: [],
  badLength: [],
  actionIncomplete: [],
  twice: ['value'],
} as const satisfies Record<string, readonly string[]>;

export type ContentFaultCode = keyof typeof contentFaults;

export interface ConsoleRefusalBody {
  error: {
    code: ConsoleRefusalCode;
    /** Parameters of the code's text. */
    parameters?: Parameters;
    field?: string;
    /** Of an internal error: the id of its line in the log. */
    reference?: string;
    /** Of a package: each invalid path, as `/sw/footer groups[0].title`, and the reason. */
    faults?: { field: string; code: ContentFaultCode; parameters?: Parameters }[];
  };
}
