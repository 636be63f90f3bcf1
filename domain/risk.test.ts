import { describe, expect, test } from 'vitest';
import {
  decide,
  type RiskFacts,
  type RiskRules,
  riskRulesOf,
  riskRulesProblem,
  scaledRules,
  standardRiskRules,
  type VelocityName,
  velocityNames,
} from './risk.ts';

const limits = { prepaid: { max: 500_000 } };
const rules = standardRiskRules(limits);
const quiet: RiskFacts = {
  payerPayments: 1,
  payerAmount: 5_000,
  recipientPayers: 1,
  recipientAmount: 5_000,
  devicePayers: 1,
  cardPayments: 0,
  cardsUsed: 0,
  newNumber: 5_000,
  lineHours: null,
  simSwap: 'notAsked',
};
const verdictOf = (more: Partial<RiskFacts>, by: RiskRules = rules) => decide({ ...quiet, ...more }, by);

test('SEC-28 an ordinary payment triggers no rule', () => {
  expect(verdictOf({})).toEqual({ decision: 'allow', rule: null });
  expect(verdictOf({ lineHours: 1, simSwap: 'notSwapped' })).toEqual({ decision: 'allow', rule: null });
});

describe('SEC-28 each velocity rule allows up to its limit, asks above it and holds above the next', () => {
  test.each(velocityNames)('%s', (rule) => {
    const { ask, hold } = rules[rule];
    if (ask !== null) {
      expect(verdictOf({ [rule]: ask })).toEqual({ decision: 'allow', rule: null });
      expect(verdictOf({ [rule]: ask + 1 })).toEqual({ decision: 'ask', rule });
    }
    expect(hold).not.toBeNull();
    expect(verdictOf({ [rule]: hold ?? 0 }).decision).toBe(ask === null ? 'allow' : 'ask');
    expect(verdictOf({ [rule]: (hold ?? 0) + 1 })).toEqual({ decision: 'hold', rule });
  });
});

test('SEC-28 large amounts to a line younger than three days need a code, then are held; to an older or unknown one they are not', () => {
  const { ask, hold, youngerThanHours } = rules.newNumber;
  const to = (lineHours: number | null, newNumber: number) => verdictOf({ lineHours, newNumber });
  expect(youngerThanHours).toBe(72);
  expect(to(71.9, ask ?? 0).decision).toBe('allow');
  expect(to(71.9, (ask ?? 0) + 1)).toEqual({ decision: 'ask', rule: 'newNumber' });
  expect(to(0, (hold ?? 0) + 1)).toEqual({ decision: 'hold', rule: 'newNumber' });
  for (const age of [72, 10_000, null]) expect(to(age, (hold ?? 0) + 1).decision).toBe('allow');
});

test('SEC-28 a swapped SIM holds, a check without a response asks, and an unswapped SIM is allowed', () => {
  expect(verdictOf({ simSwap: 'swapped' })).toEqual({ decision: 'hold', rule: 'simSwap' });
  expect(verdictOf({ simSwap: 'unanswered' })).toEqual({ decision: 'ask', rule: 'simSwap' });
  expect(verdictOf({ simSwap: 'notSwapped' })).toEqual({ decision: 'allow', rule: null });
  const milder = { ...rules, simSwap: { withinHours: 24, swapped: 'ask', unanswered: 'allow' } as const };
  expect(verdictOf({ simSwap: 'swapped' }, milder)).toEqual({ decision: 'ask', rule: 'simSwap' });
  expect(verdictOf({ simSwap: 'unanswered' }, milder)).toEqual({ decision: 'allow', rule: null });
});

test('of several rules the strictest decision counts, with the first rule that made it', () => {
  expect(verdictOf({ simSwap: 'unanswered', payerPayments: 61, recipientPayers: 26 })).toEqual({
    decision: 'hold',
    rule: 'payerPayments',
  });
  expect(verdictOf({ devicePayers: 9, recipientPayers: 9 })).toEqual({ decision: 'ask', rule: 'recipientPayers' });
});

test('a rule without a number never asks, or never holds', () => {
  const never = { seconds: 60, ask: null, hold: null };
  const none = Object.fromEntries(velocityNames.map((name) => [name, never])) as Record<VelocityName, typeof never>;
  const many = Object.fromEntries(velocityNames.map((name) => [name, 1e12])) as Record<VelocityName, number>;
  expect(verdictOf(many, { ...rules, ...none })).toEqual({ decision: 'allow', rule: null });
});

test('a rule of the pack replaces that rule and no other; amounts scale with the largest recharge', () => {
  const own = { seconds: 60, ask: 1, hold: 2 };
  expect(riskRulesOf({ limits, risk: { payerPayments: own } })).toEqual({ ...rules, payerPayments: own });
  expect(riskRulesOf({ limits })).toEqual(rules);
  expect(standardRiskRules({ prepaid: { max: 10 } })).toMatchObject({
    payerAmount: { seconds: 86_400, ask: 10, hold: 40 },
    recipientAmount: { seconds: 86_400, ask: 20, hold: 50 },
    newNumber: { seconds: 86_400, ask: 4, hold: 20 },
  });
});

test('the scale of rate limits applies to counts, and nothing else', () => {
  const scaled = scaledRules(rules, 10);
  expect(scaled.payerPayments).toEqual({ seconds: 86_400, ask: 200, hold: 600 });
  expect(scaled.cardsUsed).toEqual({ seconds: 86_400, ask: null, hold: 40 });
  expect(scaled.newNumber).toEqual({ youngerThanHours: 72, seconds: 86_400, ask: 2_000_000, hold: 10_000_000 });
  expect(scaled.simSwap).toEqual(rules.simSwap);
  expect(scaledRules(rules, 0.06).payerPayments).toEqual({ seconds: 86_400, ask: 1, hold: 3 });
  expect(scaledRules(rules, 0.06).recipientPayers.ask).toBe(1);
});

describe('rules from outside', () => {
  test('the standard ones, a part of them and none are valid', () => {
    for (const given of [rules, {}, { simSwap: rules.simSwap }, { payerPayments: { seconds: 1, ask: 0, hold: null } }])
      expect(riskRulesProblem(given)).toBeNull();
  });

  test.each<[unknown, string]>([
    [null, 'it must be an object'],
    [[], 'it must be an object'],
    [{ payerPayment: rules.payerPayments }, 'there is no rule "payerPayment"'],
    [{ payerPayments: 5 }, '"payerPayments" must be an object'],
    [{ payerPayments: { seconds: 60, ask: 1, hold: 2, most: 3 } }, '"payerPayments" has no "most"'],
    [{ payerPayments: { seconds: 0, ask: 1, hold: 2 } }, '"seconds" of "payerPayments" must be a whole number above 0'],
    [{ payerPayments: { seconds: 60, ask: 1.5, hold: 2 } }, '"ask" of "payerPayments" must be a whole number, or null'],
    [{ payerPayments: { seconds: 60, ask: 1 } }, '"hold" of "payerPayments"'],
    [{ payerPayments: { seconds: 60, ask: -1, hold: 2 } }, '"ask" of "payerPayments"'],
    [{ newNumber: rules.payerPayments }, '"youngerThanHours" of "newNumber"'],
    [{ simSwap: { ...rules.simSwap, swapped: 'refuse' } }, '"swapped" of "simSwap" must be allow, ask or hold'],
  ])('%j is refused with a message', (given, words) => {
    expect(riskRulesProblem(given)).toContain(words);
  });
});
