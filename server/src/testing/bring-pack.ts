import { loadPack } from '@portal/operators/load-pack.ts';
import { readPlaces } from '@portal/operators/places.ts';
import { createAudit } from '../audit/audit.service.ts';
import { catalogueSheet } from '../bundles/bundles.service.ts';
import { createContent } from '../content/content.service.ts';
import { databaseClock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createLogger } from '../http/logging.ts';
import { createMetrics } from '../http/metrics.ts';
import { createLive } from '../live/live.service.ts';
import { createPlaceTables } from '../places/places.service.ts';
import { createSheets } from '../sheets/sheets.service.ts';

/** The operator whose pack a prepared test database contains. */
export const importedOperator = 'mg';

/** Imports the pack like a starting portal, so that a portal on a copy of this database has nothing left to import. */
export async function importPack({ db, listen }: Database): Promise<void> {
  const pack = await loadPack(importedOperator);
  const now = () => new Date();
  const log = createLogger('silent');
  const live = createLive({ listen, missed: () => {}, log, metrics: createMetrics() });
  const clock = await databaseClock(db);
  const sheets = createSheets({ db, clock, audit: createAudit(db, now), timeZone: pack.timeZone, live, log });
  await createContent(db, pack, now).importPack();
  await sheets.keep(catalogueSheet(pack), pack.catalogue).importPack();
  await createPlaceTables(sheets, pack, readPlaces(pack.code)).importPack();
}
