import { writeDate } from '@portal/domain/date-format.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { Texts } from '../content/content.service.ts';
import { announcementsTopic, notified } from '../db/notify.ts';
import type { Schema } from '../db/schema.ts';
import type { Logger } from '../http/logging.ts';
import { PortalError } from '../http/portal-error.ts';
import { createFollowed, type Live } from '../live/live.service.ts';

type Executor = Kysely<Schema>;
export type Announcement = Selectable<Schema['announcements']>;

export const wayOf = (gateway: string): string => `way:${gateway}`;

/** An announcement as it is to be stored. */
export type Announced = Pick<Announcement, 'subject' | 'is_on' | 'texts' | 'starts_at' | 'ends_at'>;

/** What a page shows, in the reader's language. */
export interface ShownAnnouncement {
  kind: 'banner' | 'maintenance';
  text: string;
}

export type Announcements = ReturnType<typeof createAnnouncements>;

interface Parts {
  db: Executor;
  pack: Pick<OperatorPack, 'languages' | 'defaultLocale' | 'timeZone'>;
  methods: readonly PaymentMethod[];
  texts: Texts;
  live: Pick<Live, 'follow' | 'isHearing'>;
  now: () => Date;
  log: Logger;
}

type Known = ReadonlyMap<string, Announcement>;

/** Switched-off methods and announcements, the same in every process. A database outage must not stop payments. */
export function createAnnouncements({ db, pack, methods, texts, live, now, log }: Parts) {
  const followed = createFollowed<Known>({
    topic: announcementsTopic,
    read: () => listAll(db).then(bySubject),
    first: new Map(),
    live,
    log,
  });

  const languageOf = (locale: string) =>
    pack.languages.find((one) => one.locale === locale) ??
    pack.languages.find((one) => one.locale === pack.defaultLocale);

  function written(at: Date | null, locale: string): string {
    const language = languageOf(locale);
    if (!at || !language) return '';
    const { timeZone } = pack;
    return writeDate(at, language, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  }

  const isBegun = ({ starts_at }: Announcement) => starts_at === null || starts_at <= now();
  const isOver = ({ ends_at }: Announcement) => ends_at !== null && ends_at <= now();

  async function found(subject: string): Promise<Announcement | null> {
    const one = (await followed.current()).get(subject);
    return one?.is_on && !isOver(one) ? one : null;
  }

  /** Airtime has a name in each language; the others are proper names. */
  const usualText = ({ type, name }: PaymentMethod, locale: string) =>
    texts.text(locale, 'announcements.wayOff', {
      way: type === 'AIRTIME' ? texts.text(locale, 'payment.group.AIRTIME') : name,
    });

  const closedText = (one: Announcement, method: PaymentMethod, locale: string) =>
    one.texts[locale] || usualText(method, locale);

  async function refuseMaintenance(locale: string): Promise<void> {
    const maintenance = await found('maintenance');
    if (!maintenance?.ends_at || !isBegun(maintenance)) return;
    const seconds = Math.ceil((maintenance.ends_at.getTime() - now().getTime()) / 1000);
    const until = written(maintenance.ends_at, locale);
    throw new PortalError('maintenance', { retryAfterSeconds: seconds }, { until });
  }

  return {
    refuseMaintenance,

    /** Refuses new payments by a method that is switched off; payments that have started are not affected. */
    async refuseClosed(method: PaymentMethod, locale: string): Promise<void> {
      await refuseMaintenance(locale);
      const off = await found(wayOf(method.gateway));
      if (off) throw new PortalError('wayOff', { field: 'paymentMode' }, { told: closedText(off, method, locale) });
    },

    /** The text for each method that is switched off, by gateway. */
    async closedWays(locale: string): Promise<ReadonlyMap<string, string>> {
      const pairs = await Promise.all(
        methods.map(async (method) => ({ method, off: await found(wayOf(method.gateway)) })),
      );
      return new Map(
        pairs.flatMap(({ method, off }) => (off ? [[method.gateway, closedText(off, method, locale)] as const] : [])),
      );
    },

    /** The announcements on pages now; maintenance is announced as soon as it is scheduled. */
    async told(locale: string): Promise<ShownAnnouncement[]> {
      const [maintenance, banner] = await Promise.all([found('maintenance'), found('banner')]);
      return [
        ...(maintenance ? [{ kind: 'maintenance' as const, text: maintenanceText(maintenance, locale) }] : []),
        ...(banner && isBegun(banner) ? [{ kind: 'banner' as const, text: banner.texts[locale] ?? '' }] : []),
      ].filter(({ text }) => text !== '');
    },

    /** The default text for a method that is switched off, by language. */
    usualTexts: (method: PaymentMethod): Record<string, string> =>
      Object.fromEntries(pack.languages.map(({ locale }) => [locale, usualText(method, locale)])),

    list: () => listAll(db),

    /** False if somebody else changed it concurrently. The commit notifies every process. */
    async announce(
      transaction: Executor,
      { subject, is_on, texts, starts_at, ends_at }: Announced,
      { version, by }: { version: number; by: string },
    ): Promise<boolean> {
      const stored = { is_on, texts: JSON.stringify(texts), starts_at, ends_at };
      const change = { ...stored, version: version + 1, changed_at: now(), changed_by: by };
      const changed = await transaction
        .insertInto('announcements')
        .values({ subject, ...change })
        .onConflict((conflict) =>
          conflict.column('subject').doUpdateSet(change).where('announcements.version', '=', version),
        )
        .returning('subject')
        .executeTakeFirst();
      if (!changed) return false;
      await sql`select ${notified(announcementsTopic)}`.execute(transaction);
      return true;
    },

    readAnew: followed.readAnew,
  };

  function maintenanceText(maintenance: Announcement, locale: string): string {
    const key = isBegun(maintenance) ? 'announcements.maintenanceNow' : 'announcements.maintenanceSoon';
    const sentence = texts.text(locale, key, {
      from: written(maintenance.starts_at, locale),
      until: written(maintenance.ends_at, locale),
    });
    return [sentence, maintenance.texts[locale]].filter(Boolean).join(' ');
  }
}

const bySubject = (rows: Announcement[]): Known => new Map(rows.map((row) => [row.subject, row]));
const listAll = async (db: Executor): Promise<Announcement[]> => db.selectFrom('announcements').selectAll().execute();
