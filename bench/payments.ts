import { parseArgs } from 'node:util';
import pg from 'pg';
import { ensurePostgres } from '../scripts/postgres.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { measureEmbedded } from './embedded.ts';
import { initiating, type Round, rowsOf, statusLoad } from './payment-load.ts';
import {
  benchSecret,
  readingStatement,
  statusPayments,
  storeStatusPayments,
  writingStatements,
} from './payment-rows.ts';
import { pgbench } from './pgbench.ts';
import { openPortal } from './portal.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';

// PRF-3: initiating a payment and looking up its status over HTTP, compared with the same statements on the database
// alone: on PostgreSQL by pgbench, with required ratios, and on the embedded database.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
    /** postgresql or embedded; default both. */
    only: { type: 'string' },
  },
});
const connections = Number(values.connections);
const rate = { connections, seconds: Number(values.seconds) };
const rounds = Number(values.rounds);
const columns = (base: string) => ['', 'a second', base, 'ratio', 'p50 ms', 'p99 ms', 'CPU ms', 'failed'];
const heading = (database: string) =>
  printHeading(`Payments on ${database}, ${connections} connections, ${rounds} rounds of ${rate.seconds} s each`);

async function measurePostgres(): Promise<Round[]> {
  // Durable as in production: a commit is acknowledged only once it is on disk.
  const postgres = await ensurePostgres({ isDurable: true });
  const { url: databaseUrl } = await createPostgres(postgres.url);
  const { stack, close } = await openPortal({
    databaseUrl,
    env: { DATABASE_POOL: String(connections), PORTAL_SECRET: benchSecret },
  });
  const db = new pg.Client(databaseUrl);
  await db.connect();
  const query = async (text: string) => (await db.query<Record<string, unknown>>(text)).rows;
  try {
    // Warms up the portal and creates a row to copy.
    await initiating(stack, { connections, seconds: 3 });
    const writes = ['\\set number random(1, 9000000000000000000)', ...(await writingStatements(query))].join('\n');
    await storeStatusPayments(query);
    const reads = `\\set number random(1, ${statusPayments})\n${readingStatement}`;
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const written = await pgbench(databaseUrl, writes, rate);
      const initiated = await initiating(stack, rate);
      const read = await pgbench(databaseUrl, reads, rate);
      measured.push({ written, initiated, read, looked: await statusLoad(stack, rate) });
    }
    return measured;
  } finally {
    await db.end();
    await close();
    await postgres.stop();
  }
}

if (values.only !== 'embedded') {
  const measured = await measurePostgres();
  heading('PostgreSQL');
  printTable(columns('pgbench'), rowsOf(measured));
  const ratio = (of: 'initiated' | 'looked', base: 'written' | 'read') =>
    median(measured.map((round) => round[of].perSecond / round[base]));
  console.log();
  holdBar('PRF-3 initiating reaches half of pgbench', ratio('initiated', 'written') >= 0.5);
  holdBar('PRF-3 a status look-up reaches a fifth of pgbench', ratio('looked', 'read') >= 0.2);
  holdBar(
    'no request failed',
    measured.every(({ initiated, looked }) => initiated.failed + looked.failed === 0),
  );
}
if (values.only !== 'postgresql') {
  const { measured, floorCpuMs } = await measureEmbedded(rate, rounds);
  heading('the embedded database');
  printTable(
    [...columns('floor'), 'floor, CPU ms'],
    rowsOf(measured).map((row, index) => [...row, floorCpuMs[index] ?? '']),
  );
}
