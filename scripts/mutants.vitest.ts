import { join, matchesGlob, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import {
  BaseSequencer,
  type PoolOptions,
  type PoolWorker,
  type TestSpecification,
  ThreadsPoolWorker,
} from 'vitest/node';
import { patience } from './patience.ts';

const name = 'mutants';
/** Each run leaves a few listeners behind in its thread. */
const mostRuns = 100;

interface Thread {
  worker: PoolWorker;
  runs: number;
}

let kept: Thread | null = null;

/**
 * Vitest starts a thread for each run and loads the tested code into it, which takes longer than most tests. A mutant is
 * switched on by a variable, so many can be run in one thread; only one that acts while a module loads needs a new one.
 */
function createPoolWorker(options: PoolOptions): PoolWorker {
  const { mode, mutantActivation } = options.project.getProvidedContext() as unknown as Record<string, unknown>;
  const mayShare = mode === 'mutant' && mutantActivation === 'runtime';
  const thread: Thread = (mayShare && kept) || { worker: new ThreadsPoolWorker(options), runs: 0 };
  const { worker } = thread;
  const listeners = new Map<(...args: unknown[]) => void, string>();
  thread.runs += 1;
  kept = mayShare && thread.runs < mostRuns ? thread : null;
  const isKept = () => kept === thread;
  return {
    name,
    deserialize: (data) => data,
    start: async () => {
      if (thread.runs > 1) return;
      await worker.start();
      worker.on('exit', () => {
        if (isKept()) kept = null;
      });
    },
    on(event, listener) {
      listeners.set(listener, event);
      worker.on(event, listener);
    },
    off(event, listener) {
      listeners.delete(listener);
      worker.off(event, listener);
    },
    send(message) {
      if (message.type !== 'stop' || !isKept()) return worker.send(message);
      // A thread that was told to stop listens no more.
      for (const [listener, event] of listeners)
        if (event === 'message') listener({ type: 'stopped', __vitest_worker_response__: true });
    },
    async stop() {
      for (const [listener, event] of listeners) worker.off(event, listener);
      if (!isKept()) await worker.stop();
    },
  };
}

/** Code that is altered on purpose is run by the tests that `mutants.ts` names, and by no others. */
const include = process.env.MUTANT_TESTS?.split(',') ?? [];

class InThatOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      include.findIndex((pattern) => matchesGlob(relative(process.cwd(), moduleId), pattern));
    return files.toSorted((one, other) => rank(one) - rank(other) || (one.moduleId < other.moduleId ? -1 : 1));
  }
}

const postgresUrl = process.env.TEST_POSTGRES_URL;

export default defineConfig({
  // Packages of our own are links to the code as it is, not to the copy that is altered.
  resolve: { alias: [{ find: /^@portal\//, replacement: join(import.meta.dirname, '../') }] },
  plugins: [
    {
      name: 'mutants-pool',
      // Stryker chooses a pool by itself, so it is exchanged once everything is configured.
      configureVitest({ project }) {
        Object.assign(project.config, { pool: name, poolRunner: { name, createPoolWorker } });
      },
    },
  ],
  test: {
    include,
    exclude: ['**/node_modules/**', '**/*.pg.test.ts'],
    setupFiles: [join(import.meta.dirname, 'mutants.setup.ts')],
    env: { TEST_DATABASE: postgresUrl ? 'postgresql' : 'embedded', DATABASE_URL: postgresUrl ?? '' },
    // What an alteration makes wait for ever is noticed by this.
    testTimeout: patience(8_000),
    hookTimeout: patience(8_000),
    expect: { poll: { timeout: patience(4_000) } },
    isolate: false,
    sequence: { sequencer: InThatOrder },
  },
});
