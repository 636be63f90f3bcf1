// Runs on Node 20 before anything is installed, so it may import only Node's built-in modules.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npmCommand, Refusal, runQuietly } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'node_modules/.install-stamp');
const major = (version) => Number(version.replace(/^v/, '').split('.')[0]);

export function requireNode20() {
  if (major(process.versions.node) >= 20) return;
  throw new Refusal(
    `This needs Node 20 or later, and this is Node ${process.versions.node}: install a newer one from nodejs.org.`,
  );
}

function manifests() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return ['package-lock.json', 'package.json', ...workspaces.map((folder) => `${folder}/package.json`)].map((file) =>
    join(root, file),
  );
}

function manifestHash() {
  const hash = createHash('sha256');
  for (const file of manifests()) hash.update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** npm writes its hidden lock file last; without it the installation was interrupted. */
function isInstalled() {
  const hidden = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(hidden)) return false;
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === manifestHash();
  // Installed by hand with `npm ci`: valid if newer than the last change of the lock file.
  const installed = statSync(hidden).mtimeMs;
  return manifests().every((file) => statSync(file).mtimeMs <= installed);
}

export async function installWhenStale() {
  if (isInstalled()) return;
  const hash = manifestHash();
  const sentence =
    'The packages could not be installed: see what npm says above, and whether its registry can be reached.';
  await runQuietly('Installing the packages', sentence, ...npmCommand('ci', '--include=dev', '--no-progress'), {
    cwd: root,
  });
  writeFileSync(stamp, hash);
}

/** On Linux Node 24 is installed as a package; elsewhere it must already be installed. */
function node24() {
  if (major(process.versions.node) >= 24) return process.execPath;
  const packaged = join(root, 'node_modules/.bin/node');
  const { stdout } = spawnSync(packaged, ['--version'], { encoding: 'utf8' });
  if (stdout && major(stdout) >= 24) return packaged;
  throw new Refusal(
    `No Node 24 came with the packages for ${process.platform} ${process.arch}: install Node 24 from nodejs.org and run this again.`,
  );
}

/** Runs a TypeScript script under Node 24 and exits with its code. The script ends when this process dies. */
export function continueWith(script, args = process.argv.slice(2)) {
  // With Node's compile cache a portal and its tests start in half the time.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env };
  const options = { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] };
  const child = spawn(node24(), [join(root, 'scripts', script), ...args], options);
  // A terminal sends Ctrl-C to the whole process group, so the script handles it; other signals reach only this process.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm runs us under a shell that forwards no signals: once that shell is gone, so is the caller.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
