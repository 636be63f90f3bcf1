import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { calendarDay, dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import { digitsOf, toMajorString } from '@portal/domain/money.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { csvRow } from '@portal/domain/printable.ts';
import type { Act, Audit } from '../../audit/audit.service.ts';
import { type ConsoleHandlers, ConsoleRefusal, type Signed } from '../../console/console.service.ts';
import { withoutPersons } from '../../db/personal-data.ts';
import * as desk from './payments.reconcile.desk.store.ts';
import { type Reconciliation, type Report, reconcileAgain } from './payments.reconcile.ts';

interface ReconciliationDesk {
  comparison: Reconciliation;
  compared: (report: Report) => void;
  audit: Audit;
  pack: Pick<OperatorPack, 'methods' | 'currency' | 'secondCurrency'>;
}

type Shown = ConsoleResult<'reconciliation'>;
type Named = Pick<ConsoleParsed<'takeDifference'>, 'day' | 'what' | 'reference' | 'version'>;

const shownDays = 31;
/** The retention period of payments: older days cannot be compared. */
const comparedDays = 400;
const pageRows = 100;
/** More names than this mean an outage, and do not help the reader. */
const shownUnanswered = 20;

/** The reconciliation of a day, and people's explanations of its differences. */
export function reconciliationHandlers({ comparison, compared, audit, pack }: ReconciliationDesk) {
  const { db, timeZone, now } = comparison;
  const wayName = (gateway: string) => pack.methods.find((method) => method.gateway === gateway)?.name ?? gateway;
  const yesterday = () => dayPlus(calendarDay(now(), timeZone), -1);
  /** Older payments were deleted. */
  const oldestStored = () => dayPlus(yesterday(), -comparedDays);
  /** The day of the oldest stored payment, within the retention period. */
  async function firstDay(): Promise<string> {
    const oldest = await db
      .selectFrom('payments')
      .select('created_at')
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    const paid = oldest ? calendarDay(oldest.created_at, timeZone) : yesterday();
    return paid > oldestStored() ? paid : oldestStored();
  }
  const subjectOf = (day: string, reference?: string) =>
    reference === undefined ? { kind: 'day', id: day } : { kind: 'difference', id: `${day} ${reference}` };

  const shown = (row: desk.ListedDifference, { email }: Signed): Shown['differences'][number] => ({
    place: row.place,
    what: row.what,
    reference: row.reference,
    way: wayName(row.gateway),
    version: row.version,
    person: row.person,
    isOwn: row.person === email,
    explanation: row.explanation,
    note: row.note,
    changedBy: row.changed_by,
    changedAt: row.changed_at?.toISOString() ?? null,
    payment:
      row.payment_id === null
        ? null
        : {
            id: row.payment_id,
            reference: row.short_reference ?? '',
            state: row.state ?? '',
            amount: row.amount ?? 0,
            currency: row.currency ?? '',
            claimedBy: row.claimed_by,
          },
  });

  /** Changes a difference if its version still matches, with the audit row in the same transaction. */
  async function change(
    { day, what, reference, version }: Named,
    signed: Signed,
    { patch, ...act }: Omit<Act, 'subject'> & { patch: desk.Work },
  ): Promise<null> {
    if (!(await desk.hasDifference(db, { day, what, reference }))) throw new ConsoleRefusal('notFound');
    await db.transaction().execute(async (transaction) => {
      const by = { changed_by: signed.email, changed_at: now() };
      if (!(await desk.changeWork(transaction, { day, what, reference, version }, { ...patch, ...by })))
        throw new ConsoleRefusal('changed');
      await audit.write(transaction, signed.actor, { ...act, subject: subjectOf(day, reference) });
    });
    return null;
  }

  async function* linesOf(day: string): AsyncIterable<string> {
    const money = (amount: number, currency: string) => toMajorString(amount, digitsOf(pack, currency));
    const range = { from: startOfDay(day, timeZone), to: startOfDay(dayPlus(day, 1), timeZone) };
    yield csvRow([
      ...['row', 'at', 'payment', 'reference', 'way', 'what', 'amount', 'currency', 'debit', 'credit'],
      ...['works on it', 'explanation', 'note'],
    ]);
    for await (const posting of desk.postingsBetween(db, range))
      yield csvRow([
        ...['posting', posting.at.toISOString(), posting.payment_id, posting.short_reference, wayName(posting.gateway)],
        ...[posting.kind, money(posting.amount, posting.currency), posting.currency],
        ...[posting.debit_account, posting.credit_account, null, null, null],
      ]);
    for (let after = 0, isMore = true; isMore; ) {
      const rows = await desk.listDifferences(db, day, { list: null, after, most: pageRows, now: now() });
      for (const row of rows)
        yield csvRow([
          ...['difference', null, row.payment_id ?? row.reference, row.short_reference, wayName(row.gateway), row.what],
          ...[row.amount === null ? null : money(row.amount, row.currency ?? ''), row.currency, null, null],
          ...[row.person, row.explanation, row.note],
        ]);
      isMore = rows.length === pageRows;
      after = rows.at(-1)?.place ?? after;
    }
  }

  return {
    async reconciliation({ day = yesterday(), list, after }, signed) {
      const [kept, days, counts, rows, first] = await Promise.all([
        desk.findDay(db, day),
        desk.newestDays(db, shownDays),
        desk.countDifferences(db, day),
        desk.listDifferences(db, day, { list, after, most: pageRows + 1, now: now() }),
        firstDay(),
      ]);
      const page = rows.slice(0, pageRows);
      const { sides = [], unchecked = [], unanswered = [] } = kept?.report ?? {};
      return {
        day,
        days: days.map(({ done_at, ...one }) => ({ ...one, comparedAt: done_at?.toISOString() ?? null })),
        comparedAt: kept?.done_at?.toISOString() ?? null,
        isRunning: (kept?.claimed_until ?? now()) > now(),
        isOver: day <= yesterday(),
        isComparable: day <= yesterday() && day >= oldestStored(),
        firstDay: first,
        hasTotals: kept?.report?.sides !== undefined,
        sides: sides
          .map(({ gateway, ...side }) => ({ way: wayName(gateway), ...side }))
          .sort((one, other) => one.way.localeCompare(other.way) || one.currency.localeCompare(other.currency)),
        unchecked: unchecked.map(wayName),
        unanswered: unanswered.slice(0, shownUnanswered).map(wayName),
        unansweredCount: unanswered.length,
        counts,
        differences: page.map((row) => shown(row, signed)),
        next: rows.length > pageRows ? (page.at(-1)?.place ?? null) : null,
      };
    },

    async compareDay({ day }, { actor }) {
      if (day > yesterday()) throw new ConsoleRefusal('dayNotOver');
      const first = oldestStored();
      if (day < first) throw new ConsoleRefusal('dayTooOld', { field: 'day', parameters: { first } });
      // Audited before the calls, so that a comparison that fails is recorded too.
      await audit.write(db, actor, { act: 'day.compared', subject: subjectOf(day) });
      if (!(await reconcileAgain(comparison, day, compared))) throw new ConsoleRefusal('beingCompared');
      return null;
    },

    takeDifference: ({ isTaken, ...named }, signed) =>
      change(named, signed, {
        patch: { person: isTaken ? signed.email : null },
        act: isTaken ? 'difference.taken' : 'difference.letGo',
        after: { what: named.what },
      }),

    explainDifference: ({ as, reason, ...named }, signed) =>
      change(named, signed, {
        patch: { explanation: as, note: as === null ? null : withoutPersons(reason) },
        act: as === null ? 'difference.opened' : 'difference.explained',
        after: { what: named.what, as },
        reason,
      }),

    async exportDay({ day }, { actor }) {
      await audit.writeSeen(actor, { act: 'day.exported', subject: subjectOf(day) });
      return linesOf(day);
    },
  } satisfies ConsoleHandlers;
}
