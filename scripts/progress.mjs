import { spawn } from 'node:child_process';

/** A reason to stop, in one sentence meant for a person; the output is what the failing program said. */
export class Refusal extends Error {
  constructor(sentence, output = '') {
    super(sentence);
    this.output = output;
  }
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(Date.now() - since < 10_000 ? 1 : 0)} s`;

/** What is under way, by label: several at once, and one inside another. */
const shown = new Map();
let ticker;

const terminal = process.stdout.isTTY;
const clear = () => terminal && process.stdout.write('\r\x1b[K');
function show() {
  const all = [...shown].map(([label, since]) => `${label}… ${Math.round((Date.now() - since) / 1000)} s`).join(', ');
  clear();
  process.stdout.write(terminal ? all.slice(0, process.stdout.columns - 1) : `${all}\n`);
}

/** Shows `label… 12 s` while the work runs: rewritten in place on a terminal, a line every 30 s in a log. */
export async function withProgress(label, work, done = (duration) => `${label}: done in ${duration}`) {
  const since = Date.now();
  shown.set(label, since);
  if (terminal) show();
  ticker ??= setInterval(show, terminal ? 1000 : 30_000);
  try {
    const result = await work();
    clear();
    process.stdout.write(`${done(seconds(since), result)}\n`);
    return result;
  } catch (error) {
    clear();
    throw error;
  } finally {
    shown.delete(label);
    if (shown.size === 0) {
      clearInterval(ticker);
      ticker = undefined;
    }
  }
}

const running = new Map();

/** Ends what `capture` has under way, for a process that is told to stop. */
export function stopRunning() {
  // One with a process group of its own goes with all it started: test runners leave their workers behind.
  for (const [child, { detached }] of running) {
    try {
      if (child.pid) process.kill(detached ? -child.pid : child.pid, 'SIGTERM');
    } catch (error) {
      if (error.code !== 'ESRCH') throw error;
    }
  }
}

/** Runs a program without showing its output, which is given back whole with its exit code. */
export function capture(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    running.set(child, options);
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    child.on('error', (error) => resolve({ code: 127, output: `${output}${error.message}\n` }));
    child.on('close', (code, signal) => {
      running.delete(child);
      resolve({ code: code ?? 1, output: signal ? `${output}${signal}\n` : output });
    });
  });
}

/** As `capture`, with progress; a failure becomes the given sentence and carries the end of the output. */
export async function runQuietly(label, sentence, command, args, options) {
  await withProgress(label, async () => {
    const { code, output } = await capture(command, args, options);
    if (code !== 0) throw new Refusal(sentence, output.trimEnd().split('\n').slice(-40).join('\n'));
  });
}

/** npm as the one that started us, or else the one on the path. */
export function npmCommand(...args) {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  return script?.endsWith('.js') ? [node ?? process.execPath, [script, ...args]] : ['npm', args];
}

/** Ends the process with the sentence alone; only a defect of ours shows its stack. */
export function endWith(error) {
  if (!(error instanceof Refusal)) console.error(error);
  else console.error(error.output ? `${error.output}\n\n${error.message}` : error.message);
  process.exit(1);
}
