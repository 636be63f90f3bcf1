import { leastVisits } from './search-without-result.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** At most `most` draws in any window of `seconds`. */
export interface BudgetRule {
  readonly most: number;
  readonly seconds: number;
}

/**
 * The effects that a stranger can cause for somebody else, and how often. A pack may set other numbers but cannot leave
 * one out, because an effect without a budget would be unlimited.
 */
export const standardBudgets = {
  /**
   * One-time codes by SMS: for a number, for a block of ten thousand numbers, and in total. Every SMS costs money. The
   * last fifth of a shared budget is reserved for clients that solved a challenge.
   */
  codeNumberSoon: { most: 4, seconds: 10 * minute },
  codeNumberDay: { most: 12, seconds: day },
  /**
   * A minute between two codes to a number or mailbox, whoever requests them; a verified code ends the wait. If two
   * networks compete for the next code, the one that was refused goes before the one that got the last.
   */
  codeGap: { most: 1, seconds: minute },
  codeTurn: { most: 1, seconds: 90 },
  codeBlock: { most: 60, seconds: 10 * minute },
  codeSmsAll: { most: 3_000, seconds: 10 * minute },
  /** The same by mail, separately: made-up addresses cost nothing, and must not use up the budget of numbers. */
  codeMailSoon: { most: 4, seconds: 10 * minute },
  codeMailDay: { most: 12, seconds: day },
  codeMailAll: { most: 600, seconds: 10 * minute },
  /**
   * Codes by SMS kept for networks with real users, so that others cannot use them up: as many open codes as were
   * verified there in the last day.
   */
  codeKept: { most: 1_000, seconds: 10 * minute },
  networkVerified: { most: 1, seconds: day },
  networkOpen: { most: 1, seconds: 10 * minute },
  /**
   * The share of a number's or mailbox's codes that one network may request. It is less than all, so that a single
   * stranger cannot block the owner. A browser or address where a code was verified in the last 30 days has a separate
   * budget.
   */
  codeNetworkSoon: { most: 3, seconds: 10 * minute },
  codeNetworkDay: { most: 10, seconds: day },
  codeVerified: { most: 1, seconds: 30 * day },
  /** Codes for a visit that proved a number before. It needs no challenge. */
  codeProved: { most: 5, seconds: 10 * minute },
  /** Challenges at the lowest difficulty for a network. Each doubling of their number doubles the work. */
  challengeNetwork: { most: 2, seconds: 10 * minute },
  /** Challenges solved without script. They cost a program nothing, so they are few. */
  questionNetwork: { most: 2, seconds: 10 * minute },
  questionAll: { most: 60, seconds: 10 * minute },
  /** Solutions without script at the shortest wait. Each doubling in an hour doubles the wait and lengthens the sum. */
  questionEasy: { most: 1, seconds: hour },
  /** Wrong codes from a network that close guessing, if they outnumber the right ones. */
  guessWrong: { most: 20, seconds: 10 * minute },
  guessRight: { most: 20, seconds: 10 * minute },
  /**
   * Guesses of a line's account number, or of an account's email. Beyond the budget of a network they are refused;
   * beyond four fifths of the total they need a challenge. Lines tried for one account are limited too.
   */
  accountGuess: { most: 5, seconds: hour },
  accountGuessAll: { most: 10, seconds: hour },
  accountLines: { most: 50, seconds: hour },
  invoiceGuess: { most: 10, seconds: hour },
  invoiceGuessAll: { most: 10, seconds: hour },
  /**
   * Payment requests shown on a phone. An approved one is given back. A number of another network cannot be sent a
   * code, so one address may use only a part of its budget, and a browser or address that approved a payment recently
   * has a separate one.
   */
  promptPayer: { most: 3, seconds: hour },
  promptStranger: { most: 2, seconds: hour },
  promptKnown: { most: 3, seconds: hour },
  payerApproved: { most: 1, seconds: 30 * day },
  promptRecipient: { most: 30, seconds: hour },
  promptNetwork: { most: 120, seconds: hour },
  promptAll: { most: 6_000, seconds: hour },
  /**
   * Wallet responses without a prompt to the owner (empty, locked, no wallet) that a browser or network may see. Beyond
   * that it needs a code of the wallet's owner. Thousands may share a network.
   */
  heardVisit: { most: 3, seconds: hour },
  heardNetwork: { most: 60, seconds: hour },
  /**
   * Messages about a payment or a request for home broadband: to a number without a proof, to any number, to an email,
   * and in total by either channel.
   */
  noticeUnproved: { most: 3, seconds: hour },
  noticeNumber: { most: 60, seconds: hour },
  noticeMail: { most: 20, seconds: hour },
  noticeNetwork: { most: 600, seconds: hour },
  noticeAll: { most: 200_000, seconds: hour },
  noticeMailAll: { most: 50_000, seconds: hour },
  /** Votes in the help centre. A browser is identified by its visit, and can get another one with any page. */
  voteNetwork: { most: 120, seconds: hour },
  voteAnswer: { most: 20, seconds: 24 * hour },
  voteAll: { most: 3_000, seconds: hour },
  searchNetwork: { most: 120, seconds: hour },
  // One less than the number from which searches are shown, so that one network alone cannot put text before the
  // operator's people in a day.
  searchWords: { most: leastVisits - 1, seconds: 24 * hour },
  searchAll: { most: 3_000, seconds: hour },
  /** Rows that a stranger can create: forms, and orders that nobody paid. */
  formNetwork: { most: 20, seconds: hour },
  formAll: { most: 600, seconds: hour },
  /**
   * Messages that customers write about a payment: for a payment, from a browser, and in total. Thousands may share an
   * address, so only clients that did not pay in that browser are counted by network, with a separate total.
   */
  ticketPayment: { most: 10, seconds: hour },
  /** Of these, messages about one payment from clients that did not prove that they paid it, whatever their networks. */
  ticketUnproved: { most: 20, seconds: hour },
  ticketVisit: { most: 10, seconds: hour },
  ticketNetwork: { most: 20, seconds: hour },
  ticketAll: { most: 300, seconds: hour },
  ticketOwnAll: { most: 3_000, seconds: hour },
  /** Payments held for a person before money moves, because they cost people's time. */
  heldNetwork: { most: 10, seconds: hour },
  heldAll: { most: 300, seconds: hour },
} as const satisfies Record<string, BudgetRule>;

export type BudgetName = keyof typeof standardBudgets;
export type BudgetRules = Readonly<Record<BudgetName, BudgetRule>>;

/** The pack's own budgets, with defaults for the rest. */
export const budgetsOf = (pack: { budgets?: Partial<BudgetRules> }): BudgetRules => ({
  ...standardBudgets,
  ...pack.budgets,
});
