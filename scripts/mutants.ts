import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Stryker } from '@stryker-mutator/core';
import { listenForSignals, undoOnSignal } from './end-with-us.ts';
import { patience } from './patience.ts';
import { ensurePostgres } from './postgres.ts';
import { endWith, Refusal } from './progress.mjs';
import { isTest, root, sourceFiles } from './source-files.ts';

type StrykerOptions = ConstructorParameters<typeof Stryker>[0];
type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** Of a hundred alterations of the code, the tests must notice so many (DEV-3), in each area by itself. */
export const bar = 90;

interface Area {
  /** Every file below a folder, so that a new one is altered without anybody remembering. */
  code: readonly string[];
  /** The quickest that prove it: those beside the code. */
  tests: readonly string[];
  onDatabase?: boolean;
  /** What acts while a module loads is tried by every test of the area: too much where they take long. */
  ignoreStatic?: boolean;
}

export const areas: Readonly<Record<string, Area>> = {
  domain: { code: ['domain'], tests: ['domain'] },
  limits: {
    code: ['server/src/http/rate-limit.ts', 'server/src/budgets'],
    tests: ['server/src/http/rate-limit.db.test.ts', 'server/src/budgets'],
    onDatabase: true,
  },
  otp: { code: ['server/src/otp'], tests: ['server/src/otp'], onDatabase: true },
  pins: { code: ['server/src/pins'], tests: ['server/src/pins'], onDatabase: true },
  payments: { code: ['server/src/payments'], tests: ['server/src/payments'], onDatabase: true, ignoreStatic: true },
};

/** What is altered of an area: all its code but the tests. */
export async function codeOf({ code }: Area): Promise<string[]> {
  const files = await sourceFiles(...code.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.ts`)));
  return [...files.keys()].filter((path) => !isTest(path));
}

export interface Score {
  counted: number;
  noticed: number;
  /** Of a hundred. */
  score: number;
  survivors: MutantResult[];
}

/** What hangs is noticed as well as what fails; what cannot run at all tells nothing and is left out. */
export function scoreOf(results: readonly MutantResult[]): Score {
  const noticed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const survivors = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
  const counted = noticed + survivors.length;
  return { counted, noticed, survivors, score: counted === 0 ? 0 : (100 * noticed) / counted };
}

/** `file:line:column` as it is → as it was altered, on one line. */
export function survivorLine({ fileName, location, replacement = '', status }: MutantResult, source: string): string {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  const short = (text: string) => {
    const flat = text.replace(/\s+/g, ' ');
    return flat.length > 90 ? `${flat.slice(0, 90)}…` : flat;
  };
  const path = fileName.startsWith(root) ? fileName.slice(root.length) : fileName;
  const reached = status === 'NoCoverage' ? ' (no test comes here)' : '';
  return `${path}:${start.line}:${start.column} ${short(lines.join('\n'))} → ${short(replacement)}${reached}`;
}

function strykerOptions(area: string, mutate: string[], { force = false }): StrykerOptions {
  return {
    mutate,
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutants.vitest.ts' },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    // TypeScript 7 has none of the functions by which Stryker would rewrite this file, and nothing here reads it.
    ignorePatterns: ['tsconfig.json', '/web', '/e2e', '/bench', '/docs', '/ops', '/.data', '/test-results'],
    disableTypeChecks: false,
    concurrency: 2,
    incremental: true,
    incrementalFile: join(root, '.data/mutants', `${area}.json`),
    force,
    reporters: process.stdout.isTTY ? ['progress'] : ['progress-append-only'],
    timeoutMS: patience(10_000),
    dryRunTimeoutMinutes: patience(10),
    allowConsoleColors: process.stdout.isTTY,
  };
}

async function runArea(name: string, area: Area, mutate: string[], force: boolean): Promise<MutantResult[]> {
  process.env.MUTANT_TESTS = area.tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)).join(',');
  const folder = await mkdtemp(join(tmpdir(), 'portal-mutants-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const kept = undoOnSignal(remove);
  try {
    const { Stryker } = await import('@stryker-mutator/core');
    const options = { ...strykerOptions(name, mutate, { force }), ignoreStatic: area.ignoreStatic ?? false };
    return await new Stryker({ ...options, tempDirName: folder }).runMutationTest();
  } finally {
    kept();
    await remove();
  }
}

interface Chosen {
  name: string;
  area: Area;
  mutate: string[];
}

/** Everything, or the areas, folders and files that are named; a file may end with its lines, as in `money.ts:30-40`. */
async function choose(names: string[]): Promise<Chosen[]> {
  const all = await Promise.all(
    Object.entries(areas).map(async ([name, area]) => ({ name, area, mutate: await codeOf(area) })),
  );
  if (names.length === 0) return all;
  const chosen = all.map(({ name, area, mutate }) => {
    if (names.includes(name)) return { name, area, mutate };
    const inside = names.flatMap((wanted) => {
      const [path = '', lines] = wanted.split(':');
      const files = mutate.filter((file) => file === path || file.startsWith(`${path.replace(/\/$/, '')}/`));
      return lines ? files.map((file) => `${file}:${lines}`) : files;
    });
    return { name, area, mutate: inside };
  });
  const some = chosen.filter(({ mutate }) => mutate.length > 0);
  if (some.length === 0)
    throw new Refusal(`Nothing of that name is altered: choose from ${Object.keys(areas).join(', ')}, or name a file.`);
  return some;
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { force: { type: 'boolean' } }, allowPositionals: true });
  const chosen = await choose(positionals);
  const postgres = chosen.some(({ area }) => area.onDatabase) ? await ensurePostgres() : null;
  const stopped = undoOnSignal(async () => postgres?.stop());
  if (postgres) process.env.TEST_POSTGRES_URL = postgres.url;
  try {
    for (const { name, area, mutate } of chosen) {
      const { counted, noticed, score, survivors } = scoreOf(await runArea(name, area, mutate, values.force ?? false));
      for (const each of survivors) console.log(survivorLine(each, await readFile(each.fileName, 'utf8')));
      console.log(`${name}: ${noticed} of ${counted} noticed, ${score.toFixed(1)} of 100; ${bar} are asked for.\n`);
      if (score < bar) process.exitCode = 1;
    }
  } finally {
    stopped();
    await postgres?.stop();
  }
}

if (import.meta.main) {
  listenForSignals();
  await main().catch(endWith);
}
