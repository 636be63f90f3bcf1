import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildWebWhenStale } from './build.ts';
import { freePort } from './free-port.ts';
import { startHaproxy } from './haproxy.ts';
import { patience } from './patience.ts';
import { ensurePostgres } from './postgres.ts';
import { endWith, Refusal } from './progress.mjs';
import { type Service, startService } from './service.ts';
import { serverEnvironment, setCallbackBase, startSandbox } from './stack.ts';

export interface ClusterOptions {
  port: number;
  /** Where the proxy listens; this machine alone when it is not said. */
  host?: string;
  /** For the proxy's socket. */
  folder: string;
  startPortal(port: number, env: NodeJS.ProcessEnv): Promise<Service>;
}

export interface Cluster {
  url: string;
  /** Each portal by itself, past the proxy. */
  urls: string[];
  portals(): Service[];
  /** Without warning, and started again at once. */
  kill(index: number): Promise<void>;
  /** One after the other: no longer ready, drained, stopped, started, ready. */
  rollingRestart(): Promise<void>;
  /** Settles with a sentence when a portal ends without having been told to. */
  failed: Promise<string>;
  stop(): Promise<void>;
}

const config = new URL('../ops/haproxy/portal.cfg', import.meta.url);
const backend = 'portals_ready';
const size = 3;
const readyWithinMs = patience(30_000);

/** Three portals on one database, behind HAProxy with the file that an operator would use. */
export async function startCluster({
  port,
  host = '127.0.0.1',
  folder,
  startPortal,
}: ClusterOptions): Promise<Cluster> {
  const ports: number[] = [];
  while (ports.length < size) ports.push(await freePort());
  const url = `http://localhost:${port}`;
  // The proxy asks twice a second whether a portal is ready; where other work goes on, too, it hears the answer later.
  const env = {
    HOST: '127.0.0.1',
    PUBLIC_URL: url,
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: String(Math.ceil(patience(4_000) / 1000)),
  };
  const failed = Promise.withResolvers<string>();
  const start = async (portal: number) => {
    const service = await startPortal(portal, env);
    void service.failed.then(failed.resolve);
    return service;
  };
  const portals: (Service | null)[] = [];
  const stopPortals = () => Promise.all(portals.splice(0).map((portal) => portal?.stop()));
  try {
    portals.push(...(await Promise.all(ports.map(start))));
    const address = (portal: number) => `127.0.0.1:${portal}`;
    const proxy = await startHaproxy(config, {
      HAPROXY_SOCKET: join(folder, 'haproxy.sock'),
      PORTAL_LISTEN: `${host}:${port}`,
      ...Object.fromEntries(ports.map((portal, index) => [`PORTAL_${index + 1}`, address(portal)])),
    });
    const isUp = async (index: number) => (await proxy.states(backend))[`portal-${index + 1}`]?.startsWith('UP');
    const untilUp = async (index: number) => {
      const until = Date.now() + readyWithinMs;
      while (!(await isUp(index))) {
        if (Date.now() > until)
          throw new Refusal(`Portal ${index + 1} is not ready for the proxy after ${readyWithinMs / 1000} s.`);
        await sleep(100);
      }
    };
    for (const index of ports.keys()) await untilUp(index);
    const replace = async (index: number, end: (portal: Service) => Promise<void>) => {
      const old = portals[index];
      portals[index] = null;
      if (old) await end(old);
      portals[index] = await start(ports[index] ?? 0);
    };
    return {
      url,
      urls: ports.map((portal) => `http://127.0.0.1:${portal}`),
      portals: () => portals.filter((portal) => portal !== null),
      kill: (index) => replace(index, (portal) => portal.kill()),
      async rollingRestart() {
        for (const index of ports.keys()) {
          await replace(index, (portal) => portal.stop());
          await untilUp(index);
        }
      },
      failed: failed.promise,
      async stop() {
        await stopPortals();
        await proxy.stop();
      },
    };
  } catch (error) {
    await stopPortals();
    throw error;
  }
}

async function main(): Promise<void> {
  const { env } = process;
  const production = env.NODE_ENV === 'production';
  if (production && !env.DATABASE_URL)
    throw new Refusal('Several portals need a PostgreSQL that they share: set DATABASE_URL.');
  await buildWebWhenStale();
  const folder = resolve(env.DATA_DIR || '.data');
  mkdirSync(folder, { recursive: true });
  const onLog = (line: string) => void process.stderr.write(`${line}\n`);
  const postgres = await ensurePostgres();
  const sandbox = env.SANDBOX === '0' || (production && env.SANDBOX !== '1') ? null : await startSandbox({ onLog });
  const port = Number(env.PORT || 3000);
  const cluster = await startCluster({
    port,
    host: env.HOST || '127.0.0.1',
    folder,
    startPortal: (own, more) => {
      const settings = { DATABASE_URL: postgres.url, ...more };
      const environment = serverEnvironment({ port: own, dataDir: folder, env: settings }, sandbox);
      return startService('A portal', 'server/src/main.ts', environment, onLog);
    },
  });
  if (sandbox) await setCallbackBase(sandbox, cluster.url);
  const stop = async (code: number) => {
    await cluster.stop();
    await sandbox?.stop();
    await postgres.stop();
    process.exit(code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'disconnect']) process.once(signal, () => void stop(0));
  let restarting = Promise.resolve();
  process.on('SIGHUP', () => {
    restarting = restarting.then(cluster.rollingRestart).then(() => console.log('All three portals were restarted.'));
  });
  console.log(`
  The portal       ${cluster.url}   (three processes behind HAProxy)
  Restart them     kill -HUP ${process.pid}   (one after the other, no request fails)
  Database         ${env.DATABASE_URL ? 'DATABASE_URL' : `${postgres.url}   (of its own; it goes when this ends)`}

  Ctrl-C stops it.
`);
  console.error(await cluster.failed);
  await stop(1);
}

if (import.meta.main) main().catch(endWith);
