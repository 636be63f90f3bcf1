import { setTimeout } from 'node:timers/promises';
import { loadPack } from '@portal/operators/load-pack.ts';
import { buildPortal } from './app.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import type { Database } from './db/database.ts';
import { migrate, migrateServer } from './db/migrate.ts';
import { createLogger } from './http/logging.ts';
import { startTracing } from './http/tracing.ts';
import type { WebBuild } from './render/web-build.ts';

/** Web build and database of a portal; development uses others. */
export interface Foundations {
  openWeb(): Promise<WebBuild>;
  openDatabase(source: Config['database']): Promise<Database>;
}

/** Starts the portal from environment variables and returns its address. SIGTERM or SIGINT stops it. */
export async function startPortal({ openWeb, openDatabase }: Foundations): Promise<string> {
  const config = readConfig(process.env);
  const log = createLogger(config.logLevel);
  const stopTracing = config.tracing ? await startTracing(config.tracing) : null;
  const pack = await loadPack(config.operator, config.operatorsDir);
  const web = await openWeb();
  const migrations = 'url' in config.database ? await migrateServer(config.database) : [];
  const database = await openDatabase(config.database);
  migrations.push(...(await migrate(database.db)));
  const portal = await buildPortal(config, { database, pack, web, log });
  const pages = await portal.content.importPack();
  const catalogue = await portal.catalogue.importPack();
  const places = await portal.placeTables.importPack();
  await portal.http.listen({ port: config.port, host: config.host });

  const address = portal.http.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  const imported = { pages: pages.length, catalogue: catalogue?.changed.length ?? 0, places };
  // A release does not overwrite changes made in the console. Log them, in case the release changed a price.
  if (catalogue && catalogue.kept.length > 0)
    log.info({ kept: catalogue.kept.slice(0, 50) }, 'catalogue kept as changed');
  log.info({ port, operator: pack.code, database: database.kind, migrations, ...imported }, 'portal ready');

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    portal.turnAway();
    drain(config.drainSeconds, portal.stop)
      .then(stopTracing)
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return `http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`;
}

async function drain(seconds: number, stop: () => Promise<void>): Promise<void> {
  await setTimeout(seconds * 1000);
  await stop();
}

/** Explains in one sentence why the portal did not start. */
export function startProblem(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  const { code, message, port } = error as { code?: string; message?: string; port?: number };
  if (code === 'EADDRINUSE') return `Port ${port ?? process.env.PORT} is already in use. Choose another with PORT.`;
  if (code === 'EACCES')
    return `Port ${port ?? process.env.PORT} may not be opened by this user. Choose another with PORT.`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === '28P01' || code === '3D000')
    return `The database at DATABASE_URL cannot be used (${message || code}). Check that it runs and that the address is right.`;
  return `The portal cannot start: ${message ?? String(error)}`;
}
