import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { basename, delimiter, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWebWhenStale } from './build.ts';
import { ensureChromium } from './chromium.ts';
import { ensurePostgres, type Postgres } from './postgres.ts';
import { endWith, Refusal } from './progress.mjs';
import { compileCache, root, sourceFiles } from './source-files.ts';
import { isInTitle, patternOf, testsIn } from './test-titles.ts';

/** The runner of each kind of file and its prerequisites; vitest.config.ts assigns files to projects. */
const kinds = [
  { project: 'browser', has: /^e2e\/specs\//, needsBuild: true },
  { project: 'browsers', has: /^e2e\/browsers\//, needsBuild: true },
  { project: 'simulation', has: /^server\/src\/simulation\//, needsPostgres: true },
  { project: 'reliability', has: /^(scripts\/reliability|bench)\//, needsBuild: true, needsPostgres: true },
  { project: 'db-postgresql', has: /\.pg\.test\.ts$/, needsPostgres: true },
  { project: 'db-embedded', has: /\.db\.test\.ts$/ },
  { project: 'pages', has: /\.test\.tsx$/, needsBuild: true },
  { project: 'unit', has: /./ },
];

let child: ChildProcess | undefined;
let postgres: Postgres | undefined;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'];
for (const signal of signals) process.on(signal, () => child?.kill('SIGTERM'));

try {
  process.exitCode = await runChosen();
} catch (error) {
  await postgres?.stop();
  endWith(error);
}
await postgres?.stop();
process.disconnect?.();

/** Runs the named tests; returns the exit code of the first runner that failed. */
async function runChosen(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { postgresql: { type: 'boolean' } }, allowPositionals: true });
  const { files, pattern } = await choose(positionals);
  const chosen = kinds.map((kind) => ({ ...kind, files: [] as string[] }));
  for (const file of files) chosen.find(({ has }) => has.test(file))?.files.push(file);
  const wanted = chosen.filter((kind) => kind.files.length > 0);
  const onBoth = values.postgresql && wanted.some(({ project }) => project === 'db-embedded');

  if (wanted.some(({ needsBuild }) => needsBuild)) await buildWebWhenStale();
  if (onBoth || wanted.some(({ needsPostgres }) => needsPostgres)) postgres = await ensurePostgres();

  const [browser, ...others] = [
    wanted.find(({ project }) => project === 'browser'),
    ...wanted.filter(({ project }) => project !== 'browser'),
  ];
  const projects = new Set([...others.map(({ project }) => project), ...(onBoth ? ['db-postgresql'] : [])]);
  const ownFiles = others.flatMap((kind) => kind.files);
  const code = ownFiles.length > 0 ? await runVitest([...projects], ownFiles, pattern) : 0;
  return browser ? (await runPlaywright(browser.files, pattern)) || code : code;
}

/** Paths are files, folders or code beside its test; all other words together are part of a title. */
async function choose(names: string[]): Promise<{ files: string[]; pattern: string | null }> {
  const all = await sourceFiles('**/*.test.{ts,tsx}', 'e2e/specs/*.spec.ts');
  const words: string[] = [];
  const files = new Set<string>();
  for (const name of names) {
    const found = await filesAt(name, [...all.keys()]);
    if (!found) words.push(name);
    else if (found.length === 0) throw new Refusal(`There are no tests at ${name}.`);
    for (const file of found ?? []) files.add(file);
  }
  if (words.length === 0) return { files: [...files], pattern: null };

  const phrase = words.join(' ');
  const matching = new Map<string, string[][]>();
  for (const file of files.size > 0 ? files : all.keys()) {
    const titles = testsIn(file, all.get(file) ?? '').filter((title) => isInTitle(phrase, title));
    if (titles.length > 0) matching.set(file, titles);
  }
  if (matching.size === 0)
    throw new Refusal(
      `There is no test with "${phrase}" in its title${files.size > 0 ? ' there' : ', and no file of that name'}.`,
    );
  return { files: [...matching.keys()], pattern: [...matching.values()].flat().map(patternOf).join('|') };
}

/** Null if the name is not a path. */
async function filesAt(name: string, all: string[]): Promise<string[] | null> {
  // Relative to where npm was called, or else to the root.
  const here = resolve(process.env.INIT_CWD ?? root, name);
  const path = here.startsWith(root) ? here : resolve(root, name);
  const there = await stat(path).catch(() => null);
  const fromRoot = relative(root, path);
  if (!there) return null;
  if (there.isDirectory()) return all.filter((file) => fromRoot === '' || file.startsWith(`${fromRoot}/`));
  if (all.includes(fromRoot)) return [fromRoot];
  const stem = join(dirname(fromRoot), basename(fromRoot).replace(/\.\w+$/, ''));
  return all.filter((file) => file.startsWith(`${stem}.`));
}

function runVitest(projects: string[], files: string[], pattern: string | null): Promise<number> {
  const args = projects.flatMap((project) => ['--project', project]);
  return show('vitest', ['run', ...args, ...(pattern ? ['-t', pattern] : []), ...files], {
    ...(postgres && { TEST_POSTGRES_URL: postgres.url }),
  });
}

async function runPlaywright(files: string[], pattern: string | null): Promise<number> {
  const args = ['test', '--config', 'e2e/playwright.config.ts', ...(pattern ? ['-g', pattern] : []), ...files];
  return show('playwright', args, { CHROMIUM_PATH: await ensureChromium() });
}

/** Runs a program with its output shown. */
async function show(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const bin = join(root, 'node_modules/.bin');
  child = spawn(join(bin, program), args, {
    cwd: root,
    env: { ...compileCache, ...process.env, PATH: [bin, process.env.PATH].join(delimiter), ...env },
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  child = undefined;
  return code ?? 130;
}
