import { budgetsOf } from '@portal/domain/budgets.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { budgetEvents, createBudgets } from '../budgets/budgets.service.ts';
import type { Config } from '../config/config.ts';
import { HttpClient } from '../connectors/http-client.ts';
import { mailServer } from '../connectors/mail/index.ts';
import type { OutboundRules } from '../connectors/outbound-guard.ts';
import { type ReceiptState, smsCentre } from '../connectors/sms/index.ts';
import { clockOf, databaseClock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createEpochs } from '../db/epochs.ts';
import { PersonalData, personalData, withPersonalData } from '../db/personal-data.ts';
import { checkKeys, reseal } from '../db/reseal.ts';
import { createEventStreams } from '../http/event-streams.ts';
import type { Logger } from '../http/logging.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import { rateLimits } from '../http/rate-limit.ts';
import { sealedTokens } from '../http/sealed-token.ts';
import { createVisits } from '../http/visits.ts';
import { createLive } from '../live/live.service.ts';
import { startNoticeQueue } from '../notice-queue/notice-queue.ts';
import { epochEvents } from '../payments/core/payments.events.ts';
import { makeOpenDue } from '../payments/core/payments.store.ts';
import { connectProviders } from './providers.ts';

/** Longer than the window of any risk rule and the lifetime of any code or proof. */
const recentMs = 3 * 24 * 3_600_000;

export interface FoundationParts {
  database: Database;
  pack: OperatorPack;
  log: Logger;
  now?: () => Date;
}

export type Foundation = Awaited<ReturnType<typeof createFoundation>>;

/** What every area needs: database, clock, queue, providers, and the limits on strangers. */
export async function createFoundation(config: Config, { database, pack: given, log, now: fixed }: FoundationParts) {
  const pack = withSwitches(given, config);
  const db = withPersonalData(database.db, new PersonalData({ keys: config.personalDataKeys, secret: config.secret }));
  await checkKeys(db);
  const clock = fixed ? { ...clockOf(fixed), read: async () => {} } : await databaseClock(db);
  const { now } = clock;
  // Rows that risk rules and codes look up by hash must be sealed before the first request. The rest can wait.
  if (personalData(db).takesClear) await reseal(db, { since: new Date(now().getTime() - recentMs) });
  const metrics = createMetrics();
  const outbound = new HttpClient(outboundRules(config));
  const noticeQueue = await startNoticeQueue(db, database.kind, log);
  const onEpoch = epochEvents(log, metrics);
  const epochs = createEpochs(db, clock, async (transaction, epoch) => {
    if (epoch.isRestored) await makeOpenDue(transaction);
    // Queued messages may have been sent before the restore. The status pages show the same.
    const dropped = epoch.isRestored ? await noticeQueue.dropQueued(transaction) : 0;
    onEpoch(epoch, dropped);
  });
  await epochs.check();
  const streams = createEventStreams({ most: config.liveStreams, scale: config.rateLimitScale, metrics });
  const drawing = { secret: config.secret, scale: config.rateLimitScale, now };
  return {
    config,
    pack,
    db,
    clock,
    now,
    log,
    metrics,
    outbound,
    noticeQueue,
    epochs,
    streams,
    live: createLive({ listen: database.listen, missed: streams.notifyAll, log, metrics }),
    providers: connectProviders(config, pack, outbound, now),
    sms: smsCentre({ ...config.sms, sender: pack.smsSender, receipt: countReceipts(metrics) }),
    mail: mailServer(config.mail),
    limits: rateLimits(db, { ...drawing, budgets: budgetsOf(pack) }),
    budgets: createBudgets(db, { ...drawing, rules: budgetsOf(pack), events: budgetEvents(metrics) }),
    tokens: sealedTokens(config.secret, now),
    visits: createVisits({ secret: config.secret, isSecure: config.production }),
  };
}

/**
 * Only hosts from the configuration may be called. In production a host may resolve to a private address only if the
 * configuration says so.
 */
export function outboundRules(config: Config): OutboundRules {
  const urls = JSON.stringify(config).match(/https?:\/\/[^"/]+/g) ?? [];
  return {
    hosts: [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).hostname))],
    privateHosts: config.production ? config.privateHosts : null,
  };
}

/** Features that the configuration can switch without another pack. */
function withSwitches(pack: OperatorPack, config: Config): OperatorPack {
  const enableAmPin = config.walletPinMode ?? pack.features.enableAmPin;
  const tiles = config.mapTiles ?? pack.map.tiles;
  return { ...pack, features: { ...pack.features, enableAmPin }, map: { ...pack.map, tiles } };
}

function countReceipts(metrics: Metrics) {
  const receipts = metrics.counter('portal_sms_receipts_total', 'What the SMS centre said became of messages', [
    'state',
  ]);
  return (state: ReceiptState) => receipts.inc({ state });
}
