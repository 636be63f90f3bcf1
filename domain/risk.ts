const hour = 3600;
const day = 24 * hour;

/** Weakest first. */
export type Decision = 'allow' | 'ask' | 'hold';

/**
 * More than `ask` within the window asks the payer for a code, more than `hold` holds the payment for a person; null
 * never does.
 */
export interface VelocityRule {
  readonly seconds: number;
  readonly ask: number | null;
  readonly hold: number | null;
}

export interface NewNumberRule extends VelocityRule {
  /** Only lines younger than this are counted. */
  readonly youngerThanHours: number;
}

export interface SimSwapRule {
  readonly withinHours: number;
  readonly swapped: Decision;
  /** The decision if the operator's SIM-swap check gave no response. */
  readonly unanswered: Decision;
}

export const velocityNames = [
  'payerPayments',
  'payerAmount',
  'recipientPayers',
  'recipientAmount',
  'devicePayers',
  'cardPayments',
  'cardsUsed',
] as const;
export type VelocityName = (typeof velocityNames)[number];

export type RiskRules = Readonly<Record<VelocityName, VelocityRule>> & {
  readonly newNumber: NewNumberRule;
  readonly simSwap: SimSwapRule;
};
export type RiskRuleName = keyof RiskRules;

/** The facts about a payment before its money moves, counting the payment itself. */
export type RiskFacts = Readonly<Record<VelocityName, number>> & {
  /** The amount that the recipient gets within the window of that rule. */
  readonly newNumber: number;
  /** Age of the recipient's line; null if unknown. */
  readonly lineHours: number | null;
  readonly simSwap: 'swapped' | 'notSwapped' | 'unanswered' | 'notAsked';
};

export interface Verdict {
  decision: Decision;
  /** The rule that decided; null if none applied. */
  rule: RiskRuleName | null;
}

interface Limits {
  prepaid: { max: number };
}

/**
 * Amounts count what can be resold (airtime and bundles, not bills), in multiples of the largest recharge, because each
 * operator has set that by what its customers do. Each limit is well above what a family or a small shop does in a day.
 */
export function standardRiskRules({ prepaid: { max } }: Limits): RiskRules {
  return {
    // A household recharges a handful of lines a day. Resellers have another channel.
    payerPayments: { seconds: day, ask: 20, hold: 60 },
    // One largest recharge passes; emptying a wallet or a line takes several.
    payerAmount: { seconds: day, ask: max, hold: 4 * max },
    // Family and friends who pay for one line; a line that collects from strangers has more.
    recipientPayers: { seconds: day, ask: 8, hold: 25 },
    recipientAmount: { seconds: day, ask: 2 * max, hold: 5 * max },
    // Phones are lent and shared; dozens of paying numbers in one browser are not one household's.
    devicePayers: { seconds: day, ask: 8, hold: 25 },
    // No code can be sent to a card, and its bank asks for one itself: only a person can look.
    cardPayments: { seconds: day, ask: null, hold: 10 },
    // Few people have more than two cards; who tries stolen ones goes through many.
    cardsUsed: { seconds: day, ask: null, hold: 4 },
    // A line bought today is recharged for use; large sums to it are the usual way to turn stolen money into credit.
    newNumber: { youngerThanHours: 72, seconds: day, ask: Math.ceil((2 * max) / 5), hold: 2 * max },
    // For three days a code reaches whoever has the new SIM, so no code can tell who that is.
    simSwap: { withinHours: 72, swapped: 'hold', unanswered: 'ask' },
  };
}

/** The pack's own rules, with defaults for the rest. */
export const riskRulesOf = (pack: { limits: Limits; risk?: Partial<RiskRules> }): RiskRules => ({
  ...standardRiskRules(pack.limits),
  ...pack.risk,
});

/** Scales all counts like rate limits. One is always allowed, as by every budget. */
export function scaledRules(rules: RiskRules, scale: number): RiskRules {
  const times = (most: number | null) => (most === null ? null : Math.max(Math.floor(most * scale), 1));
  const scaled = <Rule extends VelocityRule>(rule: Rule): Rule => ({
    ...rule,
    ask: times(rule.ask),
    hold: times(rule.hold),
  });
  const velocity = Object.fromEntries(velocityNames.map((name) => [name, scaled(rules[name])]));
  return { ...rules, ...velocity, newNumber: scaled(rules.newNumber) };
}

/** The strictest decision of all rules, and the first rule that made it. */
export function decide(facts: RiskFacts, rules: RiskRules): Verdict {
  const found: Verdict[] = [
    { rule: 'simSwap', decision: swapDecision(facts, rules.simSwap) },
    ...velocityNames.map((rule): Verdict => ({ rule, decision: velocityDecision(facts[rule], rules[rule]) })),
    { rule: 'newNumber', decision: newNumberDecision(facts, rules.newNumber) },
  ];
  return (
    found.find(({ decision }) => decision === 'hold') ??
    found.find(({ decision }) => decision === 'ask') ?? { decision: 'allow', rule: null }
  );
}

function velocityDecision(counted: number, { ask, hold }: VelocityRule): Decision {
  if (hold !== null && counted > hold) return 'hold';
  return ask !== null && counted > ask ? 'ask' : 'allow';
}

function newNumberDecision({ lineHours, newNumber }: RiskFacts, rule: NewNumberRule): Decision {
  return lineHours !== null && lineHours < rule.youngerThanHours ? velocityDecision(newNumber, rule) : 'allow';
}

function swapDecision({ simSwap }: RiskFacts, { swapped, unanswered }: SimSwapRule): Decision {
  if (simSwap === 'swapped') return swapped;
  return simSwap === 'unanswered' ? unanswered : 'allow';
}

/** Why this is not a valid set of rules, as a message; null if it is. */
export function riskRulesProblem(value: unknown): string | null {
  if (!isRecord(value)) return 'it must be an object with a rule under each name';
  for (const [name, rule] of Object.entries(value)) {
    const problem = ruleProblem(name, rule);
    if (problem) return problem;
  }
  return null;
}

function ruleProblem(name: string, rule: unknown): string | null {
  const known: readonly string[] = [...velocityNames, 'newNumber', 'simSwap'];
  if (!known.includes(name)) return `there is no rule "${name}", only ${known.join(', ')}`;
  if (!isRecord(rule)) return `"${name}" must be an object`;
  const fields = name === 'simSwap' ? swapFields : name === 'newNumber' ? newNumberFields : velocityFields;
  const odd = Object.keys(rule).find((field) => !(field in fields));
  if (odd) return `"${name}" has no "${odd}"`;
  const wrong = Object.entries(fields).find(([field, { holds }]) => !holds(rule[field]));
  return wrong ? `"${wrong[0]}" of "${name}" must be ${wrong[1].must}` : null;
}

interface FieldRule {
  must: string;
  holds: (value: unknown) => boolean;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0;
const count: FieldRule = { must: 'a whole number above 0', holds: isCount };
const most: FieldRule = {
  must: 'a whole number, or null',
  holds: (value) => value === null || value === 0 || isCount(value),
};
const decision: FieldRule = {
  must: 'allow, ask or hold',
  holds: (value) => ['allow', 'ask', 'hold'].includes(value as string),
};
const velocityFields: Record<string, FieldRule> = { seconds: count, ask: most, hold: most };
const newNumberFields: Record<string, FieldRule> = { ...velocityFields, youngerThanHours: count };
const swapFields: Record<string, FieldRule> = { withinHours: count, swapped: decision, unanswered: decision };
