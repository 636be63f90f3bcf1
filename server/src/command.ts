import { settlements } from '@portal/domain/payment/settle.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { buildPortal, type Portal } from './app.ts';
import { ConfigError, readConfig } from './config/config.ts';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { createLogger } from './http/logging.ts';
import { runCommand, usage } from './payments/payments.commands.ts';

/** What a person does with payments outside the portal's pages, on the portal's own database. */
async function main(words: string[]): Promise<number> {
  const [command] = words;
  if (command !== 'review' && command !== 'reconcile') {
    console.error(usage(settlements));
    return 2;
  }
  const config = readConfig(process.env);
  const database = await openDatabase(config.database);
  await migrate(database.db);
  const log = createLogger('silent');
  const pack = await loadPack(config.operator);
  const portal: Portal = await buildPortal(config, { database, pack, web: null, log });
  try {
    return await runCommand(words, portal, (line) => console.log(line));
  } finally {
    await portal.stop();
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof ConfigError ? error.message : `It could not be done: ${(error as Error).message}`);
    process.exit(1);
  },
);
