import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { oneLine } from '@portal/domain/printable.ts';
import type { Kysely } from 'kysely';
import type { Act, Audit } from '../audit/audit.service.ts';
import { type ConsoleHandlers, ConsoleRefusal, type Signed } from '../console/console.service.ts';
import type { Schema } from '../db/schema.ts';
import { type Announced, type Announcement, wayOf } from './announcements.ts';
import type { Ways } from './ways.service.ts';

interface WaysDesk {
  db: Kysely<Schema>;
  ways: Ways;
  audit: Audit;
  methods: readonly PaymentMethod[];
  pack: Pick<OperatorPack, 'languages'>;
  now: () => Date;
}

type Shown = ConsoleResult<'ways'>['banner'];

/** What the operator's people do about ways to pay, and what they tell every customer. */
export function wayConsoleHandlers({ db, ways, audit, methods, pack, now }: WaysDesk) {
  const { announcements } = ways;

  const changedBy = (row: Announcement | undefined) =>
    row ? { at: row.changed_at.toISOString(), by: row.changed_by } : null;

  function shown(row: Announcement | undefined): Shown {
    const { is_on: isOn = false, texts = {}, starts_at = null, ends_at = null, version = 0 } = row ?? {};
    const isOver = ends_at !== null && ends_at <= now();
    const isBegun = starts_at === null || starts_at <= now();
    return {
      isOn,
      texts,
      startsAt: starts_at?.toISOString() ?? null,
      endsAt: ends_at?.toISOString() ?? null,
      now: !isOn || isOver ? 'nothing' : isBegun ? 'shown' : 'announced',
      version,
      changed: changedBy(row),
    };
  }

  /** One line in each language of the operator, and in no other. */
  function textsIn(given: Record<string, string>): Record<string, string> {
    return Object.fromEntries(
      pack.languages.map(({ locale }) => [locale, oneLine(given[locale] ?? '')]).filter(([, text]) => text),
    );
  }

  function refuseMissing(texts: Record<string, string>): void {
    const missing = pack.languages.find(({ locale }) => !texts[locale]);
    if (missing) throw new ConsoleRefusal('invalid', { field: `texts.${missing.locale}` });
  }

  async function change(
    announced: Announced,
    act: Pick<Act, 'act' | 'subject'>,
    { version, reason, signed }: { version: number; reason: string; signed: Signed },
  ): Promise<null> {
    await db.transaction().execute(async (transaction) => {
      const before = await transaction
        .selectFrom('announcements')
        .selectAll()
        .where('subject', '=', announced.subject)
        .executeTakeFirst();
      if (!(await announcements.announce(transaction, announced, { version, by: signed.email })))
        throw new ConsoleRefusal('changedMeanwhile');
      const { subject: _, ...after } = announced;
      await audit.write(transaction, signed.actor, {
        ...act,
        before: before && {
          is_on: before.is_on,
          texts: before.texts,
          starts_at: before.starts_at,
          ends_at: before.ends_at,
        },
        after,
        reason,
      });
    });
    await announcements.readAnew();
    return null;
  }

  return {
    async ways() {
      const [rows, reports] = await Promise.all([announcements.list(), ways.reports()]);
      const found = new Map(rows.map((row) => [row.subject, row]));
      return {
        ways: methods.map((method) => {
          const { gateway, name } = method;
          const row = found.get(wayOf(gateway));
          const report = reports.get(gateway);
          const usualTexts = announcements.usualTexts(method);
          return {
            gateway,
            name,
            isOff: row?.is_on ?? false,
            texts: { ...usualTexts, ...row?.texts },
            usualTexts,
            version: row?.version ?? 0,
            changed: changedBy(row),
            health: report?.health ?? 'noRecentData',
            taken: report?.taken ?? 0,
            failed: report?.failed ?? 0,
            medianSeconds: report?.medianSeconds ?? null,
            lastFailureAt: report?.lastFailureAt?.toISOString() ?? null,
          };
        }),
        banner: shown(found.get('banner')),
        maintenance: shown(found.get('maintenance')),
      };
    },

    async switchWay({ gateway, isOff, texts, version, reason }, signed) {
      if (!methods.some((method) => method.gateway === gateway)) throw new ConsoleRefusal('notFound');
      const announced = {
        subject: wayOf(gateway),
        is_on: isOff,
        texts: textsIn(texts),
        starts_at: null,
        ends_at: null,
      };
      const act = isOff ? 'way.switchedOff' : 'way.switchedOn';
      return change(announced, { act, subject: { kind: 'way', id: gateway } }, { version, reason, signed });
    },

    async announce(asked, signed) {
      const { subject, isOn, version, reason } = asked;
      const { starts_at, ends_at } = timesOf(asked);
      const texts = textsIn(asked.texts);
      if (isOn) {
        if (subject === 'banner') refuseMissing(texts);
        if (subject === 'maintenance' && starts_at === null) throw new ConsoleRefusal('invalid', { field: 'startsAt' });
        const isMissing = subject === 'maintenance' && ends_at === null;
        if (isMissing || (ends_at && (ends_at <= now() || (starts_at && ends_at <= starts_at))))
          throw new ConsoleRefusal('invalid', { field: 'endsAt' });
      }
      const announced = { subject, is_on: isOn, texts, starts_at, ends_at };
      const act = `${subject}.${isOn ? 'set' : 'takenBack'}`;
      return change(announced, { act, subject: { kind: 'announcement', id: subject } }, { version, reason, signed });
    },
  } satisfies ConsoleHandlers;
}

const timesOf = ({ startsAt, endsAt }: Pick<ConsoleParsed<'announce'>, 'startsAt' | 'endsAt'>) => ({
  starts_at: startsAt ? new Date(startsAt) : null,
  ends_at: endsAt ? new Date(endsAt) : null,
});
