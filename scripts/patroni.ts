import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { chown, copyFile, mkdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureProgram, isRoot } from './debian.ts';
import { endingWithUs } from './end-with-us.ts';
import { freePort } from './free-port.ts';
import { type Haproxy, startHaproxy } from './haproxy.ts';
import { serverPrograms } from './postgres.ts';
import { capture, Refusal } from './progress.mjs';

export interface PostgresPair {
  /** Of a superuser, by way of HAProxy: whichever leads. */
  url: string;
  /** As a machine that burns down: everything of it killed at once, its data gone. Gives the node's name. */
  losePrimary(): Promise<string>;
  /** The name of the node that leads, or null while there is none. */
  leader(): Promise<string | null>;
  stop(): Promise<void>;
}

interface Node {
  name: string;
  port: number;
  restPort: number;
  data: string;
  patroni: ChildProcess;
}

const needed = (what: string, name: string) =>
  `A pair of PostgreSQL that replaces its primary by itself needs ${what}, which is not here: install it (Debian: apt-get install ${name}).`;
const nodeConfig = new URL('../ops/patroni/node.yml', import.meta.url);
const proxyConfig = new URL('../ops/haproxy/postgresql.cfg', import.meta.url);
const password = 'for-this-test-alone';
const readyWithinMs = 60_000;

/** A leader and a synchronous standby on this machine, with the files in ops/ as they are. */
export async function startPostgresPair(folder: string): Promise<PostgresPair> {
  const bin = await serverPrograms();
  const etcd = await ensureProgram('etcd', 'etcd-server', needed('etcd', 'etcd-server'));
  const patroni = await ensureProgram('patroni', 'patroni', needed('Patroni', 'patroni'));
  const user = isRoot ? await serverUser() : null;
  const home = join(folder, 'postgres');
  await mkdir(home, { recursive: true, mode: 0o700 });
  // The repository may lie where the server's user cannot look.
  const config = join(home, 'node.yml');
  await copyFile(nodeConfig, config);
  if (user) for (const owned of [folder, home, config]) await chown(owned, user.uid, user.gid);
  const children: ChildProcess[] = [];
  const nodes: Node[] = [];
  let proxy: Haproxy | undefined;

  const run = (name: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const log = createWriteStream(join(folder, `${name}.log`));
    const [command, all] = endingWithUs(program, args);
    const child = spawn(command, all, { ...user, cwd: home, env: { ...process.env, ...env }, detached: true });
    child.stdout.pipe(log);
    child.stderr.pipe(log, { end: false });
    children.push(child);
    return child;
  };
  const stop = async () => {
    await proxy?.stop();
    for (const child of children.splice(0).reverse()) await endChild(child);
    for (const node of nodes) await killPostgres(node);
  };

  try {
    const clients = await freePort();
    const peers = `http://127.0.0.1:${await freePort()}`;
    run('etcd', etcd, [
      ...['--name', 'etcd-1', '--data-dir', join(home, 'etcd')],
      ...['--listen-client-urls', `http://127.0.0.1:${clients}`],
      ...['--advertise-client-urls', `http://127.0.0.1:${clients}`],
      ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `etcd-1=${peers}`],
    ]);
    await until('etcd', () => isOk(`http://127.0.0.1:${clients}/health`));

    const startNode = async (name: string): Promise<Node> => {
      const port = await freePort();
      const restPort = await freePort();
      const data = join(home, name);
      const child = run(name, patroni, [config], {
        PATRONI_NAME: name,
        PATRONI_ETCD3_HOSTS: `127.0.0.1:${clients}`,
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
        PATRONI_POSTGRESQL_DATA_DIR: data,
        PATRONI_POSTGRESQL_BIN_DIR: bin,
        PATRONI_POSTGRESQL_PGPASS: join(home, `${name}.pgpass`),
        PATRONI_SUPERUSER_USERNAME: 'portal',
        PATRONI_SUPERUSER_PASSWORD: password,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: password,
      });
      const node = { name, port, restPort, data, patroni: child };
      nodes.push(node);
      return node;
    };
    const first = await startNode('postgres-1');
    await until('The first PostgreSQL', () => isOk(`http://127.0.0.1:${first.restPort}/primary`));
    const second = await startNode('postgres-2');
    await until('The synchronous standby', () => isOk(`http://127.0.0.1:${second.restPort}/synchronous`));
    const listen = await freePort();
    proxy = await startHaproxy(proxyConfig, {
      HAPROXY_SOCKET: join(folder, 'postgresql.sock'),
      POSTGRES_LISTEN: `127.0.0.1:${listen}`,
      POSTGRES_1: `127.0.0.1:${first.port}`,
      POSTGRES_2: `127.0.0.1:${second.port}`,
      PATRONI_1: String(first.restPort),
      PATRONI_2: String(second.restPort),
    });
    const leading = async () => {
      for (const node of nodes) if (await isOk(`http://127.0.0.1:${node.restPort}/primary`)) return node;
      return null;
    };
    await until('HAProxy', async () => Object.values((await proxy?.states('primary')) ?? {}).includes('UP'));
    return {
      url: `postgresql://portal:${password}@127.0.0.1:${listen}/postgres`,
      leader: async () => (await leading())?.name ?? null,
      async losePrimary() {
        const node = await leading();
        if (!node) throw new Error('No PostgreSQL leads.');
        node.patroni.kill('SIGKILL');
        await killPostgres(node);
        await rename(node.data, `${node.data}.lost`);
        return node.name;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** PostgreSQL refuses to run as root, so root runs it as Debian's own user for it. */
async function serverUser(): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => capture('id', [flag, 'postgres'])));
  if (uid?.code !== 0 || gid?.code !== 0) throw new Refusal('There is no user "postgres" to run PostgreSQL as.');
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

/** The server and all of its own processes: they are no children of Patroni's. */
async function killPostgres({ data }: Node): Promise<void> {
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  if (!pid) return;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  for (const each of [pid, ...children.split(' ').map(Number).filter(Boolean)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // Already gone.
    }
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const isOk = async (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + readyWithinMs;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Refusal(`${what} was not ready within ${readyWithinMs / 1000} s.`);
    await sleep(100);
  }
}
