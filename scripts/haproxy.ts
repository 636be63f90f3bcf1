import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureProgram } from './debian.ts';
import { endingWithUs } from './end-with-us.ts';
import { patience } from './patience.ts';
import { capture, Refusal } from './progress.mjs';

export interface Haproxy {
  /** The state (UP, DOWN …) of each server of a backend. */
  states(backend: string): Promise<Record<string, string>>;
  stop(): Promise<void>;
}

const sentence = 'This needs HAProxy, which is not here: install it (Debian: apt-get install haproxy).';

const startLimitMs = patience(20_000);

/** Runs HAProxy with a file of ops/haproxy unchanged; deployment settings come from the environment. */
export async function startHaproxy(file: URL, settings: NodeJS.ProcessEnv & { HAPROXY_SOCKET: string }) {
  const program = await ensureProgram('haproxy', 'haproxy', sentence);
  const env = { ...process.env, ...settings };
  const checked = await capture(program, ['-c', '-f', file.pathname], { env });
  if (checked.code !== 0) throw new Refusal(`HAProxy does not take ${file.pathname}.`, checked.output);
  const [command, args] = endingWithUs(program, ['-db', '-f', file.pathname]);
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000);
  });
  const ended = once(child, 'exit');
  const proxy: Haproxy = {
    states: (backend) => readStates(settings.HAPROXY_SOCKET, backend),
    stop: () => stopChild(child, ended),
  };
  for (const end = Date.now() + startLimitMs; Date.now() < end && child.exitCode === null; ) {
    if (await proxy.states('').catch(() => null)) return proxy;
    await sleep(50);
  }
  await proxy.stop();
  throw new Refusal('HAProxy did not start.', said);
}

/** Column 0 is the backend, 1 the server and 17 the state. */
async function readStates(socket: string, backend: string): Promise<Record<string, string>> {
  const rows = (await asked(socket, 'show stat')).split('\n').map((line) => line.split(','));
  const own = rows.filter(([group, server]) => group === backend && server !== 'BACKEND');
  return Object.fromEntries(own.map((row) => [row[1] ?? '', row[17] ?? '']));
}

async function asked(path: string, text: string): Promise<string> {
  const socket = connect(path);
  socket.setEncoding('utf8').write(`${text}\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

async function stopChild(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await ended;
}
