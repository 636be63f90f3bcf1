import { sourceFiles } from './source-files.ts';
import { titlesIn } from './test-titles.ts';

export const requirementsPage = 'docs/requirements.md';
export const testFiles = ['**/*.test.{ts,tsx}', 'e2e/specs/*.spec.ts'];
const mark = '— not proved yet';

interface Line {
  id: string;
  marked: boolean;
}

/** Mismatches between the lines of the page and the titles of the tests, one sentence each. */
export function requirementProblems(page: string, tests: Map<string, string>): string[] {
  const lines = linesOf(page);
  const known = new Set(lines.map(({ id }) => id));
  const areas = new Set([...known].map(areaOf));
  const proved = new Set<string>();
  const problems: string[] = [];
  for (const [path, source] of tests) {
    for (const { text, line } of titlesIn(path, source)) {
      for (const { id, first } of idsIn(text)) {
        proved.add(id);
        // UCS-2 inside a title is a word; at the start of a title, or with a known area, it is meant as an id.
        if (!known.has(id) && (first || areas.has(areaOf(id))))
          problems.push(`${path}:${line} names ${id}, which ${requirementsPage} does not have: ${text}`);
      }
    }
  }
  const count = Map.groupBy(lines, ({ id }) => id);
  for (const [id, { length }] of count) if (length > 1) problems.push(`${requirementsPage} has ${id} ${length} times.`);
  for (const { id, marked } of lines) {
    if (marked && proved.has(id))
      problems.push(`${requirementsPage} says of ${id} “${mark}”, but a test names it: take the mark away.`);
    // A decision clarifies other requirements; it need not have a test of its own.
    if (!marked && !proved.has(id) && areaOf(id) !== 'D')
      problems.push(
        `${requirementsPage} has ${id}, which no title of a test names: prove it, or end it with “${mark}”.`,
      );
  }
  return problems;
}

const areaOf = (id: string) => id.replace(/-?\d+$/, '');

function linesOf(page: string): Line[] {
  return [...page.matchAll(/^- \*\*([A-Z]{3}-\d+|D\d+)\*\* (.+)$/gm)].map(([, id = '', sentence = '']) => ({
    id,
    marked: sentence.endsWith(mark),
  }));
}

function idsIn(title: string): { id: string; first: boolean }[] {
  return [...title.matchAll(/\b(?:[A-Z]{3}-\d+|D\d+)\b/g)].map(({ 0: id, index }) => ({ id, first: index === 0 }));
}

if (import.meta.main) {
  const page = (await sourceFiles(requirementsPage)).get(requirementsPage) ?? '';
  const tests = await sourceFiles(...testFiles);
  const problems = requirementProblems(page, tests);
  for (const problem of problems) console.log(problem);
  const lines = linesOf(page).filter(({ id }) => areaOf(id) !== 'D');
  const open = lines.filter(({ marked }) => marked).length;
  console.log(`${lines.length} requirements, ${open} not proved yet, ${problems.length} problems.`);
  process.exitCode = problems.length > 0 || lines.length === 0 ? 1 : 0;
}
