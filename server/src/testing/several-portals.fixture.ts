import { loadPack } from '@portal/operators/load-pack.ts';
import { sql } from 'kysely';
import { startSandbox } from '../../../sandbox/src/sandbox.ts';
import { buildPortal, type Portal } from '../app.ts';
import { readConfig } from '../config/config.ts';
import { sqlClock } from '../db/clock.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createEpochs } from '../db/epochs.ts';
import { createLogger } from '../http/logging.ts';
import { createPostgres, testSecret } from './database.ts';

export type SeveralPortals = Awaited<ReturnType<typeof severalPortals>>;

/** Portals like separate processes: each with its own connections, all on one PostgreSQL. */
export async function severalPortals(count: number) {
  const sandbox = await startSandbox();
  const { url, drop } = await createPostgres(process.env.TEST_POSTGRES_URL ?? '', { migrated: true });
  const { db, close } = await openDatabase({ url });
  await sql`update epochs set server = portal_server()`.execute(db);
  await createEpochs(db, sqlClock).check();
  await close();
  const portals: { portal: Portal; database: Database }[] = [];

  async function another(): Promise<void> {
    const config = readConfig({
      SANDBOX_URL: sandbox.http,
      SMPP_URL: sandbox.smpp,
      SMTP_URL: sandbox.smtp,
      PORTAL_SECRET: testSecret,
    });
    const database = await openDatabase({ url, poolSize: 4 });
    const log = createLogger('silent');
    const pack = await loadPack(config.operator);
    const portal = await buildPortal({ ...config, rateLimitScale: 1_000 }, { database, pack, web: null, log });
    await portal.catalogue.importPack();
    portals.push({ portal, database });
  }
  for (let at = 0; at < count; at += 1) await another();

  return {
    portals,
    another,
    /** Terminates the LISTEN connections. */
    async deafen(): Promise<void> {
      const database = portals[0]?.database.db as Database['db'];
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ~* '^(listen|notify) live_topics'`.execute(database);
    },
    async stop(): Promise<void> {
      for (const { portal } of portals) await portal.stop();
      await drop();
      await sandbox.stop();
    },
  };
}
