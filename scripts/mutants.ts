import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { listenForSignals, undoOnSignal } from './end-with-us.ts';
import { patience } from './patience.ts';
import { ensurePostgres } from './postgres.ts';
import { endWith, Refusal } from './progress.mjs';
import { isTest, root, sourceFiles } from './source-files.ts';

/** As Stryker reports it; lines and columns count from one. */
export interface Mutant {
  status: 'Killed' | 'Timeout' | 'Survived' | 'NoCoverage' | 'Ignored' | 'RuntimeError' | 'CompileError' | 'Pending';
  location: { start: Position; end: Position };
  replacement?: string;
}

interface Position {
  line: number;
  column: number;
}

/** A file as it was altered, and what became of each alteration. */
export interface MutatedFile {
  source: string;
  mutants: Mutant[];
}

type Report = Record<string, MutatedFile>;

/** Of a hundred alterations of the code, the tests must notice so many (DEV-3), in each area by itself. */
export const bar = 90;

interface Area {
  /** Every file below a folder, so that a new one is altered without anybody remembering. */
  code: readonly string[];
  /** The quickest that prove it: those beside the code, in this order, for the first that fails ends a mutant's run. */
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
  payments: {
    code: ['server/src/payments'],
    // The exact ones come first, those that start a whole portal last. A comma in a pattern would end it.
    tests: [
      'server/src/payments/core/*.db.test.ts',
      ...['guards', 'quote', 'status', 'routes', 'events', 'commands'].map(
        (name) => `server/src/payments/**/payments.${name}.test.ts`,
      ),
      'server/src/payments/callbacks/callbacks.routes.test.ts',
      'server/src/payments/review/payments.review.db.test.ts',
      'server/src/payments/callbacks/callbacks.db.test.ts',
      'server/src/payments/payments.db.test.ts',
      'server/src/payments',
    ],
    onDatabase: true,
    ignoreStatic: true,
  },
};

/** Enough to see in `npm test` that tests still notice: money, its ways and its limits, in less than half a minute. */
export const sample = {
  mutate: [
    'domain/money.ts',
    'domain/budgets.ts',
    'domain/payment/ledger.ts',
    'domain/payment/reasons.ts',
    'domain/payment/review-decisions.ts',
    'domain/verification/lifetimes.ts',
  ],
  tests: ['domain/money.test.ts', 'domain/budgets.test.ts', 'domain/payment', 'domain/verification'],
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
  /** Each in one line. */
  survivors: string[];
}

/** What hangs is noticed as well as what fails; what cannot run at all tells nothing and is left out. */
export function scoreOf(report: Report): Score {
  const mutants = Object.values(report).flatMap((file) => file.mutants);
  const noticed = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
  const survivors = Object.entries(report).flatMap(([path, { source, mutants }]) =>
    mutants
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map((mutant) => survivorLine(path, mutant, source)),
  );
  const counted = noticed + survivors.length;
  return { counted, noticed, survivors, score: counted === 0 ? 0 : (100 * noticed) / counted };
}

/** `file:line:column` as it is → as it was altered. */
function survivorLine(path: string, { location, replacement = '', status }: Mutant, source: string): string {
  const { start, end } = location;
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  const short = (text: string) => {
    const flat = text.replace(/\s+/g, ' ');
    return flat.length > 90 ? `${flat.slice(0, 90)}…` : flat;
  };
  const reached = status === 'NoCoverage' ? ' (no test comes here)' : '';
  return `${path}:${start.line}:${start.column} ${short(lines.join('\n'))} → ${short(replacement)}${reached}`;
}

const testsOf = ({ tests }: Area) => tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`));

/** All that Stryker is told; `npm run mutants` writes it into a file for it. */
function strykerOptions({ name, area, mutate }: Chosen, folder: string, force: boolean) {
  const isWhole = name in areas;
  return {
    mutate,
    testRunner: 'vitest',
    vitest: { configFile: 'scripts/mutants.vitest.ts' },
    plugins: ['@stryker-mutator/vitest-runner'],
    coverageAnalysis: 'perTest',
    ignoreStatic: area.ignoreStatic ?? false,
    // TypeScript 7 has none of the functions by which Stryker would rewrite this file, and nothing here reads it.
    ignorePatterns: ['tsconfig.json', '/web', '/e2e', '/bench', '/docs', '/ops', '/.data', '/test-results'],
    disableTypeChecks: false,
    concurrency: 2,
    // What was noticed is not tried again until it or its tests change; what loads a module is not seen by that.
    incremental: isWhole,
    incrementalFile: join(root, '.data/mutants', `${name}.json`),
    force,
    tempDirName: join(folder, 'sandboxes'),
    reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'json'],
    jsonReporter: { fileName: join(folder, 'report.json') },
    timeoutMS: patience(10_000),
    dryRunTimeoutMinutes: patience(10),
    allowConsoleColors: process.stdout.isTTY ?? false,
  };
}

let running: ChildProcess | undefined;

async function runStryker(chosen: Chosen, force: boolean): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-mutants-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const kept = undoOnSignal(remove);
  try {
    const config = join(folder, 'stryker.config.json');
    await writeFile(config, JSON.stringify(strykerOptions(chosen, folder, force)));
    running = spawn(
      process.execPath,
      [join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', config],
      {
        cwd: root,
        env: { ...process.env, MUTANT_TESTS: testsOf(chosen.area).join(',') },
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    );
    const [code] = await once(running, 'exit');
    if (code !== 0) throw new Refusal(`The mutants of ${chosen.name} could not be tried: see above.`);
    const { files } = JSON.parse(await readFile(join(folder, 'report.json'), 'utf8')) as { files: Report };
    // What was tried before and not asked for now is reported too.
    const asked = new Set(chosen.mutate.map((place) => place.split(':')[0]));
    return Object.fromEntries(Object.entries(files).filter(([path]) => asked.has(path)));
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

/** What is printed of each area, and whether every one of them reaches the bar. */
export function verdictOn(reports: Record<string, Report>): { passed: boolean; lines: string[] } {
  const scores = Object.entries(reports).map(([name, report]) => ({ name, ...scoreOf(report) }));
  return {
    passed: scores.every(({ score }) => score >= bar),
    lines: scores.flatMap(({ name, counted, noticed, score, survivors }) => [
      ...survivors,
      `${name}: ${noticed} of ${counted} noticed, ${score.toFixed(1)} of 100; ${bar} are asked for.`,
    ]),
  };
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { force: { type: 'boolean', default: false }, sample: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const chosen = values.sample
    ? [{ name: 'sample', area: { code: [], tests: sample.tests }, mutate: sample.mutate }]
    : await choose(positionals);
  const postgres = chosen.some(({ area }) => area.onDatabase) ? await ensurePostgres() : null;
  if (postgres) process.env.TEST_POSTGRES_URL = postgres.url;
  const stopped = undoOnSignal(async () => postgres?.stop());
  undoOnSignal(async () => running?.kill());
  try {
    for (const each of chosen) {
      const { passed, lines } = verdictOn({ [each.name]: await runStryker(each, values.force) });
      console.log(`${lines.join('\n')}\n`);
      if (!passed) process.exitCode = 1;
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
