import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../progress.mjs';
import { type Service, startService } from '../service.ts';

export interface Portals {
  /** URL of the newest portal; waits while one starts, and rejects with a sentence if none could. */
  address(): Promise<string>;
  /** Starts a portal with the current code. False if it does not start; the previous one keeps serving. */
  restart(): Promise<boolean>;
  stop(): Promise<void>;
}

interface Prepared {
  service: Service;
  /** Its URL, once it has been told to start. */
  url: Promise<string>;
}

/** Delay before preparing the next portal, so that it does not compete with the page that shows the change. */
const restMs = 1_500;

/** Successive portals; one is always preloaded, so that a change does not wait for packages to load. */
export function startPortals(
  env: NodeJS.ProcessEnv,
  onLog: (line: string) => void,
  onProblem: (sentence: string) => void,
): Portals {
  const running = new Set<Service>();
  let preparing = 0;
  let isStopping = false;
  let isNeeded = false;
  let prepared = prepare();
  let current: { service: Service; url: string } | null = null;
  let started = Promise.resolve(false);

  function prepare(): Promise<Prepared> {
    const { promise: url, resolve } = Promise.withResolvers<string>();
    const starting = startService('The portal', 'scripts/dev/portal.ts', env, onLog, {
      onSpawn: (pid) => {
        preparing = pid;
      },
      onMessage: (message) => resolve((message as { url: string }).url),
    })
      .finally(() => {
        preparing = 0;
      })
      .then((service) => {
        running.add(service);
        return { service, url };
      });
    // The caller of `restart` gets the error.
    starting.catch(() => {});
    return starting;
  }

  async function prepareAfterPause(): Promise<Prepared> {
    for (const end = Date.now() + restMs; Date.now() < end && !isNeeded && !isStopping; ) await sleep(50);
    if (isStopping) throw new Refusal('No portal is wanted any more.');
    return prepare();
  }

  async function startNext(): Promise<boolean> {
    try {
      const { service, url } = await prepared;
      isNeeded = false;
      service.send({ start: true });
      const failed = service.failed.then((sentence) => Promise.reject(new Refusal(sentence)));
      const before = current;
      current = { service, url: await Promise.race([url, failed]) };
      failed.catch(({ message }) => {
        if (current?.service !== service) return;
        current = null;
        onProblem(withoutNodesOwn(message));
      });
      if (before) void before.service.stop().then(() => running.delete(before.service));
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      onProblem(withoutNodesOwn([error.output, error.message].filter(Boolean).join('\n')));
      return false;
    } finally {
      prepared = prepareAfterPause();
      prepared.catch(() => {});
    }
  }

  return {
    async address() {
      await started;
      if (!current) throw new Refusal('The portal does not run: the terminal says why.');
      return current.url;
    },
    restart() {
      // Changes that arrive while a start is pending are merged into it.
      if (!isNeeded) started = started.then(startNext);
      isNeeded = true;
      return started;
    },
    async stop() {
      isStopping = true;
      await started;
      // A portal still being prepared can be killed safely.
      if (preparing) process.kill(preparing);
      await prepared.catch(() => {});
      await Promise.all([...running].map((service) => service.stop()));
    },
  };
}

/** Removes stack frames inside Node, which help nobody. */
const withoutNodesOwn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s+at .*node:internal/.test(line))
    .join('\n');
