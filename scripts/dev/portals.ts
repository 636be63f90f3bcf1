import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../progress.mjs';
import { type Service, startService } from '../service.ts';

export interface Portals {
  /** Where the newest portal answers; waits while one is being started. Fails with a sentence where there is none. */
  address(): Promise<string>;
  /** Starts a portal with the code as it is now. False where it does not start: the one before it goes on answering. */
  restart(): Promise<boolean>;
  stop(): Promise<void>;
}

interface Prepared {
  service: Service;
  /** Its address, once it was told to start. */
  url: Promise<string>;
}

/** The page that shows a change comes first: preparing for the next one would take the processor from it. */
const restMs = 1_500;

/** Portals that follow each other; one is always prepared, so that no change waits for packages to be loaded. */
export function startPortals(
  env: NodeJS.ProcessEnv,
  onLog: (line: string) => void,
  onProblem: (sentence: string) => void,
): Portals {
  const running = new Set<Service>();
  let preparing = 0;
  let isStopping = false;
  let isWanted = false;
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
    // Whoever starts it hears why it could not be prepared.
    starting.catch(() => {});
    return starting;
  }

  async function prepareAfterRest(): Promise<Prepared> {
    for (const end = Date.now() + restMs; Date.now() < end && !isWanted && !isStopping; ) await sleep(50);
    if (isStopping) throw new Refusal('No portal is wanted any more.');
    return prepare();
  }

  async function startNext(): Promise<boolean> {
    try {
      const { service, url } = await prepared;
      isWanted = false;
      service.tell({ start: true });
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
      prepared = prepareAfterRest();
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
      // Changes that come while one waits for its turn are one start, not many.
      if (!isWanted) started = started.then(startNext);
      isWanted = true;
      return started;
    },
    async stop() {
      isStopping = true;
      await started;
      // One that is being prepared has nothing to lose.
      if (preparing) process.kill(preparing);
      await prepared.catch(() => {});
      await Promise.all([...running].map((service) => service.stop()));
    },
  };
}

/** Where in Node itself a mistake of ours was found helps nobody. */
const withoutNodesOwn = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s+at .*node:internal/.test(line))
    .join('\n');
