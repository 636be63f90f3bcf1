import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensurePostgres } from './postgres.ts';
import { root } from './source-files.ts';

interface Report {
  testResults: {
    assertionResults: { fullName: string; status: string; meta?: { attempts?: number }; failureMessages?: string[] }[];
  }[];
}

/** Tests that do from outside what an attacker would; `npm test` runs them too. */
const attacks = [
  'server/src/attack',
  'server/src/growth',
  'server/src/http/every-answer',
  'server/src/http/redirects',
  'contract/one-line',
];

const folder = mkdtempSync(join(tmpdir(), 'attack-'));
const file = join(folder, 'report.json');
const projects = ['--project', 'unit', '--project', 'db-postgresql'];
const postgres = await ensurePostgres();
console.log('A portal and its providers are started and attacked; this takes a minute or two.');
spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...projects,
    '--reporter=json',
    `--outputFile=${file}`,
    ...attacks,
  ],
  { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, TEST_POSTGRES_URL: postgres.url } },
);
await postgres.stop();
const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
rmSync(folder, { recursive: true });

let attempts = 0;
let broken = 0;
for (const { fullName, status, meta, failureMessages } of testResults.flatMap((each) => each.assertionResults)) {
  const tried = meta?.attempts ?? 1;
  attempts += tried;
  if (status !== 'passed') broken += 1;
  console.log(`${status === 'passed' ? 'held  ' : 'BROKEN'} ${fullName}${tried > 1 ? ` (${tried} ways)` : ''}`);
  if (status !== 'passed') console.log(`       ${failureMessages?.[0]?.split('\n')[0] ?? ''}`);
}
console.log(`\n${attempts} attempts, ${broken === 0 ? 'all held' : `${broken} kinds of them not held`}.`);
process.exitCode = broken === 0 && attempts > 0 ? 0 : 1;
