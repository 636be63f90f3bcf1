import { randomUUID } from 'node:crypto';
import { type ConsoleCallName, consoleCallPath, consoleCalls, personHeader } from '@portal/contract/console/calls.ts';
import type { ConsoleInput, ConsoleResult } from '@portal/contract/console/contract.ts';
import { consoleContract } from '@portal/contract/console/contract.ts';
import type { ConsoleCallDefinition } from '@portal/contract/console/define-console-call.ts';
import { mayDo, type Role, roles } from '@portal/contract/console/permissions.ts';
import { calendarDay } from '@portal/domain/calendar-day.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { approveAs, deskBrowser, postedHere, signIn, throughLogin, userAgent } from '../testing/console.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';

let sandbox: Sandbox;
let running: TestPortal;
let clock = new Date();
const minutes = (count: number) => {
  clock = new Date(clock.getTime() + count * 60_000);
};
beforeAll(async () => {
  sandbox = await startSandbox();
  running = await testPortal(sandbox, { rateLimitScale: 1_000 }, () => clock);
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
beforeEach(() => {
  clock = new Date();
});

const http = () => running.portal.http;
const mail = (role: string) => `${role}@console.example`;
const acts = async (act: string) =>
  (await running.database.db.selectFrom('audit').selectAll().where('act', '=', act).orderBy('number').execute()).map(
    ({ person, reason, subject_kind, after }) => ({ person, reason, subject_kind, after }),
  );

describe('signing in', () => {
  test('by the OpenID provider, as who and with which roles it says; the session ends by signing out', async () => {
    const care = await signIn(http(), mail('care'));
    const { status, result } = await care.call('me');
    expect([status, result.email, result.roles]).toEqual([200, mail('care'), ['care']]);
    expect((await acts('session.started')).at(-1)).toMatchObject({ person: mail('care'), after: { roles: ['care'] } });

    expect((await care.call('signOut')).status).toBe(200);
    const after = await care.call('me');
    expect([after.status, after.error?.code]).toEqual([401, 'sessionEnded']);
    expect((await acts('session.ended')).at(-1)).toMatchObject({ after: { because: 'signedOut' } });
  });

  test('an answer of the provider signs in once, in the browser that asked, and leads to no other site', async () => {
    const once = await throughLogin(http(), mail('care'), { query: { to: '/console/find?text=a' } });
    expect(once.location).toBe('/console/find?text=a');
    const again = (cookie: string) =>
      http().inject({ url: new URL(once.returned).pathname + new URL(once.returned).search, headers: { cookie } });
    for (const cookie of [once.login, '', 'console-login=forged']) {
      const answer = await again(cookie);
      expect(answer.headers.location).toMatch(/^\/console\?problem=login(Refused|Over)$/);
      expect(String(answer.headers['set-cookie'])).not.toContain('console=');
    }
    for (const to of ['https://evil.example/', '//evil.example', '/console/../sandbox', '/consolex', '/payment'])
      expect((await throughLogin(http(), mail('care'), { query: { to } })).location).toBe('/console');
  });

  test('a session ends after half an hour without a sign of life, and after twelve hours in any case', async () => {
    const idle = await signIn(http(), mail('finance'));
    minutes(29);
    expect((await idle.call('me')).status).toBe(200);
    minutes(29);
    expect((await idle.call('me')).status).toBe(200);
    minutes(31);
    expect((await idle.call('me')).error?.code).toBe('sessionEnded');

    const long = await signIn(http(), mail('finance'));
    for (let passed = 0; passed < 12 * 60 - 20; passed += 20) {
      minutes(20);
      expect((await long.call('me')).status).toBe(200);
    }
    minutes(20);
    expect((await long.call('me')).error?.code).toBe('sessionEnded');
  });

  test('a cookie that turns up in another browser opens nothing there, nor in its own any more', async () => {
    const care = await signIn(http(), mail('care'));
    const stolen = await care.call('me', undefined, { 'user-agent': 'curl' });
    expect([stolen.status, stolen.error?.code]).toEqual([401, 'otherBrowser']);
    expect((await care.call('me')).error?.code).toBe('sessionEnded');
    expect((await acts('session.ended')).at(-1)).toMatchObject({ person: null, after: { because: 'otherBrowser' } });
  });

  test('sessions are listed, and ended by their owner or by an admin, one by one', async () => {
    const [first, second] = [await signIn(http(), mail('publisher')), await signIn(http(), mail('publisher'))];
    const own = (await first.call('sessions')).result;
    const other = own.find(({ isOwn }) => !isOwn);
    expect(own.filter(({ isOwn }) => isOwn)).toHaveLength(1);
    expect((await first.call('endSession', { session: other?.id ?? '' })).status).toBe(200);
    expect((await second.call('me')).error?.code).toBe('sessionEnded');
    // Nobody sees the saved views of another person.
    const admin = await signIn(http(), mail('admin'));
    const adminSession = (await admin.call('sessions')).result[0]?.id ?? '';
    expect((await first.call('endSession', { session: adminSession })).status).toBe(404);

    const people = (await admin.call('people')).result;
    const publisher = people.find(({ email }) => email === mail('publisher'));
    expect(publisher).toMatchObject({ roles: ['publisher'], isClosed: false, sessions: 1 });
    const [left] = (await admin.call('sessionsOf', { person: publisher?.id ?? '' })).result;
    expect((await admin.call('endSessionOf', { session: left?.id ?? '' })).status).toBe(200);
    expect((await first.call('me')).error?.code).toBe('sessionEnded');
    expect((await admin.call('endSessionOf', { session: left?.id ?? '' })).status).toBe(404);
  });

  test('who signed in through an earlier provider is marked so, until that is who they are again', async () => {
    const admin = await signIn(http(), mail('admin'));
    const rows = async () =>
      (await admin.call('people')).result.filter(({ email }) => email.toLowerCase() === mail('admin'));
    const [now] = await rows();
    const old = { id: randomUUID(), subject: 'earlier|admin', email: mail('admin').toUpperCase(), name: 'Admin' };
    const at = new Date('2020-01-01T00:00:00Z');
    const row = { ...old, roles: ['admin'], added_at: at, seen_at: at, closed_at: null };
    await running.database.db.insertInto('console_people').values(row).execute();
    expect((await rows()).map(({ id, isEarlier }) => [id, isEarlier]).sort()).toEqual(
      [
        [now?.id, false],
        [old.id, true],
      ].sort(),
    );
    await running.database.db.deleteFrom('console_people').where('id', '=', old.id).execute();
  });

  test('who is kept out has no session and gets none until an admin lets them in again', async () => {
    const editor = await signIn(http(), mail('editor'));
    const admin = await signIn(http(), mail('admin'));
    const person = (await admin.call('people')).result.find(({ email }) => email === mail('editor'))?.id ?? '';
    expect((await admin.call('closePerson', { person, isClosed: true, reason: 'left the company' })).status).toBe(200);
    expect((await editor.call('me')).error?.code).toBe('sessionEnded');
    expect((await throughLogin(http(), mail('editor'), { query: {} })).location).toBe('/console?problem=noRole');
    // Reopening an account counts as an invitation: another admin approves it.
    await signIn(http(), mail('admin2'));
    const asked = { person, isClosed: false, reason: 'came back' };
    const proposal = (await admin.call('closePerson', asked)).result.proposal ?? '';
    expect((await admin.call('closePerson', asked)).error?.code).toBe('alreadyProposed');
    expect((await throughLogin(http(), mail('editor'), { query: {} })).location).toBe('/console?problem=noRole');
    const { digest, evidence } = (await admin.call('approval', { id: proposal })).result;
    expect(evidence).toMatchObject([{ what: 'letInAgain', detail: 'editor' }]);
    expect((await admin.call('approve', { id: proposal, digest })).error?.code).toBe('ownProposal');
    expect((await approveAs(http(), mail('admin2'), proposal)).status).toBe(200);
    expect((await acts('person.opened')).at(-1)).toMatchObject({
      ...{ person: mail('admin2'), reason: null, after: { proposer: mail('admin') } },
    });
    expect((await (await signIn(http(), mail('editor'))).call('me')).status).toBe(200);
    const self = (await admin.call('people')).result.find(({ email }) => email === mail('admin'))?.id ?? '';
    expect((await admin.call('closePerson', { person: self, isClosed: true, reason: 'by mistake' })).status).toBe(409);
  });

  test('five minutes after the last proof money, keys and roles ask for one, by the same person', async () => {
    const admin = await signIn(http(), mail('admin'));
    const [own] = (await admin.call('sessions')).result;
    minutes(6);
    expect((await admin.call('endSessionOf', { session: own?.id ?? '' })).error?.code).toBe('proveAgain');
    expect((await admin.call('people')).status).toBe(200);
    clock = new Date();
    // The provider uses the real clock: a step-up now is fresh now.
    expect(await admin.proveAgain()).toBe('/console/review');
    expect((await admin.call('endSessionOf', { session: 'unknown' })).status).toBe(404);

    const other = await signIn(http(), mail('admin'));
    minutes(6);
    expect(await other.proveAgain(mail('admin2'))).toBe('/console/proved?problem=otherPerson');
    expect((await other.call('me')).result.email).toBe(mail('admin'));
    expect((await other.call('endSessionOf', { session: own?.id ?? '' })).error?.code).toBe('proveAgain');
    expect((await acts('session.refused')).at(-1)).toMatchObject({ person: mail('admin'), reason: 'otherPerson' });
    clock = new Date();
  });

  test('CNS-1 a page of one person does nothing in the session of another who signed in beside it', async () => {
    const shown = (await (await signIn(http(), mail('finance'))).call('me')).result.id;
    const finance2 = await signIn(http(), mail('finance2'));
    const own = (await finance2.call('me')).result.id;
    expect((await finance2.call('review', undefined, { [personHeader]: own })).status).toBe(200);
    for (const name of ['review', 'claim'] as const) {
      const { status, error } = await finance2.call(name, { id: 'x' } as never, { [personHeader]: shown });
      expect([status, error?.code], name).toEqual([409, 'otherPerson']);
    }
  });
});

describe('every call', () => {
  const names = Object.keys(consoleCalls) as ConsoleCallName[];
  const twoOfThem: Record<Role, string> = Object.fromEntries(roles.map((role) => [role, mail(role)])) as Record<
    Role,
    string
  >;

  test('CNS-2 is refused without a session, with a made-up one, and from another site, before it is read', async () => {
    for (const name of names) {
      const stranger = deskBrowser(http(), 'nobody', 'console=made-up');
      expect((await stranger.call(name, { nonsense: 1 } as never)).error, name).toEqual({ code: 'notSignedIn' });
    }
    const care = await signIn(http(), mail('care'));
    for (const name of names.filter((one) => consoleCalls[one] === 'POST')) {
      const answer = await care.call(name, undefined, { 'sec-fetch-site': 'cross-site' });
      expect(answer.status, name).toBe(403);
      // A browser sends an Origin with each post; a request with only the cookie may be forged.
      const { cookie } = care;
      const silent = {
        method: 'POST',
        url: consoleCallPath(name),
        headers: { cookie, 'user-agent': userAgent },
      } as const;
      for (const url of [silent.url, silent.url.replace('console', '%63onsole')])
        expect((await http().inject({ ...silent, url, payload: {} })).json().error.code, name).toBe('crossSite');
    }
    expect((await care.call('me')).status).toBe(200);
  });

  test('CNS-2 lets in who the table of permissions says, and nobody else; whoever tried stands in the audit', async () => {
    for (const role of roles) {
      const browser = await signIn(http(), twoOfThem[role]);
      for (const name of names.filter((one) => one !== 'signOut')) {
        const { permission }: ConsoleCallDefinition = consoleContract[name];
        const isPermitted = permission === null || mayDo([role], permission);
        const refused = (await acts('call.refused')).length;
        const { status, error } = await browser.call(name, { id: 'x'.repeat(26), text: 'x' } as never);
        if (isPermitted) expect([401, 403], `${role} ${name} ${error?.code}`).not.toContain(status);
        else expect([status, error?.code], `${role} ${name}`).toEqual([403, 'notPermitted']);
        expect((await acts('call.refused')).length - refused, `${role} ${name}`).toBe(isPermitted ? 0 : 1);
      }
    }
  });

  test('CNS-16 (no state changes by GET) that changes something is no GET', async () => {
    for (const name of names) {
      const { body }: ConsoleCallDefinition = consoleContract[name];
      if (consoleCalls[name] === 'GET') expect(body, name).toBeUndefined();
      else expect((await http().inject({ url: consoleCallPath(name) })).statusCode, name).toBe(404);
    }
  });
});

describe('what goes wrong on our side', () => {
  const db = () => running.database.db;
  /** The first `times` inserts into the table fail with this code. */
  const breaking = async (code: string, times: number) => {
    await sql`create sequence broken`.execute(db());
    await sql
      .raw(`create function break_off() returns trigger language plpgsql as $$ begin
        if nextval('broken') <= ${times} then raise exception 'broken' using errcode = '${code}'; end if; return new; end $$`)
      .execute(db());
    await sql`create trigger breaks before insert on console_views for each row execute function break_off()`.execute(
      db(),
    );
  };
  afterEach(async () => {
    await sql`drop trigger breaks on console_views`.execute(db());
    await sql`drop function break_off`.execute(db());
    await sql`drop sequence broken`.execute(db());
  });
  const save = async () =>
    (await signIn(http(), mail('admin'))).call('saveView', { page: 'audit', name: 'open', filters: {} });

  test('is told with a reference by which the line of the log is found', async () => {
    await breaking('XX000', 1);
    const { status, error } = await save();
    expect([status, error?.code]).toEqual([500, 'failed']);
    expect(error?.reference).toMatch(/^[0-9a-f]{8}$/);
    const [line] = running.lines.filter((one) => one.includes('request failed')).slice(-1);
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      requestId: expect.stringMatching(new RegExp(`^${error?.reference}`)),
      ...{ route: consoleCallPath('saveView'), err: { code: 'XX000', message: 'broken' } },
    });
  });

  test.each(['40001', '40P01'])('is tried again where the database rolled it back (%s)', async (code) => {
    await breaking(code, 2);
    expect((await save()).status).toBe(200);
  });
});

