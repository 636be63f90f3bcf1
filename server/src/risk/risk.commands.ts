import { readFileSync } from 'node:fs';
import { type RiskRules, riskRulesProblem, type Verdict } from '@portal/domain/risk.ts';
import type { Replay } from './replay.ts';

export const riskUsage =
  'npm run risk -- replay --day <day, as 2026-03-02> --rules <file.json>  what other rules would have decided that day';

interface Desk {
  replay(day: string, rules: Partial<RiskRules>): Promise<Replay>;
}

/** Returns the exit code: 0 done, 1 the rules are invalid, 2 usage error. */
export async function runRiskCommand(
  words: string[],
  desk: Desk,
  { print, isDay }: { print: (line: string) => void; isDay: (text: string) => boolean },
): Promise<number> {
  const [verb, ...options] = words;
  const option = (name: string) => options[options.indexOf(name) + 1] ?? '';
  const [day, file] = [option('--day'), option('--rules')];
  const isUnderstood = options.includes('--day') && options.includes('--rules') && options.length === 4;
  if (verb !== 'replay' || !isUnderstood || !isDay(day)) {
    print(riskUsage);
    return 2;
  }
  const rules = readRules(file);
  if ('problem' in rules) {
    print(`These rules cannot be used: ${rules.problem}.`);
    return 1;
  }
  const { decided, changed } = await desk.replay(day, rules.rules);
  for (const { payment, then, now } of changed) print(`${payment}  ${worded(then)} → ${worded(now)}`);
  print(`${day}: ${decided} payments decided on, ${changed.length} would be decided otherwise.`);
  for (const [change, count] of countsOf(changed)) print(`${String(count).padStart(9)}  ${change}`);
  return 0;
}

const worded = ({ decision, rule }: Pick<Verdict, 'decision'> & { rule: string | null }) =>
  rule ? `${decision} (${rule})` : decision;

function countsOf(changed: Replay['changed']): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { then, now } of changed) {
    const change = `${then.decision} → ${now.decision}`;
    counts.set(change, (counts.get(change) ?? 0) + 1);
  }
  return counts;
}

function readRules(file: string): { rules: Partial<RiskRules> } | { problem: string } {
  let given: unknown;
  try {
    given = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    return { problem: error instanceof SyntaxError ? 'the file is not JSON' : 'the file cannot be read' };
  }
  const problem = riskRulesProblem(given);
  return problem ? { problem } : { rules: given as Partial<RiskRules> };
}
