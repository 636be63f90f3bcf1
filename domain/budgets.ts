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
  /** One-time codes: for a number, for ten thousand neighbouring numbers, and in all. Somebody pays for every SMS. */
  codeNumberSoon: { most: 3, seconds: 10 * minute },
  codeNumberDay: { most: 10, seconds: day },
  codeBlock: { most: 60, seconds: 10 * minute },
  codeAll: { most: 3_000, seconds: 10 * minute },
  /** Guesses at which account number belongs to which line, counted for either; and at the email of an account. */
  accountGuess: { most: 5, seconds: hour },
  invoiceGuess: { most: 10, seconds: hour },
  /** Requests to approve a payment, shown on a phone. One that is approved is given back. */
  promptPayer: { most: 3, seconds: hour },
  promptRecipient: { most: 30, seconds: hour },
  promptNetwork: { most: 120, seconds: hour },
  promptAll: { most: 6_000, seconds: hour },
  /** Messages about a payment: to a number that proved nothing, to any number, to an email address, and in all. */
  noticeUnproved: { most: 3, seconds: hour },
  noticeNumber: { most: 60, seconds: hour },
  noticeMail: { most: 20, seconds: hour },
  noticeNetwork: { most: 600, seconds: hour },
  noticeAll: { most: 200_000, seconds: hour },
  /** Votes on answers of the help centre: a browser is known by a cookie, and whoever wants another one makes it up. */
  voteNetwork: { most: 120, seconds: hour },
  voteAll: { most: 3_000, seconds: hour },
  /** Rows that a stranger can have stored: what forms say, orders that nobody paid. */
  formNetwork: { most: 20, seconds: hour },
  formAll: { most: 600, seconds: hour },
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
