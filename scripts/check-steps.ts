import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { buildWebWhenStale } from './build.ts';
import { ensureChromium } from './chromium.ts';
import { ensurePostgres, type Postgres } from './postgres.ts';
import { capture } from './progress.mjs';
import { compileCache, root } from './source-files.ts';

export interface StepResult {
  passed: number;
  failed: number;
  skipped?: number;
  /** The failed tests, one line each. */
  named?: string[];
  /** Duration of each test. */
  times?: { name: string; seconds: number }[];
  output: string;
}

export interface Step {
  /** Steps that must succeed before this one. */
  needs?: string[];
  run(): Promise<StepResult>;
}

type Counted = Required<Omit<StepResult, 'output'>>;

/** Every check of the project, in starting order: quick ones first, then the longest. */
export function checkSteps({ onPostgres }: { onPostgres: (postgres: Postgres) => void }): Record<string, Step> {
  let starting: Promise<Postgres> | undefined;
  /** One server for all steps that need one. */
  const withPostgres = async (run: (env: NodeJS.ProcessEnv) => Promise<StepResult>) => {
    starting ??= ensurePostgres();
    const postgres = await starting;
    onPostgres(postgres);
    return run({ TEST_POSTGRES_URL: postgres.url });
  };
  return {
    types: {
      run: () => programs(...['.', 'web', 'console', 'e2e', 'bench'].map((project) => ['tsc', '-p', project])),
    },
    lint: { run: () => programs(['biome', 'check', '--error-on-warnings', '.']) },
    zones: { run: () => programs(['node', 'scripts/check-zones.ts']) },
    functions: { run: () => programs(['node', 'scripts/check-functions.ts']) },
    secrets: { run: () => programs(['node', 'scripts/check-secrets.ts']) },
    brand: { run: () => programs(['node', 'scripts/check-brand.ts']) },
    unused: { run: () => programs(['knip', '--no-progress']) },
    docs: { run: () => programs(['node', 'scripts/generate.ts', '--check']) },
    requirements: { run: () => programs(['node', 'scripts/check-requirements.ts']) },
    build: { run: () => buildWebWhenStale().then(() => ({ passed: 1, failed: 0, output: '' })) },
    size: { needs: ['build'], run: () => programs(['node', 'scripts/check-size.ts']) },
    oldest: { needs: ['build'], run: () => programs(['node', 'scripts/check-oldest.ts']) },
    browser: {
      needs: ['build'],
      run: async () => {
        const chromium = await ensureChromium();
        return withPostgres((env) => playwright(chromium, env));
      },
    },
    reliability: { needs: ['build'], run: () => withPostgres((env) => vitest('reliability', env)) },
    unit: { run: () => vitest('unit') },
    pages: { needs: ['build'], run: () => withPostgres((env) => vitest('pages', env)) },
    browsers: { needs: ['build'], run: () => withPostgres((env) => vitest('browsers', env)) },
    embedded: { run: () => vitest('db-embedded') },
    postgresql: { run: () => withPostgres((env) => vitest('db-postgresql', env)) },
    simulation: { run: () => withPostgres((env) => vitest('simulation', env)) },
    mutants: { run: () => programs(['node', 'scripts/mutants.ts', '--sample']) },
  };
}

/** All that sign in to the console; they run on PostgreSQL with every change. */
const consoleSpecs = ['/console', '/operator-first-sale'];

/** Steps of `npm run test:long`: they take hours or need an idle machine. */
export const longSteps: Record<string, Step> = {
  kills: { run: () => programs(['node', 'scripts/reliability/kills.ts', '--kills', '200']) },
  pauses: { run: () => programs(['node', 'scripts/reliability/pauses.ts']) },
  restores: { run: () => programs(['node', 'scripts/reliability/restores.ts']) },
  'cluster-kills': { run: () => programs(['node', 'scripts/reliability/cluster-kills.ts']) },
  failover: { run: () => programs(['node', 'scripts/reliability/failover.ts']) },
  payments: { run: () => programs(['node', 'bench/payments.ts']) },
  pages: { run: () => programs(['node', 'bench/pages.ts']) },
  attack: { run: () => programs(['node', 'scripts/attack.ts']) },
  flood: { run: () => programs(['node', 'scripts/reliability/flood.ts']) },
  mutants: { run: () => programs(['node', 'scripts/mutants.ts', '--force']) },
  seeds: { run: () => programs(['node', 'scripts/simulate.ts', '--seeds', '100000']) },
  bugs: { run: () => programs(['node', 'scripts/simulate.ts', '--bugs', '--others', '--seeds', '1000']) },
  'console-embedded': {
    run: async () => {
      await buildWebWhenStale();
      return playwright(await ensureChromium(), { TEST_DATABASE: 'embedded' }, consoleSpecs);
    },
  },
};

/** Our Node first in PATH, because the tools' shebang lines look it up there. */
const environment = (extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  ...compileCache,
  ...process.env,
  PATH: [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }),
  ...extra,
});

