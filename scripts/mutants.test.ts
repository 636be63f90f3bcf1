import { describe, expect, test } from 'vitest';
import { checkSteps, longSteps } from './check-steps.ts';
import { slowTests } from './mutants.slow.ts';
import { areas, bar, codeOf, type Mutant, sample, scoreOf, verdictOn } from './mutants.ts';
import { isTest, sourceFiles } from './source-files.ts';
import { patternOf, titlesIn } from './test-titles.ts';

const at = (line: number, column: number) => ({ line, column });
const mutant = (status: Mutant['status'], replacement = ''): Mutant => ({
  status,
  replacement,
  location: { start: at(1, 8), end: at(1, 13) },
});
const report = (...mutants: Mutant[]) => ({ 'domain/some.ts': { source: 'return a + b;\n', mutants } });
const times = (count: number, status: Mutant['status']) => Array.from({ length: count }, () => mutant(status));

describe('DEV-3 the tests must notice 90 of 100 mutants', () => {
  test('the step fails below that in any area, and passes otherwise', () => {
    expect(bar).toBe(90);
    const [enough, tooFew] = [
      report(...times(90, 'Killed'), ...times(10, 'Survived')),
      report(...times(89, 'Killed'), ...times(11, 'Survived')),
    ];
    expect(verdictOn({ one: enough, other: enough }).passed).toBe(true);
    expect(verdictOn({ one: enough, other: tooFew }).passed).toBe(false);
    expect(verdictOn({ one: report() }).passed).toBe(false);
  });

  test('all code of the domain, payments, limits, budgets, codes and PINs is mutated, including new files', async () => {
    const altered = await Promise.all(Object.values(areas).map(codeOf));
    const wanted = await sourceFiles(
      'domain/**/*.ts',
      'server/src/{payments,otp,pins,budgets}/**/*.ts',
      'server/src/http/rate-limit.ts',
    );
    const code = [...wanted.keys()].filter((path) => !isTest(path));
    expect(code.length).toBeGreaterThan(60);
    expect(altered.flat().sort()).toEqual(code.sort());
  });

  test('each test that is left out of the runs is there, by the end of its title', async () => {
    const files = await sourceFiles('server/src/payments/**/*.test.ts');
    const titles = [...files].flatMap(([path, source]) => titlesIn(path, source)).filter(({ isGroup }) => !isGroup);
    const isThere = (slow: string) =>
      titles.some(({ text }) => text.endsWith(slow) || new RegExp(`^${patternOf([text])}$`).test(slow));
    expect(slowTests.filter((slow) => !isThere(slow))).toEqual([]);
  });

  test('npm test tries a fixed sample', async () => {
    const altered = (await Promise.all(Object.values(areas).map(codeOf))).flat();
    expect(sample.mutate.length).toBeGreaterThan(3);
    for (const place of sample.mutate) expect(altered).toContain(place.split(':')[0]);
    expect(Object.keys(checkSteps({ onPostgres() {} }))).toContain('mutants');
    expect(Object.keys(longSteps)).toContain('mutants');
  });
});

test('a timeout counts as killed, code without coverage as survived, and an invalid mutant is not counted', () => {
  const { counted, noticed, score } = scoreOf(
    report(mutant('Killed'), mutant('Timeout'), mutant('NoCoverage'), mutant('Survived'), mutant('Ignored')),
  );
  expect({ counted, noticed, score }).toEqual({ counted: 4, noticed: 2, score: 50 });
});

test('a survivor is listed with its location, original and mutation', () => {
  expect(scoreOf(report(mutant('Survived', 'a -\n  b'), mutant('NoCoverage', 'a * b'))).survivors).toEqual([
    'domain/some.ts:1:8 a + b → a - b',
    'domain/some.ts:1:8 a + b → a * b (no test comes here)',
  ]);
});
