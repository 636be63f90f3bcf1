import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { freePort } from '../scripts/free-port.ts';
import { startStack } from '../scripts/stack.ts';
import { openDatabase } from '../server/src/db/database.ts';
import { initiating, type Rate, type Round, statusLoad } from './payment-load.ts';
import {
  benchSecret,
  type Query,
  readingStatement,
  statusPayments,
  storeStatusPayments,
  writingStatements,
} from './payment-rows.ts';
import { median } from './report.ts';

interface Work {
  perSecond: number;
  /** Processor time of one operation; less noisy than the rate on a busy machine. */
  cpuMs: number;
}

type Floor = Record<'written' | 'read', Work>;

const run = promisify(execFile);
const warmSeconds = 1;

/** Uses the database's only connection directly, opened as the portal opens it. */
async function withConnection<T>(folder: string, use: (query: Query) => Promise<T>): Promise<T> {
  const database = await openDatabase({ folder });
  try {
    return await database.db
      .connection()
      .execute((db) => use(async (text) => (await sql.raw<Record<string, unknown>>(text).execute(db)).rows));
  } finally {
    await database.close();
  }
}

async function repeated(seconds: number, once: () => Promise<unknown>): Promise<Work> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  let count = 0;
  while (performance.now() - start < seconds * 1000) {
    await once();
    count += 1;
  }
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (count * 1000) / (performance.now() - start), cpuMs: (user + system) / 1000 / count };
}

const randomUpTo = (most: number) => String(1 + Math.floor(Math.random() * most));

/** The throughput of the embedded database without HTTP. */
const floorOf = (folder: string, writes: string[], seconds: number): Promise<Floor> =>
  withConnection(folder, async (query) => {
    const write = async () => {
      const number = randomUpTo(Number.MAX_SAFE_INTEGER);
      for (const statement of writes) await query(statement.replaceAll(':number', number));
    };
    const read = () => query(readingStatement.replaceAll(':number', randomUpTo(statusPayments)));
    await repeated(warmSeconds, write);
    const written = await repeated(seconds, write);
    await repeated(warmSeconds, read);
    return { written, read: await repeated(seconds, read) };
  });

/** Compares the portal on the embedded database with the database alone, in its own process on a copy of the rows. */
export async function measureEmbedded(
  rate: Rate,
  rounds: number,
): Promise<{ measured: Round[]; floorCpuMs: [number, number] }> {
  const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
  const [own, copy, statements] = [join(folder, 'own'), join(folder, 'copy'), join(folder, 'writes.json')];
  const start = async () =>
    startStack({
      port: await freePort(),
      dataDir: own,
      env: { RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn', DATABASE_URL: '', PORTAL_SECRET: benchSecret },
    });
  const warm = { ...rate, seconds: warmSeconds };
  let stack = await start();
  try {
    // Only one process may open the folder: the portal stores a payment to copy, stops for the copy, and starts again.
    await initiating(stack, warm);
    await stack.stop();
    const writes = await withConnection(own, async (query) => {
      await storeStatusPayments(query);
      return writingStatements(query);
    });
    await writeFile(statements, JSON.stringify(writes));
    await cp(own, copy, { recursive: true });
    stack = await start();
    await initiating(stack, warm);
    await statusLoad(stack, warm);
    const measured: Round[] = [];
    const floors: Floor[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const words = [fileURLToPath(import.meta.url), copy, statements, String(rate.seconds)];
      const floor = JSON.parse((await run(process.execPath, words)).stdout) as Floor;
      floors.push(floor);
      const initiated = await initiating(stack, rate);
      const [written, read] = [floor.written.perSecond, floor.read.perSecond];
      measured.push({ written, read, initiated, looked: await statusLoad(stack, rate) });
    }
    const cpuMs = (of: keyof Floor) => median(floors.map((floor) => floor[of].cpuMs));
    return { measured, floorCpuMs: [cpuMs('written'), cpuMs('read')] };
  } finally {
    await stack.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const [folder = '', statements = '', seconds = ''] = process.argv.slice(2);
  const writes = JSON.parse(await readFile(statements, 'utf8')) as string[];
  console.log(JSON.stringify(await floorOf(folder, writes, Number(seconds))));
}
