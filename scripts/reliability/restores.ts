import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openDatabase } from '../../server/src/db/database.ts';
import { rowCounts } from '../../server/src/db/stored-tables.ts';
import { Random } from '../../server/src/simulation/random.ts';
import { backUp } from '../backup.ts';
import { listenForSignals, undoOnSignal } from '../end-with-us.ts';
import { freePort } from '../free-port.ts';
import { patience } from '../patience.ts';
import { asServerUser, serverPrograms } from '../postgres.ts';
import { endWith, Refusal } from '../progress.mjs';
import type { Service } from '../service.ts';
import { readBooks } from './compare-books.ts';
import { startCustomers } from './customers.ts';
import { passTime, startSite } from './site.ts';
import { judge } from './verdict.ts';

/** Ways in which old data come back. */
export const pasts = ['recovered', 'promoted', 'copied', 'killed restore'] as const;
export type Past = (typeof pasts)[number];

export interface RestoresReport {
  payments: number;
  /** Payments open at the restored moment. */
  inFlight: number;
  /** The epochs that the portal detected. */
  epochs: { number: number; is_restored: boolean; open_payments: number }[];
  states: Record<string, number>;
  problems: string[];
}

const kills = 10;

/** Takes a snapshot while payments are in flight, goes on, then brings the snapshot back without telling the portal. */
export async function runRestore(past: Past, onProgress: (line: string) => void = () => {}): Promise<RestoresReport> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-restores-'));
  const cancelUndo = undoOnSignal(() => rm(folder, { recursive: true, force: true }));
  const server = await startServer(folder);
  const site = await startSite({ databaseUrl: server.url, approveAfterMs: 2_500 });
  let portal: Service | undefined;
  try {
    const port = await freePort();
    const url = `http://localhost:${port}`;
    portal = await site.startPortal(port);
    await site.callBackTo(url);
    const before = await server.prepare(past);
    const customers = startCustomers({
      url,
      random: new Random(11),
      customers: 8,
      walletMode: site.walletMode,
      leaves: 0.3,
    });
    await sleep(4_000);
    await customers.stop();
    await before.markMoment();
    const inFlight = [...customers.payments.values()].filter(({ isFinal }) => !isFinal).length;
    onProgress(`${customers.payments.size} payments, ${inFlight} of them open at the moment that will come back`);
    await customers.comeBack();
    for (const end = Date.now() + patience(25_000); (await customers.askAll()) > 0 && Date.now() < end; )
      await sleep(500);
    await portal.stop();
    await before.goBack();
    onProgress('the past is back');

    portal = await site.startPortal(port);
    customers.startAnew();
    const running = portal;
    const open = await passTime(site, () => [running], customers);
    const books = await readBooks(site.sandboxUrl);
    await portal.stop();
    portal = undefined;
    const { db, close } = await openDatabase({ url: server.url });
    const { states, problems } = await judge(db, customers, books);
    const epochs = await db
      .selectFrom('epochs')
      .select(['number', 'is_restored', 'open_payments'])
      .orderBy('number')
      .execute();
    await close();
    if (open > 0) problems.push(`${open} payments did not end`);
    if (inFlight < 3) problems.push('hardly anything was in flight');
    if (epochs.length < 2) problems.push('the portal did not notice');
    return { payments: customers.payments.size, inFlight, epochs, states, problems };
  } finally {
    await portal?.stop();
    await site.stop();
    await server.stop();
    cancelUndo();
    await rm(folder, { recursive: true, force: true });
  }
}

interface RestorePoint {
  markMoment(): Promise<void>;
  goBack(): Promise<void>;
}

