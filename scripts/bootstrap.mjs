// Runs on Node 20, before anything is installed: nothing but Node's own modules may be imported here.
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

/** npm writes its hidden lock file last, so without it an installation was cut off. */
function isInstalled() {
  const hidden = join(root, 'node_modules/.package-lock.json');
  if (!existsSync(hidden)) return false;
  if (existsSync(stamp)) return readFileSync(stamp, 'utf8') === manifestHash();
  // Somebody ran `npm ci` by hand: right when that was after the last change of what is asked for.
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

/** Node 24 comes with the packages on Linux; elsewhere it has to be there already. */
function node24() {
  if (major(process.versions.node) >= 24) return process.execPath;
  const packaged = join(root, 'node_modules/.bin/node');
  const { stdout } = spawnSync(packaged, ['--version'], { encoding: 'utf8' });
  if (stdout && major(stdout) >= 24) return packaged;
  throw new Refusal(
    `No Node 24 came with the packages for ${process.platform} ${process.arch}: install Node 24 from nodejs.org and run this again.`,
  );
}

/** Goes on in TypeScript under Node 24 and ends as that does. The script ends when this process is gone. */
export function continueWith(script, args = process.argv.slice(2)) {
  // What Node has compiled once is kept: a portal and its tests start in half the time.
  const env = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/node'), ...process.env };
  const options = { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] };
  const child = spawn(node24(), [join(root, 'scripts', script), ...args], options);
  // A terminal sends Ctrl-C to the whole group, and the script answers it; other signals reach only this process.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm runs us under a shell that passes no signal on: when that shell is gone, whoever asked for us is.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill('SIGTERM'), 500).unref();
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
}
