import type { ConsoleParsed, ConsoleResult } from '@portal/contract/console/contract.ts';
import { dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { csvRow } from '@portal/domain/printable.ts';
import type { Kysely } from 'kysely';
import type { Audit, AuditRow } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import { type Console, type ConsoleHandlers, ConsoleRefusal } from './console.service.ts';
import type { Passkeys } from './passkeys.ts';
import { isEarlier } from './people.ts';

const auditRows = 100;

/** The calls about the console's own people and the audit log. */
export function consoleHandlers({
  db,
  console: people,
  audit,
  passkeys,
  pack,
  idsCalled,
}: {
  db: Kysely<Schema>;
  console: Console;
  audit: Audit;
  /** Null if people sign in with OpenID. */
  passkeys: Passkeys | null;
  pack: OperatorPack;
  /** The ids of objects with this name on customers' documents. */
  idsCalled: (name: string) => Promise<readonly string[]>;
}) {
  /** With OpenID, neither passkeys nor roles are managed here. */
  function byPasskeys(): Passkeys {
    if (!passkeys) throw new ConsoleRefusal('decidedByProvider');
    return passkeys;
  }

  const passkeysOf = async (personId: string): Promise<ConsoleResult<'passkeys'>> =>
    ((await passkeys?.ofPerson(personId)) ?? []).map(({ id, name, added_at, used_at }) => ({
      id,
      name,
      addedAt: added_at.toISOString(),
      usedAt: used_at?.toISOString() ?? null,
    }));

  async function sessionsOf(personId: string, own: string): Promise<ConsoleResult<'sessions'>> {
    return (await people.sessionsOf(personId)).map(({ id, started_at, seen_at, browser_name }) => ({
      id,
      startedAt: started_at.toISOString(),
      seenAt: seen_at.toISOString(),
      browser: browser_name,
      isOwn: id === own,
    }));
  }

  /** Converts the readable filter: printed names to ids, and days in the operator's time zone. */
  async function filterOf({ about, from, day, ...rest }: Omit<ConsoleParsed<'audit'>, 'before'>) {
    return {
      ...rest,
      about: about === undefined ? undefined : [about, ...(await idsCalled(about))],
      from: from ? startOfDay(from, pack.timeZone) : undefined,
      until: endOf(day),
    };
  }

  const endOf = (day: string | undefined) => (day ? startOfDay(dayPlus(day, 1), pack.timeZone) : undefined);

  return {
    async me(_input, { personId, name, email, roles, endsAt }) {
      const { brand, timeZone, currency, secondCurrency, languages, methods } = pack;
      const currencies = [currency, ...(secondCurrency ? [secondCurrency] : [])];
      return {
        id: personId,
        name,
        email,
        roles,
        endsAt: endsAt.toISOString(),
        operator: {
          brand: brand.name,
          timeZone,
          currencies: Object.fromEntries(currencies.map(({ code, digits }) => [code, digits])),
          languages: languages.map(({ locale }) => locale),
          ways: methods.map(({ gateway, name: way, type }) => ({
            code: gateway,
            name: way,
            isAirtime: type === 'AIRTIME',
          })),
        },
      };
    },
    sessions: (_input, { personId, session }) => sessionsOf(personId, session),
    async signOut(_input, { session, actor }) {
      await people.end(session, 'signedOut', actor);
      return null;
    },
    async endSession({ session }, signed) {
      const own = await people.sessionsOf(signed.personId);
      if (!own.some(({ id }) => id === session)) throw new ConsoleRefusal('notFound');
      await people.end(session, 'endedByOwner', signed.actor);
      return null;
    },
    async people() {
      const all = await people.people();
      return all.map(({ seen_at, last_request, closed_at, sessions, passkeys: held, ...person }) => ({
        ...person,
        // A person with an open session is always listed, even if another account replaced this one.
        isEarlier: Number(sessions ?? 0) === 0 && isEarlier({ ...person, seen_at }, all),
        seenAt: new Date(Math.max(Number(seen_at), Number(last_request ?? 0))).toISOString(),
        isClosed: closed_at !== null,
        sessions: Number(sessions ?? 0),
        passkeys: Number(held ?? 0),
      }));
    },
    sessionsOf: ({ person }, { session }) => sessionsOf(person, session),
    async endSessionOf({ session }, { actor }) {
      if (!(await people.end(session, 'endedByAdmin', actor))) throw new ConsoleRefusal('notFound');
      return null;
    },
    passkeys: (_input, { personId }) => passkeysOf(personId),
    passkeyOptions: async (_input, signed) => byPasskeys().options(signed),
    async addPasskey(given, signed) {
      await byPasskeys().add(given, signed);
      return null;
    },
    async removePasskey({ id }, signed) {
      await byPasskeys().remove(signed.personId, id, { by: signed });
      return null;
    },
    passkeysOf: ({ person }) => passkeysOf(person),
    async removePasskeyOf({ person, id, reason }, signed) {
      await byPasskeys().remove(person, id, { by: signed, reason });
      return null;
    },
    async invitations() {
      return ((await passkeys?.invitations()) ?? []).map(({ id, email, name, roles, made_by, ends_at }) => ({
        id,
        email,
        name,
        roles,
        madeBy: made_by,
        endsAt: ends_at.toISOString(),
      }));
    },
    async withdrawInvitation({ id }, signed) {
      await byPasskeys().withdraw(id, signed);
      return null;
    },
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
