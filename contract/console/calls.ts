/** Every call of the console: what only reads is a GET; every other one is an act, and leaves a row in the audit. */
export const consoleCalls = {
  me: 'GET',
  sessions: 'GET',
  signOut: 'POST',
  endSession: 'POST',
  people: 'GET',
  sessionsOf: 'GET',
  endSessionOf: 'POST',
  closePerson: 'POST',
  passkeys: 'GET',
  passkeyOptions: 'GET',
  addPasskey: 'POST',
  removePasskey: 'POST',
  passkeysOf: 'GET',
  removePasskeyOf: 'POST',
  invitations: 'GET',
  invite: 'POST',
  withdrawInvitation: 'POST',
  setRoles: 'POST',
  audit: 'GET',
  verifyAudit: 'POST',
  today: 'GET',
  find: 'GET',
  payment: 'GET',
  reveal: 'POST',
  review: 'GET',
  claim: 'POST',
  ask: 'POST',
  settle: 'POST',
  approvals: 'GET',
  approval: 'GET',
  approve: 'POST',
  refuseProposal: 'POST',
  withdrawProposal: 'POST',
  proposeRefund: 'POST',
  proposeGoodwill: 'POST',
  searchPerson: 'POST',
  exportPerson: 'POST',
  proposeErasure: 'POST',
  receiptAgain: 'POST',
  tickets: 'GET',
  ticket: 'GET',
  openTicket: 'POST',
  answerTicket: 'POST',
  solveTicket: 'POST',
  reopenTicket: 'POST',
  ways: 'GET',
  switchWay: 'POST',
  announce: 'POST',
  contents: 'GET',
  content: 'GET',
  contentVersion: 'GET',
  contentPreview: 'GET',
  saveContent: 'POST',
  publishContent: 'POST',
  rollBackContent: 'POST',
  takeBackContent: 'POST',
} as const satisfies Record<string, 'GET' | 'POST'>;

export type ConsoleCallName = keyof typeof consoleCalls;

export const consoleRoot = '/console';
export const consoleCallPath = (name: ConsoleCallName): string => `${consoleRoot}/api/${name}`;

/** Signing in without an OpenID provider; asked by whoever is not signed in yet, so they are no calls. */
export const passkeyPaths = {
  signIn: `${consoleRoot}/login/passkey`,
  join: `${consoleRoot}/login/join`,
  joined: `${consoleRoot}/login/joined`,
} as const;
/** The page of somebody who was invited; what lets them in stands behind #, which no server is sent. */
export const joinPage = `${consoleRoot}/join`;