/** A PostgreSQL server of our own whose data can be restored in each of these ways. */
async function startServer(folder: string) {
  const programs = await serverPrograms();
  const data = join(folder, 'data');
  const wal = join(folder, 'wal');
  const port = await freePort();
  const user = (program: string, args: string[]) => asServerUser(folder, join(programs, program), args);
  const must = async (program: string, args: string[]) => {
    const { code, output } = await user(program, args);
    if (code !== 0) throw new Refusal(`${program} failed.`, output);
  };
  const start = (of: string) => must('pg_ctl', ['-D', of, '-l', join(folder, 'log'), '-w', '-t', '60', 'start']);
  const stop = (of: string, mode: 'fast' | 'immediate') => user('pg_ctl', ['-D', of, '-m', mode, '-w', 'stop']);
  const query = async (statement: string) => {
    const at = ['-h', '127.0.0.1', '-p', String(port), '-U', 'portal', '-d', 'portal', '-tAc', statement];
    const { code, output } = await user('psql', at);
    if (code !== 0) throw new Refusal('psql failed.', output);
    return output.trim();
  };
  const copyInto = (target: string, more: string[] = []) =>
    must('pg_basebackup', ['-h', '127.0.0.1', '-p', String(port), '-U', 'portal', '-D', target, '-c', 'fast', ...more]);
  const settings = (of: string, lines: string) => appendFile(join(of, 'postgresql.conf'), `\n${lines}\n`);

  await ownFolder(folder);
  await mkdir(wal);
  await ownFolder(wal);
  await must('initdb', [
    '-D',
    data,
    '--username=portal',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  await settings(
    data,
    `port = ${port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '${folder}'\nmax_connections = 100
archive_mode = on\narchive_command = 'cp %p ${wal}/%f'\nwal_level = replica`,
  );
  await start(data);
  await must('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'portal', 'portal']);
  const url = `postgresql://portal@127.0.0.1:${port}/portal`;

  /** Replaces the server's data folder. */
  async function swapIn(other: string): Promise<void> {
    await stop(data, 'fast');
    await rename(data, join(folder, 'lost'));
    await rename(other, data);
  }

  const ways: Record<Past, () => Promise<RestorePoint>> = {
    /** A base backup and the write-ahead log up to a named moment. */
    async recovered() {
      const base = join(folder, 'base');
      await copyInto(base);
      return {
        markMoment: async () => void (await query("select pg_create_restore_point('moment')")),
        async goBack() {
          const last = await query('select pg_walfile_name(pg_switch_wal())');
          for (const end = Date.now() + patience(20_000); Date.now() < end; await sleep(200))
            if ((await query('select last_archived_wal from pg_stat_archiver')) >= last) break;
          await swapIn(base);
          await settings(
            data,
            `restore_command = 'cp ${wal}/%f %p'\nrecovery_target_name = 'moment'\nrecovery_target_action = 'promote'`,
          );
          await writeFile(join(data, 'recovery.signal'), '');
          await ownFolder(join(data, 'recovery.signal'));
          await start(data);
          await untilPrimary();
        },
      };
    },
    /** A standby that had stopped replicating and is promoted anyway. */
    async promoted() {
      const standby = join(folder, 'standby');
      const standbyPort = await freePort();
      await copyInto(standby, ['-R']);
      await settings(standby, `port = ${standbyPort}\narchive_mode = off`);
      await start(standby);
      return {
        async markMoment() {
          // Give replication time to catch up.
          await sleep(1_000);
          await stop(standby, 'fast');
        },
        async goBack() {
          await swapIn(standby);
          await settings(data, `port = ${port}\nprimary_conninfo = ''`);
          await start(data);
          await must('pg_ctl', ['-D', data, '-w', 'promote']);
          await untilPrimary();
        },
      };
    },
    /** A copy of the files, on the same timeline: only the server's start time differs. */
    async copied() {
      const copy = join(folder, 'copy');
      return {
        markMoment: () => copyInto(copy),
        async goBack() {
          await swapIn(copy);
          await start(data);
          await untilPrimary();
        },
      };
    },
    /** Our restore command, killed at ten places; the database stays as the last run left it. */
    async 'killed restore'() {
      const file = join(folder, 'backup');
      return {
        markMoment: async () => void (await backUp({ url }, file)),
        async goBack() {
          const restore = () =>
            spawn(process.execPath, ['scripts/restore.ts', file, '--force'], {
              env: { ...process.env, DATABASE_URL: url },
              stdio: 'ignore',
            });
          const since = Date.now();
          await once(restore(), 'close');
          const takesMs = Date.now() - since;
          for (let kill = 1; kill <= kills; kill += 1) {
            const child = restore();
            const ended = once(child, 'close');
            await sleep((takesMs * kill) / (kills + 1));
            child.kill('SIGKILL');
            await ended;
            // Its transaction is rolled back with its connection.
            await sleep(500);
            const { db, close } = await openDatabase({ url, poolSize: 1 });
            const { 'public.payments': payments = 0 } = await rowCounts(db).finally(close);
            if (payments === 0) throw new Refusal(`The restore that was killed at place ${kill} left half a database.`);
          }
        },
      };
    },
  };

  async function untilPrimary(): Promise<void> {
    for (const end = Date.now() + patience(30_000); Date.now() < end; await sleep(200))
      if ((await query('select pg_is_in_recovery()').catch(() => 't')) === 'f') return;
    throw new Refusal('PostgreSQL did not become the primary.');
  }

  return {
    url,
    prepare: (past: Past) => ways[past](),
    stop: async () => {
      await stop(join(folder, 'standby'), 'immediate');
      await stop(data, 'immediate');
    },
  };
}

/** PostgreSQL does not run as root and needs to own its data folder. */
async function ownFolder(path: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const chown = spawn('chown', ['-R', 'postgres', path]);
  await once(chown, 'close');
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { past: { type: 'string' } } });
  const wanted = pasts.filter((one) => !values.past || one === values.past);
  if (wanted.length === 0) throw new Refusal(`--past must be one of ${pasts.join(', ')}; without it all are tried.`);
  listenForSignals();
  let failed = 0;
  for (const past of wanted) {
    console.log(`${past}:`);
    const { payments, inFlight, epochs, states, problems } = await runRestore(past, (line) => console.log(`  ${line}`));
    const found = epochs
      .slice(1)
      .map((one) => `epoch ${one.number}${one.is_restored ? ' from an earlier moment' : ''}`);
    const ends = Object.entries(states).map(([state, count]) => `${count} ${state}`);
    console.log(
      `  ${payments} payments, ${inFlight} in flight; noticed: ${found.join(', ')}; in the end ${ends.join(', ')}`,
    );
    for (const problem of problems) console.log(`  ${problem}`);
    failed += problems.length;
  }
  console.log(
    failed === 0
      ? 'PASSED: every past was noticed, nothing was taken, delivered or given back twice, and the books equal the providers’.'
      : `FAILED: ${failed} problems.`,
  );
  process.exit(failed === 0 ? 0 : 1);
}

if (import.meta.main) main().catch(endWith);
