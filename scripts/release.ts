import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildWebWhenStale } from './build.ts';
import { endWith, Refusal } from './progress.mjs';
import { root } from './source-files.ts';

/** What a machine needs to run the portal; packages are brought by npm, each checked against the hash in the lock file. */
const contents = [
  'LICENSE',
  'NOTICE',
  'README.md',
  'package.json',
  'package-lock.json',
  'contract',
  'docs',
  'domain',
  'operators',
  'ops',
  'scripts',
  'server',
  'web/package.json',
  'web/dist',
];

const run = promisify(execFile);

async function must(program: string, args: string[]): Promise<string> {
  const ended = await run(program, args, { cwd: root, maxBuffer: 64 * 1024 * 1024 }).catch(
    ({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Refusal(`${program} ${args[0]} failed.`, stdout + stderr);
    },
  );
  return ended.stdout;
}

/** An archive, the bill of materials of what it needs, and the checksums of both, by which whoever gets them can tell. */
async function release(folder: string): Promise<string[]> {
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await buildWebWhenStale();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const archive = `${name}-${version}.tar.gz`;
  // Names in order, no owner and no times: the same sources give the same bytes, and anybody can check that they did.
  const reproducible = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  const leftOut = ['--exclude=node_modules', '--exclude=*.test.ts', '--exclude=*.test.tsx'];
  const zipped = ['--use-compress-program=gzip --no-name'];
  await must('tar', [...reproducible, ...leftOut, ...zipped, '-cf', join(folder, archive), ...contents]);
  const bill = `${name}-${version}.cdx.json`;
  // With the tools: the pages are made by them, and what they bring is in the pages.
  const lists = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  await writeFile(join(folder, bill), await must('npm', lists));
  const sums = await Promise.all(
    [archive, bill].map(async (file) => {
      const digest = createHash('sha256')
        .update(await readFile(join(folder, file)))
        .digest('hex');
      return `${digest}  ${file}\n`;
    }),
  );
  await writeFile(join(folder, 'SHA256SUMS'), sums.join(''));
  return [archive, bill, 'SHA256SUMS'];
}

const { positionals } = parseArgs({ allowPositionals: true });
const folder = resolve(positionals[0] ?? join(root, 'release'));
await release(folder).then((files) => {
  for (const file of files) console.log(join(folder, file));
}, endWith);
