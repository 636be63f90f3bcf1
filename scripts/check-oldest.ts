import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { transformWithOxc } from 'vite';
import { oldestWithScript, styleProblems } from './oldest-browsers.ts';
import { root } from './source-files.ts';

/** APIs newer than the oldest browsers that run our scripts, and easy to use by mistake. */
const newerCalls =
  /\.(toSorted|toReversed|toSpliced|findLast|findLastIndex|isWellFormed)\(|structuredClone\(|Object\.groupBy|Promise\.withResolvers|AbortSignal\.(timeout|any)|Array\.fromAsync|URL\.canParse|randomUUID/;

/** Finds syntax that the browsers cannot parse, by what a transpiler would have to rewrite for them. */
export async function scriptProblems(code: string, name: string, browsers: readonly string[]): Promise<string[]> {
  const [plain, lowered] = await Promise.all(
    ['esnext', [...browsers]].map((target) => transformWithOxc(code, name, { target, sourcemap: false })),
  );
  const newer = newerCalls.exec(code)?.[0];
  return [
    ...(plain?.code === lowered?.code ? [] : [`${name} has syntax that ${browsers.join(', ')} cannot read`]),
    ...(newer ? [`${name} calls ${newer}, which ${browsers.join(', ')} do not have`] : []),
  ];
}

if (import.meta.main) {
  const problems: string[] = [];
  let files = 0;
  for await (const path of glob('web/dist/{client,worker}/**/*.{js,css}', { cwd: root })) {
    files += 1;
    const text = await readFile(join(root, path), 'utf8');
    const found = path.endsWith('.css')
      ? styleProblems(text).map((problem) => `${path}: ${problem}`)
      : await scriptProblems(text, basename(path), oldestWithScript);
    problems.push(...found);
  }
  for (const problem of problems) console.error(problem);
  console.log(`${files} scripts and styles, ${problems.length} problems for old browsers.`);
  process.exitCode = problems.length > 0 || files === 0 ? 1 : 0;
}
