import { auditEvents } from '../audit/audit.events.ts';
import { personalData } from '../db/personal-data.ts';
import { fillHashes, markKeyInUse, reseal } from '../db/reseal.ts';
import { deleteExpiredForms } from '../forms/forms.routes.ts';
import { createEndings } from '../payments/desk/payments.endings.ts';
import { reconcileOpenDays } from '../payments/reconcile/payments.reconcile.ts';
import { deleteExpired } from '../retention/delete-expired.ts';
import type { Areas } from './areas.ts';
import type { Foundation } from './foundation.ts';
import { repeat } from './repeat.ts';

const sweepMs = 1_000;
const countMs = 5_000;
const rereadMs = 10_000;
const watchMs = 30_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Starts the background jobs. Every process runs all of them; locks and leases in the database keep them apart. */
export function startBackgroundWork(foundation: Foundation, areas: Areas, stopping: AbortSignal) {
  const { db, clock, epochs, limits, log, metrics, now, pack } = foundation;
  const {
    payments,
    goodwill,
    leads,
    otp,
    challenges,
    help,
    analytics,
    content,
    comparison,
    comparisonEvents: reports,
    console,
    audit,
    approvals,
    tickets,
  } = areas;
  const endings = createEndings(db, { timeZone: pack.timeZone, now });
  const auditing = auditEvents(log, metrics);
  const warn = (job: string, sentence: string) => (error: unknown) => log.warn({ job, err: error }, sentence);
  const fail = (job: string, sentence: string) => (error: unknown) => log.error({ job, err: error }, sentence);

  async function watchDatabase(): Promise<void> {
    await epochs.check();
    await markKeyInUse(db);
    await clock.read();
  }

  async function sealWhatIsClear(): Promise<void> {
    const isStopped = () => stopping.aborted;
    if (personalData(db).takesClear) await reseal(db, { isStopped });
    await fillHashes(db, { isStopped });
  }

  const forms = { deleteExpired: () => deleteExpiredForms(db, now()) };
  const areasWithPeriods = [payments, otp, challenges, help, leads, analytics, console, approvals, tickets, forms];

  async function compareDays(): Promise<void> {
    for (const report of await reconcileOpenDays(comparison, reports.abandoned)) reports.compared(report);
  }

  return [
    repeat(rereadMs, watchDatabase, warn('epoch', 'the database was not compared')),
    repeat(rereadMs, sealWhatIsClear, warn('reseal', 'what was stored in clear was not all sealed')),
    repeat(sweepMs, () => payments.sweepOn(), fail('sweep', 'sweep failed')),
    repeat(sweepMs, () => goodwill.sweep(20), fail('goodwill', 'goodwill not credited')),
    repeat(sweepMs, () => leads.sweep(20), fail('leads', 'leads not handed over')),
    repeat(sweepMs, content.editing.sweep, fail('content', 'what was planned was not published')),
    repeat(watchMs, tickets.watchMoney, fail('tickets', 'late promises about money were not looked for')),
    repeat(hourMs, () => deleteExpired(db, areasWithPeriods, now()), warn('forget', 'old rows not forgotten')),
    repeat(hourMs, compareDays, reports.failed),
    repeat(hourMs, endings.refresh, warn('endings', 'how payments ended was not counted')),
    repeat(dayMs, async () => auditing.verified(await audit.verify()), fail('audit', 'the audit was not checked')),
    repeat(countMs, analytics.settle, warn('counts', 'events not counted')),
    repeat(rereadMs, content.rereadTexts, warn('texts', 'edited texts not read')),
    repeat(sweepMs, limits.settle, warn('limits', 'limits not settled')),
  ];
}
