import { sheetPage } from '@portal/contract/console/sheet-limits.ts';
import type { SheetLine } from '@portal/contract/console/sheets.ts';
import { csvRow } from '@portal/domain/printable.ts';
import type { Approvals } from '../approvals/approvals.service.ts';
import type { Audit } from '../audit/audit.service.ts';
import { type ConsoleHandlers, ConsoleRefusal } from '../console/console.service.ts';
import { columnNames, writtenTime } from './compare.ts';
import { countsOf, type Sheets } from './sheets.service.ts';
import type { Executor } from './sheets.store.ts';

const pageRows = 50;

interface SheetsDesk {
  db: Executor;
  sheets: Sheets;
  approvals: Approvals;
  audit: Pick<Audit, 'write'>;
  timeZone: string;
}

/** The console calls for the tables. */
export function sheetHandlers({ db, sheets, approvals, audit, timeZone }: SheetsDesk) {
  return {
    async sheet({ sheet: name, text = '', only, after }) {
      const { columns, hasTimes } = sheets.columnsOf(name);
      const found = await sheets.list({
        ...{ name, text, only },
        ...{ after: after ? placeOf(after) : null, most: pageRows + 1 },
      });
      const page = found.slice(0, pageRows);
      const last = page.at(-1);
      return {
        columns: [...columns],
        hasTimes,
        rows: page.map(({ key, revision, cells, isPlanned, isEnded, starts_at, ends_at }) => ({
          // An ended entry is restored without a base revision.
          ...{ key, revision: isEnded ? 0 : revision, cells, isPlanned, isEnded },
          from: isPlanned ? starts_at.toISOString() : null,
          until: ends_at?.toISOString() ?? null,
        })),
        next:
          found.length > pageRows && last
            ? JSON.stringify([last.position, last.key, last.starts_at.toISOString()])
            : null,
      };
    },

    async sheetFile({ sheet: name, separator }) {
      const sheet = sheets.columnsOf(name);
      const names = columnNames(sheet);
      const isNumber = new Set(
        sheet.columns.filter(({ kind }) => kind === 'number' || kind === 'money').map((one) => one.name),
      );
      const rowOf = ({ cells, from, until }: SheetLine, revision: number) => {
        const all: Record<string, string> = {
          ...cells,
          ...{ from: writtenTime(from, timeZone), until: writtenTime(until, timeZone), revision: String(revision) },
        };
        return csvRow(
          names.map((one) => (isNumber.has(one) && all[one] ? Number(all[one]) : (all[one] ?? ''))),
          separator,
        );
      };
      const rows = (await sheets.all(name)).flatMap(([, { lines, revision }]) =>
        lines.map((line) => rowOf(line, revision)),
      );
      // The byte order mark makes spreadsheets read it as UTF-8.
      return { name: `${name}.csv`, text: `\ufeff${[csvRow(names, separator), ...rows].join('\r\n')}\r\n` };
    },

    async previewSheet({ sheet, source }, signed) {
      const { changes, unchanged, problems, encoding, separator, digest, alarm } = await sheets.preview(sheet, source);
      await audit.write(db, signed.actor, {
        act: 'sheet.previewed',
        subject: { kind: 'sheet', id: sheet },
        after: { ...countsOf(changes), problems: problems.length, digest },
      });
      const keys = changes.map(({ key }) => key);
      return {
        ...{ encoding, separator, digest, alarm, waiting: await sheets.waitingFor(approvals, { sheet, keys }) },
        counts: { ...countsOf(changes), unchanged },
        changes: changes.slice(0, sheetPage),
        problems: problems.toSorted((one, other) => (one.row ?? 0) - (other.row ?? 0)).slice(0, sheetPage),
        problemCount: problems.length,
      };
    },

    async proposeSheet(asked, signed) {
      return { proposal: await sheets.propose(signed, approvals, asked) };
    },

    sheetWaiting: ({ sheet, key }) => sheets.waitingFor(approvals, { sheet, keys: [key] }),

    async sheetChanges({ id, skip }, signed) {
      const { payload, kind, state, isExpired } = await approvals.seenBy(id, signed);
      if (kind !== 'catalogue' && kind !== 'places') throw new ConsoleRefusal('notFound');
      const { sheet, changes, alarm } = await sheets.proposedIn(payload);
      const isAsked = skip === '0' && state === 'open' && !isExpired;
      const keys = isAsked ? changes.map(({ key }) => key) : [];
      return {
        sheet,
        waiting: await sheets.waitingFor(approvals, { sheet, keys, besides: id }),
        columns: [...sheets.columnsOf(sheet).columns],
        ...{ total: changes.length, counts: countsOf(changes), alarm },
        changes: changes.slice(Number(skip), Number(skip) + sheetPage),
      };
    },
  } satisfies ConsoleHandlers;
}

function placeOf(after: string): { position: number; key: string; startsAt: Date } {
  const [position, key, at] = JSON.parse(after.startsWith('[') ? after : '[]') as [number, string, string];
  const startsAt = new Date(at);
  if (!Number.isInteger(position) || typeof key !== 'string' || Number.isNaN(startsAt.getTime()))
    throw new ConsoleRefusal('invalid', { field: 'after' });
  return { position, key, startsAt };
}