describe('people', () => {
  test('were seen when they last did something, not when they signed in', async () => {
    const [care, admin] = [await signIn(http(), mail('care')), await signIn(http(), mail('admin'))];
    const seen = async () => {
      const all = (await admin.call('people')).result;
      return Date.parse(all.find(({ email }) => email === mail('care'))?.seenAt ?? '');
    };
    const before = await seen();
    clock = new Date(clock.getTime() + 20 * 60_000);
    await care.call('me');
    expect(await seen()).toBe(clock.getTime());
    expect(await seen()).toBeGreaterThan(before);
  });
});

describe('the audit', () => {
  const db = () => running.database.db;
  const verdict = async () => (await (await signIn(http(), mail('admin'))).call('verifyAudit')).result;

  test('CNS-3 takes no change, no removal and no emptying from anybody who asks the database', async () => {
    await signIn(http(), mail('care'));
    for (const statement of [sql`update audit set person = 'x'`, sql`delete from audit`, sql`truncate audit`])
      await expect(statement.execute(db())).rejects.toThrow('append-only');
  });

  test.each([
    ['changed', sql`update audit set reason = 'another' where number = 3`, { number: 3, what: 'changed' }],
    ['removed', sql`delete from audit where number = 3`, { number: 4, what: 'missing' }],
    [
      'inserted',
      sql`update audit set number = number + 1000000 where number >= 3;
        insert into audit (number, at, person, roles, act, subject_kind, subject_id, prev_hash, row_hash)
        select 3, at, 'x', roles, act, subject_kind, subject_id, prev_hash, row_hash from audit where number = 2`,
      { number: 3, what: 'changed' },
    ],
    [
      'written anew with its own hash',
      sql`with changed as (select * from audit where number = 3)
        update audit set person = 'x', row_hash = (select audit_hash(row(number, at, 'x', roles, act, subject_kind,
          subject_id, before, after, reason, from_address, prev_hash, '')::audit) from changed) where number = 3`,
      { number: 4, what: 'inserted' },
    ],
  ])('CNS-3 a row that was %s by somebody who may do anything is found', async (_how, tamper, problem) => {
    for (const role of ['care', 'finance', 'editor']) await signIn(http(), mail(role));
    expect((await verdict()).problem).toBeNull();
    await db()
      .transaction()
      .execute(async (transaction) => {
        await sql`alter table audit disable trigger user`.execute(transaction);
        for (const part of tamper.compile(transaction).sql.split(';')) await sql.raw(part).execute(transaction);
        const seen = await running.portal.audit.verify(transaction);
        expect(seen.problem).toEqual(problem);
        throw new Error('back');
      })
      .catch((error: Error) => expect(error.message).toBe('back'));
    expect((await verdict()).problem).toBeNull();
  });

  test('is searched by who, what, about what and until which day of the operator', async () => {
    await signIn(http(), mail('care'));
    const admin = await signIn(http(), mail('admin'));
    await admin.call('verifyAudit');
    async function found(filter: ConsoleInput<'audit'>): Promise<ConsoleResult<'audit'>['rows']> {
      const { rows, next } = (await admin.call('audit', filter)).result;
      return next === null ? rows : [...rows, ...(await found({ ...filter, before: next }))];
    }
    const all = await found({});
    expect(await found({ person: mail('care') })).toEqual(all.filter(({ person }) => person === mail('care')));
    expect(await found({ act: 'audit.verified' })).toEqual(all.filter(({ act }) => act === 'audit.verified'));
    const [{ subject } = { subject: { id: '' } }] = all;
    expect(await found({ about: subject.id })).toEqual(all.filter((row) => row.subject.id === subject.id));
    const today = calendarDay(clock, 'Indian/Antananarivo');
    expect(await found({ day: today })).toEqual(all);
    expect(await found({ day: '2020-01-01' })).toEqual([]);
    expect((await admin.call('audit', { act: 'nothing.known' as never })).status).toBe(422);
    expect((await admin.call('audit', { day: '2026-02-30' })).status).toBe(422);
  });

  test('CNS-3 is one chain when many act at once', async () => {
    const browsers = await Promise.all(
      ['care', 'finance', 'editor', 'operator'].map((role) => signIn(http(), mail(role))),
    );
    await Promise.all(browsers.flatMap((browser) => [1, 2, 3].map(() => browser.call('verifyAudit'))));
    const { problem, rows } = await verdict();
    expect(problem).toBeNull();
    expect(rows).toBeGreaterThan(12);
  });
});

