import { leastVisits } from './vain-search.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** At most so many in any span of so many seconds. */
export interface BudgetRule {
  readonly most: number;
  readonly seconds: number;
}

/**
 * What a stranger can make the portal do to somebody else, and how often. A pack sets other numbers where it wants to; none
 * can be left out, because an effect without a budget is free to whoever wants to cause it.
 */
export const standardBudgets = {
  /**
   * One-time codes by SMS: for a number, for ten thousand neighbouring numbers, and in all. Somebody pays for every SMS. The
   * last fifth of what many people share is for who solved a challenge.
   */
  codeNumberSoon: { most: 3, seconds: 10 * minute },
  codeNumberDay: { most: 10, seconds: day },
  codeBlock: { most: 60, seconds: 10 * minute },
  codeSmsAll: { most: 3_000, seconds: 10 * minute },
  /** The same by mail, apart: made-up addresses cost nothing, and must not use up what numbers have. */
  codeMailSoon: { most: 3, seconds: 10 * minute },
  codeMailDay: { most: 10, seconds: day },
  codeMailAll: { most: 600, seconds: 10 * minute },
  /**
   * Codes by SMS that are kept for networks where people are, whatever others have used up: where codes were verified in a day,
   * as many open ones as there were verified.
   */
  codeKept: { most: 1_000, seconds: 10 * minute },
  networkVerified: { most: 1, seconds: day },
  networkOpen: { most: 1, seconds: 10 * minute },
  /** Codes of a visit that proved a number before: it is asked for no challenge. */
  codeProved: { most: 5, seconds: 10 * minute },
  /** Challenges given to an address at the lowest price; twice as many cost twice the work. */
  challengeNetwork: { most: 2, seconds: 10 * minute },
  /** Challenges that were answered in words, by browsers without script. Answers cost nothing, so they are few. */
  questionNetwork: { most: 2, seconds: 10 * minute },
  questionAll: { most: 60, seconds: 10 * minute },
  /** Answers from an address with the shortest wait; twice as many in an hour wait twice as long, for a longer sum. */
  questionEasy: { most: 1, seconds: hour },
  /** Wrong codes from one address that close guessing, when they are more than the right ones. */
  guessWrong: { most: 20, seconds: 10 * minute },
  guessRight: { most: 20, seconds: 10 * minute },
  /**
   * Guesses at which account number belongs to which line, and at the email of an account: those of one address are refused
   * beyond that, those of all addresses take a challenge beyond four fifths. Lines tried for one account are bounded besides.
   */
  accountGuess: { most: 5, seconds: hour },
  accountGuessAll: { most: 10, seconds: hour },
  accountLines: { most: 50, seconds: hour },
  invoiceGuess: { most: 10, seconds: hour },
  invoiceGuessAll: { most: 10, seconds: hour },
  /**
   * Requests to approve a payment, shown on a phone. One that is approved is given back. A number of another network gets no
   * code of ours to go on with, so one address may use up only a part of what it has, and an address or a browser from
   * which it approved a payment lately has requests of its own.
   */
  promptPayer: { most: 3, seconds: hour },
  promptStranger: { most: 2, seconds: hour },
  promptKnown: { most: 3, seconds: hour },
  payerApproved: { most: 1, seconds: 30 * day },
  promptRecipient: { most: 30, seconds: hour },
  promptNetwork: { most: 120, seconds: hour },
  promptAll: { most: 6_000, seconds: hour },
  /**
   * How often a browser or a network got an answer of a wallet that asked nobody: that it is empty, locked, or not there.
   * Whoever has heard so much goes on with a code of the wallet's owner. Thousands may share a network.
   */
  heardVisit: { most: 3, seconds: hour },
  heardNetwork: { most: 60, seconds: hour },
  /** Messages about a payment: to a number that proved nothing, to any number, to an email address, and in all by either way. */
  noticeUnproved: { most: 3, seconds: hour },
  noticeNumber: { most: 60, seconds: hour },
  noticeMail: { most: 20, seconds: hour },
  noticeNetwork: { most: 600, seconds: hour },
  noticeAll: { most: 200_000, seconds: hour },
  noticeMailAll: { most: 50_000, seconds: hour },
  /** Votes on answers of the help centre: a browser is known by its visit, and whoever wants another one fetches a page. */
  voteNetwork: { most: 120, seconds: hour },
  voteAnswer: { most: 20, seconds: 24 * hour },
  voteAll: { most: 3_000, seconds: hour },
  searchNetwork: { most: 120, seconds: hour },
  // One less than are shown: visits of one network alone bring no words before the operator's people in a day.
  searchWords: { most: leastVisits - 1, seconds: 24 * hour },
  searchAll: { most: 3_000, seconds: hour },
  /** Rows that a stranger can have stored: what forms say, orders that nobody paid. */
  formNetwork: { most: 20, seconds: hour },
  formAll: { most: 600, seconds: hour },
  /**
   * What customers write about a payment: for one payment, from one browser, and in all. Thousands may share an address, so
   * only those who did not pay in that browser are counted by it, and have a sum of their own.
   */
  ticketPayment: { most: 10, seconds: hour },
  ticketVisit: { most: 10, seconds: hour },
  ticketNetwork: { most: 20, seconds: hour },
  ticketAll: { most: 300, seconds: hour },
  ticketOwnAll: { most: 3_000, seconds: hour },
  /** Payments that wait for a person before money moves: people's time is what they cost. */
  heldNetwork: { most: 10, seconds: hour },
  heldAll: { most: 300, seconds: hour },
} as const satisfies Record<string, BudgetRule>;

export type BudgetName = keyof typeof standardBudgets;
export type BudgetRules = Readonly<Record<BudgetName, BudgetRule>>;

/** The pack's own numbers, and the standard ones for the rest. */
export const budgetsOf = (pack: { budgets?: Partial<BudgetRules> }): BudgetRules => ({
  ...standardBudgets,
  ...pack.budgets,
});
