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
  ways: 'GET',
  switchWay: 'POST',
  announce: 'POST',
} as const satisfies Record<string, 'GET' | 'POST'>;

export type ConsoleCallName = keyof typeof consoleCalls;

export const consoleRoot = '/console';
export const consoleCallPath = (name: ConsoleCallName): string => `${consoleRoot}/api/${name}`;
