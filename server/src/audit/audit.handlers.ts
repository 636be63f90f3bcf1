import type { ConsoleParsed } from '@portal/contract/console/contract.ts';
import { dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import { csvRow } from '@portal/domain/printable.ts';
import type { Kysely } from 'kysely';
import type { ConsoleHandlers } from '../console/console.service.ts';
import type { Schema } from '../db/schema.ts';
import type { Audit, AuditRow } from './audit.service.ts';

const auditRows = 100;

/** The console's calls about the audit log. */
export function auditHandlers({
  db,
  audit,
  timeZone,
  idsCalled,
}: {
  db: Kysely<Schema>;
  audit: Audit;
  timeZone: string;
  /** The ids of objects with this name on customers' documents. */
  idsCalled: (name: string) => Promise<readonly string[]>;
}) {
  /** Converts the readable filter: printed names to ids, and days in the operator's time zone. */
  async function filterOf({ about, from, day, ...rest }: Omit<ConsoleParsed<'audit'>, 'before'>) {
    return {
      ...rest,
      about: about === undefined ? undefined : [about, ...(await idsCalled(about))],
      from: from ? startOfDay(from, timeZone) : undefined,
      until: endOf(day),
    };
  }

  const endOf = (day: string | undefined) => (day ? startOfDay(dayPlus(day, 1), timeZone) : undefined);

  return {
    async audit({ before, ...filter }) {
      const rows = await audit.list(auditRows + 1, { ...(await filterOf(filter)), before });
      const page = rows.slice(0, auditRows);
      return {
        rows: page.map(shown),
        next: rows.length > auditRows ? (page.at(-1)?.number ?? null) : null,
      };
    },
    async exportAudit({ reason, ...filter }, { actor }) {
      const lines = auditLines(audit.each(await filterOf(filter)));
      await audit.writeSeen(actor, {
        act: 'audit.exported',
        subject: { kind: 'audit', id: 'rows' },
        after: filter,
        reason,
      });
      return lines;
    },
    async verifyAudit(_input, { actor }) {
      const verdict = await audit.verify();
      await audit.write(db, actor, {
        act: 'audit.verified',
        subject: { kind: 'audit', id: String(verdict.rows) },
        after: verdict,
      });
      return verdict;
    },
  } satisfies ConsoleHandlers;
}

const auditColumns: readonly (readonly [name: string, cell: (row: AuditRow) => string | number | null])[] = [
  ['number', ({ number }) => number],
  ['at', ({ at }) => at.toISOString()],
  ['person', ({ person }) => person],
  ['roles', ({ roles }) => roles.join(' ')],
  ['act', ({ act }) => act],
  ['subject', ({ subject_kind }) => subject_kind],
  ['id', ({ subject_id }) => subject_id],
  ['before', ({ before }) => (before === null ? null : JSON.stringify(before))],
  ['after', ({ after }) => (after === null ? null : JSON.stringify(after))],
  ['reason', ({ reason }) => reason],
  ['address', ({ from_address }) => from_address],
  ['hash before', ({ prev_hash }) => prev_hash],
  ['hash', ({ row_hash }) => row_hash],
];

async function* auditLines(rows: AsyncIterable<AuditRow>): AsyncIterable<string> {
  yield csvRow(auditColumns.map(([name]) => name));
  for await (const row of rows) yield csvRow(auditColumns.map(([, cell]) => cell(row)));
}

const shown = ({
  number,
  at,
  person,
  roles,
  act,
  subject_kind,
  subject_id,
  before,
  after,
  reason,
  from_address,
}: AuditRow) => ({
  number,
  at: at.toISOString(),
  person,
  roles,
  act,
  subject: { kind: subject_kind, id: subject_id },
  before,
  after,
  reason,
  address: from_address,
});
