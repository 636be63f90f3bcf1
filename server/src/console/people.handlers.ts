import type { ConsoleResult } from '@portal/contract/console/contract.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { type Console, type ConsoleHandlers, ConsoleRefusal } from './console.service.ts';
import type { Passkeys } from './passkeys.ts';
import { isEarlier } from './people.ts';

/** The calls about the console's own people: their sessions, passkeys and invitations. */
export function peopleHandlers({
  console: people,
  passkeys,
  pack,
}: {
  console: Console;
  /** Null if people sign in with OpenID. */
  passkeys: Passkeys | null;
  pack: OperatorPack;
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
  } satisfies ConsoleHandlers;
}
