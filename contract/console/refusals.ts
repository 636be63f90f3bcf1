/** Why the console refuses, and the status of the answer. Its words are in the console's texts, one for each. */
export const consoleRefusals = {
  notSignedIn: 401,
  sessionEnded: 401,
  otherBrowser: 401,
  proveAgain: 401,
  passkeyRefused: 401,
  notPermitted: 403,
  crossSite: 403,
  notFound: 404,
  invitationOver: 410,
  invalid: 422,
  contentRefused: 422,
  notPossible: 409,
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

export interface ConsoleRefusalBody {
  error: {
    code: ConsoleRefusalCode;
    /** In English, from the area that refused, where the code alone says too little. */
    detail?: string;
    field?: string;
    /** Of a package: each place that is wrong, as `/sw/footer groups[0].title`, and why, in English. */
    faults?: { field: string; says: string }[];
  };
}
