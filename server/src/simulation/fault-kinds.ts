/** Fault kinds with their maximum rates. The numbers are the design's; two that were too rare are higher. */
export const faultKinds = {
  requestLost: 0.3, // 1
  replyLost: 0.3, // 2
  replySlow: 0.2, // 3
  brokenAnswer: 0.2, // 4
  unlistedCode: 0.2, // 5
  notFoundYet: 0.4, // 6
  callbackLost: 0.5, // 7
  callbackDoubled: 0.5, // 8
  callbacksContradict: 0.4, // 9
  callbackEarly: 0.2, // 10
  callbackForged: 0.5, // 11
  callbackReplayed: 0.2, // 12
  otherAmount: 0.1, // 13
  lateDebit: 0.3, // 14
  deliveryRefused: 0.2, // 15
  deliveryReplyLost: 0.3, // 16
  refundReplyLost: 0.5, // 17
  crash: 0.15, // 18
  twoWorkers: 0.3, // 19
  impatientCustomer: 0.4, // 20
  keyReused: 0.1, // 21
  clockJump: 0.05, // 22
  tokenExpired: 0.2, // 23
  databaseBusy: 0.1, // 24
  smsTrouble: 0.3, // 25
  priceChanged: 0.1, // 26
  // Added after the second review.
  pause: 0.1,
  historyLags: 0.3,
  restore: 0.8,
  // One system has an outage for an hour or a day; the portal is down for hours, days, or more than a week.
  trouble: 0.7,
  portalOff: 0.5,
  // What systems may do by their contracts: accept now and act later, decline the first of two cards, take money
  // back.
  doneLater: 0.5,
  cardDeclined: 0.5,
  reversedByProvider: 0.5,
  // A slow payer.
  slowCustomer: 0.4,
  // All processes die at the moment a provider has acted.
  powerCut: 0.5,
} as const;

export type FaultKind = keyof typeof faultKinds;
export const faultNames = Object.keys(faultKinds) as FaultKind[];
