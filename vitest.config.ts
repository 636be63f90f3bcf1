import { defineConfig } from 'vitest/config';
import { patience } from './scripts/patience.ts';

const exclude = ['**/node_modules/**', '**/dist/**', 'e2e/**'];
const databaseTests = ['**/*.db.test.ts'];
/** What only a server of its own can show, such as its loss, and what does not depend on the database but asks it much. */
const postgresTests = ['**/*.pg.test.ts'];
/** Minutes of work for both cores, so it has a step of its own. */
const simulationTests = ['server/src/simulation/**/*.test.ts'];
/** Real processes that are killed: minutes, so they have a step of their own too. */
const reliabilityTests = ['scripts/reliability/**/*.test.ts', 'bench/**/*.test.ts'];
/** Pages in a made-up browser, before a portal that is started for them. */
const pageTests = ['web/**/*.test.tsx'];
const postgresUrl = process.env.TEST_POSTGRES_URL;

const waits = {
  testTimeout: patience(600_000),
  hookTimeout: patience(120_000),
  expect: { poll: { timeout: patience(30_000) } },
};

/** Files share what they import: loading it anew for each took half the time. Nothing is kept in a module. */
const shared = { ...waits, isolate: false };

/** The database tests run once on the embedded database and once on a PostgreSQL, where one is given. */
const onPostgres = (url: string) => ({
  test: {
    name: 'db-postgresql',
    include: [...databaseTests, ...postgresTests],
    exclude,
    env: { TEST_DATABASE: 'postgresql', DATABASE_URL: url, TEST_POSTGRES_URL: url },
    ...shared,
  },
});

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['**/*.test.ts'],
          exclude: [...exclude, ...databaseTests, ...postgresTests, ...simulationTests, ...reliabilityTests],
          ...shared,
        },
      },
      {
        test: {
          name: 'pages',
          include: pageTests,
          exclude,
          environment: 'jsdom',
          globalSetup: 'scripts/page-tests.ts',
          setupFiles: 'web/src/testing/setup.fixture.ts',
          ...shared,
        },
      },
      // Firefox and WebKit, by drivers of their own.
      {
        test: {
          name: 'browsers',
          include: ['e2e/browsers/**/*.test.ts'],
          globalSetup: 'scripts/page-tests.ts',
          ...waits,
        },
      },
      { test: { name: 'simulation', include: simulationTests, exclude, ...waits } },
      // Two at once, because they wait more than they compute.
      { test: { name: 'reliability', include: reliabilityTests, exclude, maxWorkers: 2, ...waits } },
      {
        test: {
          name: 'db-embedded',
          include: databaseTests,
          exclude,
          env: { TEST_DATABASE: 'embedded', DATABASE_URL: '' },
          ...shared,
        },
      },
      ...(postgresUrl ? [onPostgres(postgresUrl)] : []),
    ],
  },
});
