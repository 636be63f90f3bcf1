import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { oneLine } from '@portal/domain/printable.ts';
import { toWall } from '@portal/domain/zoned-time.ts';
import type { Approval, Approvals } from '../approvals/approvals.service.ts';
import { type Console, type ConsoleHandlers, ConsoleRefusal, type Signed } from '../console/console.service.ts';
import { type Announcement, wayOf } from './switches-and-announcements.ts';
import { type Change, changeIn, payloadOf, type WayChanges } from './ways.changes.ts';
import type { Ways } from './ways.service.ts';

interface WaysDesk {
  ways: Ways;
  changes: WayChanges;
  approvals: Pick<Approvals, 'propose' | 'openOf' | 'listOf'>;
  console: Pick<Console, 'isProved'>;
  /** Whether closing a method, or all of them, needs approval. */
  fourEyes: boolean;
  methods: readonly PaymentMethod[];
  pack: Pick<OperatorPack, 'languages' | 'timeZone'>;
  now: () => Date;
}

type Shown = ConsoleResult<'ways'>['banner'];

/** The console calls for methods of payment and announcements. */
export function wayConsoleHandlers({
  ways,
  changes,
  approvals,
  console: people,
  fourEyes,
  methods,
  pack,
  now,
}: WaysDesk) {
  const { announcements } = ways;

  /** A local time in the same format for every language. */
  const wall = (at: Date) => toWall(at.toISOString(), pack.timeZone).replace('T', ' ');

  /** The approved proposal that was based on the previous version. */
  const changedBy = (row: Announcement | undefined, proposals: readonly Approval[] = []) => {
    if (!row) return null;
    const made = proposals.find(
      ({ state, decider, payload }) =>
        state === 'approved' && decider === row.changed_by && changeIn(payload).version + 1 === row.version,
    );
    return { at: row.changed_at.toISOString(), by: row.changed_by, proposedBy: made?.proposer ?? null };
  };

  function shown(row: Announcement | undefined, proposals: readonly Approval[] = []): Shown {
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
      changed: changedBy(row, proposals),
    };
  }

  /** One line in each of the operator's languages, and in no other. */
  function textsIn(given: Record<string, string>): Record<string, string> {
    return Object.fromEntries(
      pack.languages.map(({ locale }) => [locale, oneLine(given[locale] ?? '')]).filter(([, text]) => text),
    );
  }

  function refuseMissing(texts: Record<string, string>): void {
    const missing = pack.languages.find(({ locale }) => !texts[locale]);
    if (missing) throw new ConsoleRefusal('invalid', { field: `texts.${missing.locale}` });
  }

  /** Applies a change at once, or proposes it if it needs approval. */
  async function change(
    change: Change,
    asked: { reason: string; signed: Signed; closes?: { kind: 'wayOff' | 'maintenance'; name: string } },
  ): Promise<{ proposal: string | null }> {
    const { reason, signed, closes } = asked;
    if (closes && fourEyes) {
      const stands = (await announcements.list()).find(({ subject }) => subject === change.announced.subject);
      if ((stands?.version ?? 0) !== change.version) throw new ConsoleRefusal('changedMeanwhile');
      const { kind, name } = closes;
      const payload = payloadOf(change, name);
      return {
        proposal: await approvals.propose(signed, { kind, subject: change.subject, payload, reason, needsTwo: true }),
      };
    }
    // Acting alone counts as approving, so it needs a fresh step-up.
    if (closes && !people.isProved(signed)) throw new ConsoleRefusal('proveAgain');
    await changes.carryOut(change, { reason, by: signed });
    return { proposal: null };
  }

  function refuseTimes(subject: keyof typeof longest, { starts_at, ends_at }: ReturnType<typeof timesOf>): void {
    const isPlanned = subject === 'maintenance';
    if (isPlanned && starts_at === null) throw new ConsoleRefusal('timeMissing', { field: 'startsAt' });
    if (isPlanned && ends_at === null) throw new ConsoleRefusal('timeMissing', { field: 'endsAt' });
    if (ends_at === null) return;
    if (starts_at && ends_at <= starts_at) throw new ConsoleRefusal('endBeforeStart', { field: 'endsAt' });
    if (ends_at <= now()) throw new ConsoleRefusal('timePast', { field: 'endsAt' });
    const begins = Math.max(now().getTime(), starts_at?.getTime() ?? 0);
    const days = longest[subject];
    if (ends_at.getTime() > begins + days * day)
      throw new ConsoleRefusal('lastsTooLong', { field: 'endsAt', parameters: { days } });
  }

  return {
    async ways() {
      const [rows, reports, closing, maintenance, closed, planned] = await Promise.all([
        announcements.list(),
        ways.reports(),
        Promise.all(methods.map(({ gateway }) => approvals.openOf({ kind: 'way', id: gateway }, 'wayOff'))),
        approvals.openOf({ kind: 'announcement', id: 'maintenance' }, 'maintenance'),
        Promise.all(methods.map(({ gateway }) => approvals.listOf({ kind: 'way', id: gateway }))),
        approvals.listOf({ kind: 'announcement', id: 'maintenance' }),
      ]);
      const found = new Map(rows.map((row) => [row.subject, row]));
      return {
        takesTwo: fourEyes,
        ways: methods.map((method, index) => {
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
            changed: changedBy(row, closed[index]),
            health: report?.health ?? 'noRecentData',
            taken: report?.taken ?? 0,
            failed: report?.failed ?? 0,
            endedByPayer: report?.endedByPayer ?? 0,
            medianSeconds: report?.medianSeconds ?? null,
            lastFailureAt: report?.lastFailureAt?.toISOString() ?? null,
            proposal: closing[index] ?? null,
          };
        }),
        banner: shown(found.get('banner')),
        maintenance: { ...shown(found.get('maintenance'), planned), proposal: maintenance },
      };
    },

    async switchWay({ gateway, isOff, texts, version, reason }, signed) {
      const method = methods.find((one) => one.gateway === gateway);
      if (!method) throw new ConsoleRefusal('notFound');
      const announced = {
        subject: wayOf(gateway),
        is_on: isOff,
        texts: textsIn(texts),
        starts_at: null,
        ends_at: null,
      };
      const act = isOff ? 'way.switchedOff' : 'way.switchedOn';
      return change(
        { announced, act, subject: { kind: 'way', id: gateway }, version },
        { reason, signed, ...(isOff ? { closes: { kind: 'wayOff', name: method.name } } : {}) },
      );
    },

    async announce(asked, signed) {
      const { subject, isOn, version, reason } = asked;
      const { starts_at, ends_at } = timesOf(asked);
      const texts = textsIn(asked.texts);
      if (isOn) {
        if (subject === 'banner') refuseMissing(texts);
        refuseTimes(subject, { starts_at, ends_at });
      }
      const announced = { subject, is_on: isOn, texts, starts_at, ends_at };
      const act = `${subject}.${isOn ? 'set' : 'takenBack'}` as const;
      const closes = isOn && subject === 'maintenance' && starts_at && ends_at;
      return change(
        { announced, act, subject: { kind: 'announcement', id: subject }, version },
        {
          reason,
          signed,
          ...(closes ? { closes: { kind: subject, name: `${wall(starts_at)} – ${wall(ends_at)}` } } : {}),
        },
      );
    },
  } satisfies ConsoleHandlers;
}

const day = 24 * 3_600_000;
/** In days, so that a mistyped date does not close the shop for a month. */
const longest = { maintenance: 3, banner: 366 };

const timesOf = ({ startsAt, endsAt }: Pick<ConsoleParsed<'announce'>, 'startsAt' | 'endsAt'>) => ({
  starts_at: startsAt ? new Date(startsAt) : null,
  ends_at: endsAt ? new Date(endsAt) : null,
});
