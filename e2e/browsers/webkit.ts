import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureProgram, findProgram } from '../../scripts/debian.ts';
import { freePort } from '../../scripts/free-port.ts';
import { patience } from '../../scripts/patience.ts';
import type { Driver } from './visitor.ts';

const sentence = (name: string) =>
  `The tests in WebKit need ${name}, which is not here: install it (Debian: apt-get install webkit2gtk-driver xvfb).`;

/** How WebDriver names an element in JSON. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** WebKit's MiniBrowser by its own driver, on a virtual screen. */
export async function openWebkit(): Promise<Driver> {
  const driver = await ensureProgram('WebKitWebDriver', 'webkit2gtk-driver', sentence('WebKitWebDriver'));
  const screen = await ensureProgram('Xvfb', 'xvfb', sentence('Xvfb'));
  const port = await freePort();
  // It picks a free number for its screen, and says which.
  const shown = spawn(screen, ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(shown.stdio[3] as NodeJS.ReadableStream, 'data');
  const env = { ...process.env, DISPLAY: `:${String(display).trim()}` };
  const service = spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore', env });
  const stop = async () => {
    for (const process of [service, shown]) await ended(process);
  };
  try {
    return await openSession(`http://127.0.0.1:${port}`, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function ended(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return;
  const gone = once(process, 'exit');
  process.kill();
  await gone;
}

async function openSession(url: string, stop: () => Promise<void>): Promise<Driver> {
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await fetch(`${url}${path}`, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
    const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`);
    return value;
  }
  await ready(() => call('GET', '/status'));
  const binary = findProgram(['MiniBrowser'], miniBrowserFolders);
  const { sessionId } = await call<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { args: ['--automation'], ...(binary ? { binary } : {}) } },
    },
  });
  const session = `/session/${sessionId}`;
  await call('POST', `${session}/window/rect`, { width: 400, height: 800 });
  return {
    open: (address) => call('POST', `${session}/url`, { url: address }),
    address: () => call('GET', `${session}/url`),
    async find(source, kind, name) {
      const script = `return (${source})(...arguments)`;
      const found = await call<Record<string, string> | null>('POST', `${session}/execute/sync`, {
        script,
        args: [kind, name],
      });
      if (!found) return null;
      const element = `${session}/element/${found[elementKey]}`;
      return {
        click: () => call('POST', `${element}/click`, {}),
        type: (text) => call('POST', `${element}/value`, { text }),
      };
    },
    async close() {
      await call('DELETE', session);
      await stop();
    },
  };
}

/** Debian keeps it off the path. */
const miniBrowserFolders = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/webkit2gtk-4.1`);

async function ready(ask: () => Promise<unknown>): Promise<void> {
  const until = Date.now() + patience(20_000);
  for (;;) {
    try {
      await ask();
      return;
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(100);
    }
  }
}
