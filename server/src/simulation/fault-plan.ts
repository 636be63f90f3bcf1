import type { Random } from './random.ts';

/** What can go wrong, and how often at the worst. The numbers are those of the design's fault plan; two that were too rare are higher. */
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
  // Found by the second review.
  pause: 0.1,
  historyLags: 0.3,
  restore: 0.8,
  // One system has a bad hour, or a bad day; the portal is off for hours, days, or more than a week.
  trouble: 0.7,
  portalOff: 0.5,
  // What systems may do by their contracts: take in now and do later, decline a card of two, take back what they took.
  doneLater: 0.5,
  cardDeclined: 0.5,
  reversedByProvider: 0.5,
  // The payer, who thinks it over.
  slowCustomer: 0.4,
} as const;

export type FaultKind = keyof typeof faultKinds;
export const faultNames = Object.keys(faultKinds) as FaultKind[];

/**
 * What can strike only once in the life of a payment, or only where something rare came before, hardly ever does by those
 * rates. So half of the worlds have a theme, of which each kind strikes more often than not.
 */
const themes: readonly [readonly FaultKind[], ...(readonly FaultKind[])[]] = [
  ['otherAmount'],
  ['otherAmount', 'portalOff', 'trouble'],
  ['otherAmount', 'portalOff', 'trouble'],
  ['lateDebit'],
  ['lateDebit', 'portalOff'],
  ['deliveryRefused', 'refundReplyLost'],
  ['deliveryRefused', 'refundReplyLost', 'portalOff'],
  ['deliveryRefused', 'portalOff', 'trouble'],
  ['deliveryRefused', 'portalOff', 'trouble'],
  ['deliveryRefused', 'doneLater'],
  ['deliveryRefused', 'refundReplyLost', 'pause'],
  ['deliveryRefused', 'refundReplyLost', 'historyLags', 'restore'],
  ['deliveryRefused', 'historyLags', 'restore'],
  ['deliveryReplyLost', 'historyLags'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['deliveryReplyLost', 'restore'],
  ['requestLost', 'historyLags', 'restore'],
  ['requestLost', 'historyLags', 'restore'],
  ['replyLost', 'restore'],
  ['doneLater'],
];

/**
 * Each seed draws its own rates. Half of the kinds stay quiet in any one world, because faults that hide each other's
 * traces are found only where some of them are missing.
 */
export class FaultPlan {
  readonly fired: Record<FaultKind, number>;
  /** What this world is about; nothing in half of them. */
  readonly theme: readonly FaultKind[];
  readonly #random: Random;
  readonly #rates: Record<FaultKind, number>;
  #isOver = false;

  constructor(random: Random) {
    this.#random = random;
    this.fired = Object.fromEntries(faultNames.map((kind) => [kind, 0])) as Record<FaultKind, number>;
    this.#rates = Object.fromEntries(
      faultNames.map((kind) => [kind, random.chance(0.5) ? random.next() * faultKinds[kind] : 0]),
    ) as Record<FaultKind, number>;
    this.theme = random.chance(0.5) ? random.pick(themes) : [];
    for (const kind of this.theme) this.#rates[kind] = 0.5 + random.next() * 0.4;
  }

  strikes(kind: FaultKind, scale = 1): boolean {
    if (this.#isOver || this.#rates[kind] === 0 || !this.#random.chance(this.#rates[kind] * scale)) return false;
    this.fired[kind] += 1;
    return true;
  }

  /** It happened for another reason. */
  count(kind: FaultKind): void {
    this.fired[kind] += 1;
  }

  end(): void {
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }
}
