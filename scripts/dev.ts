import { join, resolve, sep } from 'node:path';
import { type DevServer, startDevServer } from '../web/dev/dev-server.ts';
import { buildConsoleWhenStale } from './build.ts';
import { forward, listenInFront } from './dev/front.ts';
import { type Portals, startPortals } from './dev/portals.ts';
import { endWith, Refusal } from './progress.mjs';
import { type Service, startService } from './service.ts';
import { isTest, root } from './source-files.ts';
import { serverEnvironment, setCallbackBase, startSandbox } from './stack.ts';
import { logTo, printWelcome, wantsSandbox } from './start-surroundings.ts';

const { env } = process;
/** What the portal is made of besides its pages, which Vite looks after. */
const watched = ['server/src', 'domain', 'contract', 'operators'].map((folder) => join(root, folder));
if (env.OPERATORS_DIR) watched.push(resolve(env.OPERATORS_DIR));
/** An editor writes several files at once. */
const settleMs = 50;

/** What runs, in the order in which it was started. */
const running: { stop(): Promise<unknown> }[] = [];
let stopping = false;
async function stop(code: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  console.log('\nStopping…');
  for (const part of running.reverse()) await part.stop();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.on(signal, () => stop(0));

function run<T extends { stop(): Promise<unknown> }>(part: T): T {
  running.push(part);
  return part;
}

async function runService(starting: Promise<Service>): Promise<Service> {
  // Told to stop while it is starting, we wait for it: else it would be left behind.
  run({ stop: () => starting.then((service) => service.stop()).catch(() => {}) });
  const service = await starting;
  service.failed.then((sentence) => {
    console.error(sentence);
    return stop(1);
  });
  return service;
}

try {
  await buildConsoleWhenStale();
  await develop();
} catch (error) {
  for (const part of running.reverse()) await part.stop();
  endWith(error);
}

async function develop(): Promise<void> {
  if (env.NODE_ENV === 'production')
    throw new Refusal('This is for development: unset NODE_ENV, which is "production".');
  const dataDir = resolve(env.DATA_DIR || '.data');
  const log = logTo(dataDir);
  const { http, url } = await listenInFront(Number(env.PORT || 3000), env.HOST || 'localhost');
  console.log('Starting the sandbox, the database and Vite…');
  const devServer = await startDevServer(http);
  run({ stop: () => devServer.close() });
  // A page that was left open asks before there is a portal: it waits for the first one.
  const first = Promise.withResolvers<Portals>();
  http.on('request', (request, response) => {
    if (!devServer.answer(request, response))
      void forward(request, response, async () => (await first.promise).address());
  });
  const [sandbox, database] = await Promise.all([
    wantsSandbox ? runService(startSandbox({ onLog: log.write })) : null,
    env.DATABASE_URL
      ? null
      : runService(startService('The database', 'scripts/dev/database.ts', { ...env, DATA_DIR: dataDir }, log.write)),
  ]);

  console.log('Starting the portal…');
  const settings = {
    NODE_ENV: 'development',
    HOST: '127.0.0.1',
    PUBLIC_URL: env.PUBLIC_URL || url,
    SERVICE_WORKER: 'off',
    DEV_SERVER_URL: url,
    ...(database && { DEV_DATABASE_URL: database.ready.url }),
  };
  const portals = run(
    startPortals(serverEnvironment({ port: 0, dataDir, env: settings }, sandbox), log.write, (sentence) => {
      if (stopping) return;
      console.error(`\n${sentence}\nWaiting for the next change…`);
      devServer.showProblem(sentence);
    }),
  );
  if (sandbox) await setCallbackBase(sandbox, url);
  const started = portals.restart();
  first.resolve(portals);
  await started;
  restartOnChange(devServer, portals);
  await printWelcome({ url, sandboxUrl: sandbox?.ready.http ?? null }, log.where);
}

function restartOnChange(devServer: DevServer, portals: Portals): void {
  const sandboxFolder = join(root, 'sandbox/src');
  let settling: NodeJS.Timeout | undefined;
  devServer.watch([...watched, sandboxFolder], (file) => {
    if (isTest(file)) return;
    if (file.startsWith(sandboxFolder + sep))
      return console.log('The sandbox goes on as it was started: stop and start again for its change to be seen.');
    if (!watched.some((folder) => file.startsWith(folder + sep))) return;
    clearTimeout(settling);
    settling = setTimeout(async () => {
      const since = performance.now();
      if (!(await portals.restart())) return;
      const seconds = ((performance.now() - since) / 1000).toFixed(1);
      console.log(`${file.slice(root.length)} changed: the portal started again in ${seconds} s`);
      devServer.reloadPages();
    }, settleMs);
  });
}
