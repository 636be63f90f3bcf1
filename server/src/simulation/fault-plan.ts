import type { Random } from './random.ts';

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

/**
 * Faults that can strike only once in a payment's life, or only after something rare, hardly occur at those rates. So
 * half of the worlds have a theme, whose faults strike more often than not.
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

/** Rarer combinations. The later worlds have one of these as their theme, or one of the others. */
const rareThemes: readonly [readonly FaultKind[], ...(readonly FaultKind[])[]] = [
  ...themes,
  ['notFoundYet', 'historyLags', 'restore'],
  ['notFoundYet', 'historyLags', 'restore'],
  ['reversedByProvider', 'replyLost'],
  ['reversedByProvider', 'replyLost', 'callbackLost'],
  ['lateDebit', 'callbackLost', 'portalOff'],
  ['lateDebit', 'callbackLost'],
  ['lateDebit', 'callbackLost'],
  ['otherAmount', 'replyLost', 'trouble', 'portalOff'],
  ['deliveryReplyLost', 'restore', 'impatientCustomer'],
  ['deliveryReplyLost', 'restore', 'powerCut'],
  ['deliveryRefused', 'powerCut'],
];

/**
 * Most of the last worlds combine a few conditions: a system with an outage when the portal comes back after days,
 * and an order that a restore lost and that is placed again, at a provider with a lagging list.
 */
const latestThemes: typeof rareThemes = [
  ['otherAmount', 'portalOff', 'trouble'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['deliveryRefused', 'portalOff', 'trouble'],
  ['impatientCustomer', 'notFoundYet', 'historyLags', 'restore'],
  ['impatientCustomer', 'notFoundYet', 'historyLags', 'restore'],
];
/**
 * Most of these are about refunds through a provider that is down at that moment. A backup of that moment is restored
 * after the refund, or no process runs for a week.
 */
const lastThemes: typeof rareThemes = [
  ['otherAmount', 'portalOff', 'trouble'],
  ['deliveryReplyLost', 'trouble', 'portalOff'],
  ['impatientCustomer', 'notFoundYet', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'historyLags', 'restore'],
  ['deliveryRefused', 'trouble', 'portalOff'],
  ['deliveryRefused', 'trouble', 'portalOff'],
  ['deliveryRefused', 'trouble', 'portalOff'],
];
const themesOf = { first: themes, late: rareThemes, latest: latestThemes, last: lastThemes } as const;

/**
 * Each seed draws its own rates. Half of the kinds are off in any one world, because faults hide each other's
 * effects.
 */
export class FaultPlan {
  readonly fired: Record<FaultKind, number>;
  /** The theme; none in half of the first worlds. */
  readonly theme: readonly FaultKind[];
  readonly #random: Random;
  /** Separate random numbers for power cuts, so that worlds without one stay the same as before this fault existed. */
  readonly #cuts: Random;
  readonly #rates: Record<FaultKind, number>;
  #isOver = false;

  constructor(random: Random, { cuts, age = 'first' }: { cuts: Random; age?: keyof typeof themesOf }) {
    this.#random = random;
    this.#cuts = cuts;
    this.fired = Object.fromEntries(faultNames.map((kind) => [kind, 0])) as Record<FaultKind, number>;
    this.#rates = Object.fromEntries(
      faultNames.map((kind) => {
        const source = this.#sourceOf(kind);
        const share = kind === 'powerCut' ? 0.15 : 0.5;
        return [kind, source.chance(share) ? source.next() * faultKinds[kind] : 0];
      }),
    ) as Record<FaultKind, number>;
    const isAboutOthers = (age === 'latest' || age === 'last') && random.chance(age === 'last' ? 0.2 : 0.3);
    this.theme = random.chance(age === 'first' ? 0.5 : 1) ? random.pick(themesOf[isAboutOthers ? 'late' : age]) : [];
    for (const kind of this.theme) this.#rates[kind] = 0.5 + random.next() * 0.4;
  }

  #sourceOf(kind: FaultKind): Random {
    return kind === 'powerCut' ? this.#cuts : this.#random;
  }

  strikes(kind: FaultKind, scale = 1): boolean {
    if (this.#isOver || this.#rates[kind] === 0 || !this.#sourceOf(kind).chance(this.#rates[kind] * scale))
      return false;
    this.fired[kind] += 1;
    return true;
  }

  /** Counts a fault that happened for another reason. */
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
