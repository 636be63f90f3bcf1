import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Refusal } from './progress.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const preload = new URL('./exit-with-parent.mjs', import.meta.url).href;
const readyWithinMs = 120_000;
const stopWithinMs = 15_000;

export interface Service {
  pid: number;
  /** What it printed when it was ready. */
  ready: Record<string, string>;
  /** Settles with a sentence when the process ends without having been told to; never otherwise. */
  failed: Promise<string>;
  /** To what was loaded into it with `imports`. */
  send(message: object): void;
  stop(): Promise<void>;
  /** Without a word of warning; resolves when it is gone. */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  /** Modules to load before the program. */
  imports?: string[];
  /** Called as soon as there is a process, long before it is ready. */
  onSpawn?: (pid: number) => void;
  /** Called with what the program sends to us. */
  onMessage?: (message: unknown) => void;
}

/**
 * Starts one of our programs and waits for its line `{"ready":true,…}`. It gets a process group of its own, so that
 * Ctrl-C in a terminal reaches only us and we stop things in order.
 */
export async function startService(
  name: string,
  script: string,
  env: NodeJS.ProcessEnv,
  onLog: (line: string) => void,
  { imports = [], onSpawn, onMessage }: ServiceOptions = {},
): Promise<Service> {
  const loaded = [preload, ...imports].flatMap((module) => ['--import', module]);
  const child = spawn(process.execPath, [...loaded, script], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { pid = 0 } = child;
  onSpawn?.(pid);
  if (onMessage) child.on('message', onMessage);
  const last: string[] = [];
  createInterface({ input: requireStream(child.stderr) }).on('line', (line) => {
    last.push(line);
    if (last.length > 40) last.shift();
    onLog(line);
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ how: signal ?? `exit code ${code}`, said: last }));
  const stop = () => stopChild(child, ended);
  try {
    const ready = await Promise.race([
      readyLine(child),
      ended.then(({ how, said }) =>
        Promise.reject(new Refusal(ownSentence(said) || `${name} did not start (${how}).`, tail(said))),
      ),
      rejectAfter(readyWithinMs, `${name} was not ready within ${readyWithinMs / 1000} s.`),
    ]);
    let told = false;
    const failed = new Promise<string>((resolve) => {
      ended.then(({ how, said }) => {
        if (!told) resolve(`${tail(said)}\n${name} stopped by itself (${how}). ${ownSentence(said)}`.trim());
      });
    });
    return {
      pid,
      ready,
      failed,
      // One that is gone is told of by `failed`.
      send: (message) => void child.send(message, () => {}),
      stop: () => {
        told = true;
        return stop();
      },
      kill: async () => {
        told = true;
        child.kill('SIGKILL');
        await ended;
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Our programs log in JSON; any other line was written for whoever starts them. */
const isSentence = (line: string) => line.trim() !== '' && !line.startsWith('{');
const ownSentence = (lines: string[]): string => lines.filter(isSentence).join('\n');
const tail = (lines: string[]): string => (lines.some(isSentence) ? '' : lines.slice(-3).join('\n'));

async function readyLine(child: ChildProcess): Promise<Record<string, string>> {
  for await (const line of createInterface({ input: requireStream(child.stdout) })) {
    if (line.startsWith('{"ready":true')) return JSON.parse(line);
  }
  return new Promise(() => {});
}

function requireStream(stream: NodeJS.ReadableStream | null): NodeJS.ReadableStream {
  if (!stream) throw new Error('The child process has no output pipe.');
  return stream;
}

async function rejectAfter(ms: number, sentence: string): Promise<never> {
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  throw new Refusal(sentence);
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), stopWithinMs);
  await ended;
  clearTimeout(force);
}