describe('one’s own views of a list', () => {
  test('are kept by name, twenty at most, seen and removed by nobody else, and hold filters alone', async () => {
    const care = await signIn(http(), mail('care'));
    const finance = await signIn(http(), mail('finance'));
    const save = (name: string, filters: Record<string, string>) =>
      care.call('saveView', { page: 'find', name, filters });
    const { id } = (await save('stuck', { state: 'REVIEW' })).result;
    expect((await save('stuck', { state: 'UNKNOWN' })).result.id).toBe(id);
    expect((await care.call('views', { page: 'find' })).result).toEqual([
      { id, name: 'stuck', filters: { state: 'UNKNOWN' } },
    ]);
    expect((await save('whom', { text: '0390000001' })).status).toBe(422);
    expect((await finance.call('views', { page: 'find' })).result).toEqual([]);
    expect((await finance.call('removeView', { id })).status).toBe(404);
    const many = await Promise.all(Array.from({ length: 21 }, (_, count) => save(`view ${count}`, { way: 'mpesa' })));
    expect(many.filter(({ status }) => status === 200)).toHaveLength(19);
    expect((await care.call('views', { page: 'find' })).result).toHaveLength(20);
    expect((await care.call('removeView', { id })).status).toBe(200);
    expect((await save('another', { way: 'mpesa' })).status).toBe(200);
  });
});

describe('the audit as a table', () => {
  test('has every row that the filters leave with its hashes, and says who took it', async () => {
    const admin = await signIn(http(), mail('admin'));
    const answer = await http().inject({
      ...{ method: 'POST', url: consoleCallPath('exportAudit') },
      payload: { act: 'session.started', reason: 'for the auditors' },
      headers: { cookie: admin.cookie, 'user-agent': userAgent, ...postedHere },
    });
    const lines = answer.body.split('\r\n').slice(1, -1);
    const rows = await running.database.db
      .selectFrom('audit')
      .selectAll()
      .where('act', '=', 'session.started')
      .execute();
    expect(lines).toHaveLength(rows.length);
    for (const { row_hash } of rows) expect(answer.body).toContain(row_hash);
    expect((await acts('audit.exported')).at(-1)).toMatchObject({
      ...{ person: mail('admin'), reason: 'for the auditors', after: { act: 'session.started' } },
    });
  });
});