/** One check made of several programs: all run, and any failure fails it. */
async function programs(...commands: string[][]): Promise<StepResult> {
  let failed = 0;
  let output = '';
  for (const [command = '', ...args] of commands) {
    const program = command === 'node' ? process.execPath : join(root, 'node_modules/.bin', command);
    const result = await capture(program, args, { cwd: root, env: environment(), detached: true });
    if (result.code === 0) continue;
    failed = 1;
    output += result.output;
  }
  return { passed: 1 - failed, failed, output };
}

function vitest(project: string, env: NodeJS.ProcessEnv = {}): Promise<StepResult> {
  const command = (report: string) => [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  return counted(command, env, (report: VitestReport) => ({
    passed: report.numPassedTests ?? 0,
    failed: Math.max(report.numFailedTests ?? 0, report.numFailedTestSuites ?? 0),
    skipped: report.numPendingTests ?? 0,
    times: (report.testResults ?? []).flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration = 0 }) => ({ name: named(name, fullName), seconds: duration / 1000 })),
    ),
    named: (report.testResults ?? []).flatMap(({ name, message, assertionResults }) => {
      const tests = assertionResults.filter(({ status }) => status === 'failed');
      if (tests.length > 0) return tests.map((test) => named(name, test.fullName, test.failureMessages[0]));
      return message ? [named(name, 'could not be run', message)] : [];
    }),
  }));
}

interface VitestReport {
  numPassedTests?: number;
  numFailedTests?: number;
  numFailedTestSuites?: number;
  numPendingTests?: number;
  testResults?: {
    name: string;
    message: string;
    assertionResults: { fullName: string; status: string; duration?: number; failureMessages: string[] }[];
  }[];
}

function playwright(chromium: string, extra: NodeJS.ProcessEnv, specs: readonly string[] = []): Promise<StepResult> {
  const options = ['--config', 'e2e/playwright.config.ts', '--reporter=dot,json'];
  const command = () => ['playwright', 'test', ...specs, ...options];
  const env = (report: string) => ({
    ...extra,
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    // Playwright sets the colours of its workers, and Node warns about conflicting settings.
    NO_COLOR: undefined,
    FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
  });
  return counted(command, env, ({ stats = {}, suites = [] }: PlaywrightReport) => {
    const runs = suites.flatMap(specsOf).flatMap(({ title, file, line, tests }) =>
      tests.map(({ status, projectName, results: [result] }) => ({
        name: named(`e2e/specs/${file}:${line} on a ${projectName}`, title, result?.error?.message, shownBy(result)),
        isFailed: status === 'unexpected',
        seconds: (result?.duration ?? 0) / 1000,
      })),
    );
    return {
      passed: stats.expected ?? 0,
      failed: stats.unexpected ?? 0,
      skipped: stats.skipped ?? 0,
      named: runs.filter(({ isFailed }) => isFailed).map(({ name }) => name),
      times: runs,
    };
  });
}

interface PlaywrightReport {
  stats?: { expected?: number; unexpected?: number; skipped?: number };
  suites?: Suite[];
}

interface PlaywrightResult {
  duration?: number;
  error?: { message?: string };
  attachments?: { name: string; path?: string }[];
}

interface Suite {
  specs: {
    title: string;
    file: string;
    line: number;
    tests: { status: string; projectName: string; results: PlaywrightResult[] }[];
  }[];
  suites?: Suite[];
}

const specsOf = ({ specs, suites = [] }: Suite): Suite['specs'] => [...specs, ...suites.flatMap(specsOf)];

/** What a failed browser test had on the screen: headings, dialogs and messages. */
function shownBy(result: PlaywrightResult | undefined): string {
  const path = result?.attachments?.find(({ name }) => name === 'error-context')?.path;
  const lines = path ? readFileSync(path, 'utf8').split('\n') : [];
  const shown = lines.filter((line) => /^ *- (heading|dialog|alert|status|paragraph)\b/.test(line));
  return shown.map((line) => line.trim().replace(/ \[[^\]]*\]/g, '')).join(' ');
}

const longestPart = 600;

/** One line with what was expected and received, because the whole output may be truncated. */
const named = (where: string, title: string, ...told: (string | undefined)[]) =>
  [
    relative(root, resolve(root, where)),
    title,
    ...told.map((text = '') => stripVTControlCharacters(text).replace(/\s+/g, ' ').slice(0, longestPart)),
  ]
    .filter(Boolean)
    .join(': ');

/** Runs tests and counts them by their report; a run that fails without a report counts as one failure. */
async function counted<Report>(
  commandFor: (report: string) => string[],
  env: NodeJS.ProcessEnv | ((report: string) => NodeJS.ProcessEnv),
  count: (report: Report) => Counted,
): Promise<StepResult> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-check-'));
  const file = join(folder, 'report.json');
  const [command = '', ...args] = commandFor(file);
  const extra = typeof env === 'function' ? env(file) : env;
  const { code, output } = await capture(join(root, 'node_modules/.bin', command), args, {
    cwd: root,
    env: environment(extra),
    detached: true,
  });
  const report = await readFile(file, 'utf8').catch(() => '{}');
  await rm(folder, { recursive: true, force: true });
  const counts = count(JSON.parse(report));
  return { ...counts, failed: code === 0 ? counts.failed : Math.max(counts.failed, 1), output };
}
