import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildWebWhenStale } from './build.ts';
import { endWith, Refusal, withProgress } from './progress.mjs';
import { releaseNotes } from './release-notes.ts';
import { root } from './source-files.ts';

/** What a machine needs to run the portal; npm installs the packages, checked against the lock file. */
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
  'console/package.json',
  'console/dist',
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

/** A release is made from a clean commit; a draft from the working tree, neither checked nor tagged. */
async function refuseUnlessReady(tag: string): Promise<void> {
  if ((await must('git', ['status', '--porcelain'])) !== '')
    throw new Refusal('There are changes that are not committed: commit them, or try with --draft.');
  if ((await must('git', ['tag', '--list', tag])) !== '')
    throw new Refusal(`${tag} exists: set another version in package.json, and say in CHANGELOG.md what it brings.`);
}

async function notesOf(version: string): Promise<string> {
  const notes = releaseNotes(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), version);
  if (!notes) throw new Refusal(`CHANGELOG.md has no section "## ${version}", or nothing in it.`);
  return `${notes}\n`;
}

const works = (program: string) =>
  run(program, ['--version']).then(
    () => true,
    () => false,
  );

/** Builds the image if a builder is installed; returns a sentence with the result. */
async function image(name: string): Promise<string> {
  if (!process.env.NODE_DIGEST) return 'No image: NODE_DIGEST names no base (ops/Containerfile says how).';
  for (const program of ['docker', 'podman'])
    if (await works(program)) {
      await must(program, ['build', '-f', 'ops/Containerfile', '--build-arg', 'NODE_DIGEST', '-t', name, '.']);
      return `The image ${name}, by ${program}.`;
    }
  return 'No image: neither docker nor podman is here.';
}

async function checksums(folder: string, files: readonly string[]): Promise<string> {
  const lines = await Promise.all(
    files.map(async (file) => {
      const digest = createHash('sha256')
        .update(await readFile(join(folder, file)))
        .digest('hex');
      return `${digest}  ${file}\n`;
    }),
  );
  return lines.join('');
}

/** Makes the archive, its notes, the bill of materials and checksums. */
async function release(folder: string, { isDraft }: { isDraft: boolean }): Promise<string[]> {
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const tag = `v${version}`;
  if (!isDraft) await refuseUnlessReady(tag);
  const notes = await notesOf(version);
  if (!isDraft) await withProgress('Checking', () => must('npm', ['run', '--silent', 'check']));
  await buildWebWhenStale();
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [archive, bill, told] = [`${name}-${version}.tar.gz`, `${name}-${version}.cdx.json`, `${name}-${version}.md`];
  // Reproducible: sorted names, no owner and no times, so the same sources give the same bytes.
  const reproducible = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  const leftOut = ['--exclude=node_modules', '--exclude=*.test.ts', '--exclude=*.test.tsx'];
  const zipped = ['--use-compress-program=gzip --no-name'];
  await must('tar', [...reproducible, ...leftOut, ...zipped, '-cf', join(folder, archive), ...contents]);
  // Includes build tools, because their code ends up in the pages.
  const lists = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  await writeFile(join(folder, bill), await must('npm', lists));
  await writeFile(join(folder, told), notes);
  await writeFile(join(folder, 'SHA256SUMS'), await checksums(folder, [archive, bill, told]));
  const made = [archive, bill, told, 'SHA256SUMS'].map((file) => join(folder, file));
  const imaged = await image(`${name}:${version}`);
  if (isDraft) return [...made, imaged, 'A draft: neither checked nor tagged.'];
  await must('git', ['tag', '--annotate', tag, '--file', join(folder, told), '--cleanup=verbatim']);
  return [...made, imaged, `The tag ${tag}: push it with the commit it names.`];
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { draft: { type: 'boolean' } } });
const folder = resolve(positionals[0] ?? join(root, 'release'));
await release(folder, { isDraft: values.draft === true }).then((lines) => {
  for (const line of lines) console.log(line);
}, endWith);
