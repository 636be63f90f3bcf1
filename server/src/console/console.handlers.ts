import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import { dayPlus, startOfDay } from '@portal/domain/calendar-day.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { Kysely } from 'kysely';
import type { Audit, AuditRow } from '../audit/audit.service.ts';
import type { Schema } from '../db/schema.ts';
import { type Console, type ConsoleHandlers, ConsoleRefusal } from './console.service.ts';
import type { Passkeys } from './passkeys.ts';

const auditRows = 100;

/** The calls about the console's own people, and about what they did. */
export function consoleHandlers({
  db,
  console: people,
  audit,
  passkeys,
  pack,
}: {
  db: Kysely<Schema>;
  console: Console;
  audit: Audit;
  /** Null where an OpenID provider says who somebody is. */
  passkeys: Passkeys | null;
  pack: OperatorPack;
}) {
  /** Who signs in elsewhere has neither passkeys nor roles that are set here. */
  function byPasskeys(): Passkeys {
    if (!passkeys) throw new ConsoleRefusal('notPossible', { detail: 'The OpenID provider decides about this.' });
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

  return {
    async me(_input, { name, email, roles, endsAt }) {
      const { brand, timeZone, currency, secondCurrency, languages } = pack;
      const currencies = [currency, ...(secondCurrency ? [secondCurrency] : [])];
      return {
        name,
        email,
        roles,
        endsAt: endsAt.toISOString(),
        operator: {
          brand: brand.name,
          timeZone,
          currencies: Object.fromEntries(currencies.map(({ code, digits }) => [code, digits])),
          languages: languages.map(({ locale }) => locale),
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
      return (await people.people()).map(({ seen_at, closed_at, sessions, passkeys: held, ...person }) => ({
        ...person,
        seenAt: seen_at.toISOString(),
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
    async closePerson({ person, isClosed, reason }, signed) {
      await people.setClosed(person, isClosed, { by: signed, reason });
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
    async invite({ person, ...invited }, signed) {
      const { link, endsAt } = await byPasskeys().invite({ ...invited, ...(person ? { person } : {}) }, signed);
      return { link, endsAt: endsAt.toISOString() };
    },
    async withdrawInvitation({ id }, signed) {
      await byPasskeys().withdraw(id, signed);
      return null;
    },
    async setRoles({ person, roles, reason }, signed) {
      byPasskeys();
      await people.setRoles(person, roles, { by: signed, reason });
      return null;
    },
    async audit({ day, ...filter }) {
      const until = day ? startOfDay(dayPlus(day, 1), pack.timeZone) : undefined;
      const rows = await audit.list(auditRows + 1, { ...filter, until });
      const page = rows.slice(0, auditRows);
      return {
        rows: page.map(shown),
        next: rows.length > auditRows ? (page.at(-1)?.number ?? null) : null,
      };
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
