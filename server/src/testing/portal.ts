import type { OperatorPack } from '@portal/domain/operator.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { buildPortal, type Portal } from '../app.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { createLogger } from '../http/logging.ts';
import { importedOperator } from './bring-pack.ts';
import { testDatabase, testSecret } from './database.ts';

export interface TestPortal {
  portal: Portal;
  database: Database;
  /** Every logged line, unparsed. */
  lines: string[];
  stop(): Promise<void>;
}

export interface EmulatedProviders {
  http: string;
  smpp: string;
  smtp: string;
}

/** The whole portal without its web pages, with emulated providers; call it through inject. */
export async function testPortal(
  providers: EmulatedProviders,
  changes: Partial<Config> = {},
  now?: () => Date,
  /** Overrides of the operator pack. */
  packChanges: Partial<OperatorPack> = {},
): Promise<TestPortal> {
  const config = readConfig({
    SANDBOX_URL: providers.http,
    SMPP_URL: providers.smpp,
    SMTP_URL: providers.smtp,
    PORTAL_SECRET: testSecret,
    LOG_LEVEL: 'trace',
    // These checks must not time out on a busy machine.
    SIM_SWAP_LIMIT_MS: '600000',
    SETTLED_LIMIT_MS: '600000',
  });
  const lines: string[] = [];
  const log = createLogger(config.logLevel, { write: (line) => void lines.push(line) });
  // The prepared database has only the unchanged default pack; any other is imported here.
  const brought = (changes.operator ?? config.operator) === importedOperator && Object.keys(packChanges).length === 0;
  const database = await testDatabase({ brought });
  const pack = { ...(await loadPack(changes.operator ?? config.operator)), ...packChanges };
  const portal = await buildPortal(
    { ...config, ...changes },
    { database, pack, web: null, log, ...(now ? { now } : {}) },
  );
  await portal.content.importPack();
  await portal.catalogue.importPack();
  await portal.placeTables.importPack();
  return { portal, database, lines, stop: portal.stop };
}
