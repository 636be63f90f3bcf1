import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { freePort } from '../scripts/free-port.ts';
import { ensurePostgres } from '../scripts/postgres.ts';
import { startStack } from '../scripts/stack.ts';
import { createPostgres } from '../server/src/testing/database.ts';
import { type LoadResult, load } from './load.ts';
import { orderFor, portalCalls } from './order.ts';
import { pgbench } from './pgbench.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';

// PRF-3: initiating a payment over HTTP, and looking up its status, against pgbench doing the same to the same database.
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    connections: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
  },
});
const seconds = Number(values.seconds);
const connections = Number(values.connections);
const rate = { connections, seconds };

// As it is run for real: what is acknowledged is on the disk.
const postgres = await ensurePostgres({ isDurable: true });
const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
const { url: databaseUrl } = await createPostgres(postgres.url);
const stack = await startStack({
  port: await freePort(),
  dataDir: folder,
  databaseUrl,
  env: { RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn', DATABASE_POOL: String(connections) },
});
const db = new pg.Client(databaseUrl);
await db.connect();

/** The rows of one real payment, written again and again as three statements in a transaction. */
async function writingScript(): Promise<string> {
  const literal = (value: unknown) => {
    if (value === null) return 'null';
    const text =
      value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value);
    return pg.escapeLiteral(text);
  };
  const insert = (table: string, row: Record<string, unknown>, other: Record<string, string>) => {
    const columns = Object.keys(row);
    const values = columns.map((column) => other[column] ?? literal(row[column]));
    return `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')});`;
  };
  const rowOf = async (query: string) => (await db.query(query)).rows[0] as Record<string, unknown>;
  const payment = await rowOf('select * from payments limit 1');
  const key = await rowOf('select * from idempotency_keys limit 1');
  const history = await rowOf('select * from payment_history limit 1');
  const id = "lpad(:number::text, 26, 'a')";
  return [
    '\\set number random(1, 9000000000000000000)',
    'begin;',
    insert('idempotency_keys', key, { key: id, payment_id: id }),
    insert('payments', payment, { id, short_reference: "lpad(:number::text, 19, '0')" }),
    insert('payment_history', history, { payment_id: id }),
    'commit;',
  ].join('\n');
}

/** Payments whose ids both sides can make up: letters for the digits of a number. */
const looked = 5_000;
async function storeLooked(): Promise<void> {
  const { id: model } = (await db.query<{ id: string }>('select id from payments limit 1')).rows[0] ?? { id: '' };
  const copied = (table: string, key: string, other: Record<string, string>) => `
    insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(
      ${Object.entries(other)
        .flatMap(([name, value]) => [`'${name}'`, value])
        .join(', ')}))).*
    from ${table} one, generate_series(1, ${looked}) n where one.${key} = $1`;
  const id = "lpad(translate(n::text, '0123456789', 'abcdefghjk'), 26, 'z')";
  await db.query(copied('payments', 'id', { id, short_reference: "'look' || n" }), [model]);
  await db.query(copied('payment_history', 'payment_id', { payment_id: id }), [model]);
  await db.query('analyze');
}

const readingScript = `\\set number random(1, ${looked})
select *, (select json_agg(json_build_object('to', to_state, 'event', event, 'at', at) order by version)
  from payment_history where payment_id = payments.id) from payments
where id = lpad(translate(:number::text, '0123456789', 'abcdefghjk'), 26, 'z');`;

const initiating = (forSeconds = seconds) =>
  load({
    url: stack.url,
    connections,
    seconds: forSeconds,
    pid: stack.pid,
    request: `
      local body = ${JSON.stringify(JSON.stringify(orderFor(0))).replaceAll('0390000000', '039000%04d')}
      local line = math.random(1000, 1499)
      local headers = {
        ["content-type"] = "application/json",
        ["idempotency-key"] = string.format("%08x%08x%08x", math.random(0, 2^31 - 1), math.random(0, 2^31 - 1), math.random(0, 2^31 - 1)),
      }
      return wrk.format("POST", "${portalCalls}/initiate", headers, string.format(body, line, line, line))`,
  });

const lookingUp = () =>
  load({
    url: stack.url,
    connections,
    seconds,
    pid: stack.pid,
    request: `
      local letters = { ["0"] = "a", ["1"] = "b", ["2"] = "c", ["3"] = "d", ["4"] = "e", ["5"] = "f", ["6"] = "g", ["7"] = "h", ["8"] = "j", ["9"] = "k" }
      local id = tostring(math.random(1, ${looked})):gsub("%d", letters)
      return wrk.format("GET", "${portalCalls}/status?tid=" .. string.rep("z", 26 - #id) .. id)`,
  });

interface Round {
  written: number;
  initiated: LoadResult;
  read: number;
  looked: LoadResult;
}

try {
  // The script is warm and there is a row to copy before anything is measured.
  await initiating(3);
  const writes = await writingScript();
  await storeLooked();
  printHeading(`Payments on PostgreSQL, ${connections} connections, ${values.rounds} rounds of ${seconds} s each`);
  const rounds: Round[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const written = await pgbench(databaseUrl, writes, rate);
    const initiated = await initiating();
    const read = await pgbench(databaseUrl, readingScript, rate);
    const looked = await lookingUp();
    rounds.push({ written, initiated, read, looked });
  }
  const row = (what: string, of: (round: Round) => LoadResult, base: (round: Round) => number) => {
    const all = rounds.map(of);
    return [
      what,
      median(all.map(({ perSecond }) => perSecond)),
      median(rounds.map(base)),
      median(rounds.map((round) => of(round).perSecond / base(round))),
      median(all.map(({ p50Ms }) => p50Ms)),
      median(all.map(({ p99Ms }) => p99Ms)),
      median(all.map(({ cpuMs }) => cpuMs)),
      all.reduce((sum, { failed }) => sum + failed, 0),
    ];
  };
  printTable(
    ['', 'a second', 'pgbench', 'ratio', 'p50 ms', 'p99 ms', 'CPU ms', 'failed'],
    [
      row(
        'initiate',
        ({ initiated }) => initiated,
        ({ written }) => written,
      ),
      row(
        'status',
        ({ looked }) => looked,
        ({ read }) => read,
      ),
    ],
  );
  const ratio = (of: 'initiated' | 'looked', base: 'written' | 'read') =>
    median(rounds.map((round) => round[of].perSecond / round[base]));
  console.log();
  holdBar('PRF-3 initiating reaches half of pgbench', ratio('initiated', 'written') >= 0.5);
  holdBar('PRF-3 a status look-up reaches a fifth of pgbench', ratio('looked', 'read') >= 0.2);
  holdBar(
    'no request failed',
    rounds.every(({ initiated, looked }) => initiated.failed + looked.failed === 0),
  );
} finally {
  await db.end();
  await stack.stop();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
