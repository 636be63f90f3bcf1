import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { decisions } from '@portal/domain/payment/review-decisions.ts';
import { printable } from '@portal/domain/printable.ts';
import { loadPack } from '@portal/operators/load-pack.ts';
import { buildPortal, type Portal } from './app.ts';
import { auditUsage, runAuditCommand } from './audit/audit.commands.ts';
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { certifyUsage, runCertifyCommand } from './connectors/certify.commands.ts';
import { HttpClient } from './connectors/http-client.ts';
import { consoleUsage, runConsoleCommand } from './console/console.commands.ts';
import { contentUsage, runContentCommand } from './content/content.commands.ts';
import { openDatabase } from './db/database.ts';
import { migrate } from './db/migrate.ts';
import { PersonalData, withPersonalData } from './db/personal-data.ts';
import { checkKeys } from './db/reseal.ts';
import { createLogger } from './http/logging.ts';
import { keysUsage, runKeysCommand } from './keys.commands.ts';
import { leadsUsage, runLeadsCommand } from './leads/leads.commands.ts';
import { newPaymentId } from './payments/core/payment-id.ts';
import { isDay, runCommand, usage } from './payments/payments.commands.ts';
import { riskUsage, runRiskCommand } from './risk/risk.commands.ts';
import { outboundRules } from './wiring/foundation.ts';
import { connectProviders } from './wiring/providers.ts';

/** Prints one line. Replaces control characters in texts from visitors, providers and banks. */
const print = (line: string) => console.log(printable(line));

/** Commands that call no provider, so outside production they run without provider settings. */
const withoutProviders = ['audit', 'console', 'content', 'events', 'keys', 'leads', 'review', 'risk'];
const unasked = { SANDBOX_URL: 'http://127.0.0.1:9', SMPP_URL: 'smpp://127.0.0.1:9', SMTP_URL: 'smtp://127.0.0.1:9' };

/** The command line: works on the portal's own database, without its HTTP server. */
async function main(words: string[]): Promise<number> {
  const [command] = words;
  if (
    !['review', 'reconcile', 'events', 'content', 'leads', 'risk', 'certify', 'keys', 'audit', 'console'].includes(
      command ?? '',
    )
  ) {
    const others = [contentUsage, leadsUsage, riskUsage, certifyUsage, keysUsage, auditUsage, consoleUsage];
    const usages = [usage(decisions), ...others];
    console.error(usages.join('\n'));
    return 2;
  }
  const asksProviders = command === 'review' && (words[1] === 'ask' || words[3] === 'giveBack');
  const isTrial = process.env.NODE_ENV !== 'production' && withoutProviders.includes(command ?? '') && !asksProviders;
  const config = readConfig({ ...(isTrial && unasked), ...process.env });
  if (command === 'certify') return await certifyAccount(words.slice(1), config);
  // Creating an empty database here would wrongly report that nothing is waiting.
  if ('folder' in config.database && !existsSync(join(config.database.folder, 'pgdata')))
    throw new Error(
      `no portal has used the folder ${config.database.folder}. Name its database by DATABASE_URL or DATA_DIR.`,
    );
  if (command === 'keys') return runKeys(config, words.slice(1));
  const database = await openDatabase(config.database);
  await migrate(database.db);
  const log = createLogger('silent');
  const pack = await loadPack(config.operator, config.operatorsDir);
  const portal: Portal = await buildPortal(config, { database, pack, web: null, log, isIdle: true });
  try {
    if (command === 'console') return await runConsoleCommand(words.slice(1), portal.passkeys, print);
    if (command === 'audit') return await runAuditCommand(words.slice(1), portal.audit, print);
    if (command === 'content') return await runContentCommand(words.slice(1), portal.content.editing, print);
    if (command === 'leads') return await runLeadsCommand(words.slice(1), portal, print);
    if (command === 'risk') return await runRiskCommand(words.slice(1), portal.risk, { print, isDay });
    if (command === 'events') return await showEvents(portal, words[1]);
    return await runCommand(words, portal, print);
  } finally {
    await portal.stop();
  }
}

/** Calls only the provider, without a database, so that it can run before the first payment. */
async function certifyAccount(words: string[], config: Config): Promise<number> {
  const pack = await loadPack(config.operator, config.operatorsDir);
  const http = new HttpClient(outboundRules(config));
  const references = [1, 2].map(() => ({ reference: newPaymentId(), shortReference: newPaymentId().slice(0, 12) }));
  const pin = process.env.CERTIFY_PIN;
  const { publicUrl } = config;
  try {
    const providers = connectProviders(config, pack, http);
    return await runCertifyCommand(words, providers, { pack, publicUrl, references, pin, print });
  } finally {
    await http.close();
  }
}

/** Uses a connection without timeouts: counting millions of rows takes longer than a portal's query timeout. */
async function runKeys(config: Config, words: string[]): Promise<number> {
  const { database: source, personalDataKeys: keys, secret } = config;
  const database = await openDatabase('url' in source ? { ...source, poolSize: 2, isUnlimited: true } : source);
  try {
    await migrate(database.db);
    const db = withPersonalData(database.db, new PersonalData({ keys, secret }));
    await checkKeys(db);
    return await runKeysCommand(words, db, print);
  } finally {
    await database.close();
  }
}

/** Prints page views and outcomes of flows since a day, by default today. */
async function showEvents({ analytics }: Portal, day = new Date().toISOString().slice(0, 10)): Promise<number> {
  if (!isDay(day)) {
    print('npm run events -- [day, as 2026-03-02]     what was counted since then');
    return 2;
  }
  const counts = await analytics.since(day);
  if (counts.length === 0) print('Nothing was counted.');
  for (const { count, event, page_name, flow, outcome } of counts)
    print([String(count).padStart(9), event, page_name, flow, outcome].join('  ').trimEnd());
  return 0;
}

/** Exits only after stdout is flushed: writes to a pipe are asynchronous, and the rest would be lost. */
const end = (code: number) => process.stdout.write('', () => process.exit(code));

main(process.argv.slice(2)).then(end, (error: unknown) => {
  console.error(
    error instanceof ConfigError
      ? `${error.message} A command needs the settings that the portal runs with (docs/operations.md).`
      : `It could not be done: ${(error as Error).message}`,
  );
  end(1);
});
