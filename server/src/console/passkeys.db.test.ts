import { passkeyPaths } from '@portal/contract/console/calls.ts';
import type { Role } from '@portal/contract/console/permissions.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { Authenticator, type Flaws } from '../testing/authenticator.ts';
import { type DeskBrowser, deskBrowser, postedHere, userAgent } from '../testing/console.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';
import { runConsoleCommand } from './console.commands.ts';

const origin = 'https://console.example';
let sandbox: Sandbox;
let running: TestPortal;
let clock: Date;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  clock = new Date();
  running = await testPortal(sandbox, { rateLimitScale: 1_000, console: { origin, signIn: 'passkeys' } }, () => clock);
  return () => running.stop();
});

const http = () => running.portal.http;
const minutes = (count: number) => {
  clock = new Date(clock.getTime() + count * 60_000);
};

async function ask(method: 'GET' | 'POST', url: string, payload?: object, cookie = '') {
  const answer = await http().inject({
    method,
    url,
    headers: { host: 'console.example', 'user-agent': userAgent, cookie, ...postedHere },
    ...(payload ? { payload } : {}),
  });
  const [session = ''] = String(answer.headers['set-cookie'] ?? '').split(';');
  return { status: answer.statusCode, body: answer.json(), cookie: session };
}

const browserOf = (email: string, cookie: string): DeskBrowser => {
  const browser = deskBrowser(http(), email, cookie);
  return { ...browser, call: (name, input) => browser.call(name, input, { host: 'console.example' }) };
};

const tokenIn = (link: string | null) => new URL(link ?? '').hash.slice(1);

async function join(link: string | null, device = new Authenticator(origin), flaws: Flaws = {}, name = 'my phone') {
  const invitation = tokenIn(link);
  const asked = await ask('POST', passkeyPaths.join, { invitation });
  if (asked.status !== 200) return { ...asked, device };
  const response = device.create(asked.body.options, flaws);
  return {
    ...(await ask('POST', passkeyPaths.joined, { invitation, sealed: asked.body.sealed, response, name })),
    device,
  };
}

async function enter(device: Authenticator, flaws: Flaws = {}, cookie = '') {
  const asked = await ask('GET', passkeyPaths.signIn, undefined, cookie);
  const response = device.get(asked.body.options, flaws);
  const sent = { sealed: asked.body.sealed, response };
  return { ...(await ask('POST', passkeyPaths.signIn, sent, cookie)), sent };
}

async function firstAdminLink(email = 'boss@fanilo.example') {
  const lines: string[] = [];
  const status = await runConsoleCommand(
    ['first-admin', email, 'The', 'Boss'],
    running.portal.passkeys,
    (line) => void lines.push(line),
  );
  return { status, link: lines.at(-1) ?? '', lines };
}

async function firstAdmin() {
  const joined = await join((await firstAdminLink()).link);
  expect(joined.status).toBe(200);
  return { device: joined.device, admin: browserOf('boss@fanilo.example', joined.cookie) };
}

async function invited(admin: DeskBrowser, roles: Role[], email = 'care@fanilo.example') {
  const { result } = await admin.call('invite', { email, name: 'Care', roles, reason: 'a new colleague' });
  const joined = await join(result.link);
  return { device: joined.device, browser: browserOf(email, joined.cookie), status: joined.status };
}

const personOf = async (admin: DeskBrowser, email: string) =>
  (await admin.call('people')).result.find((one) => one.email === email)?.id ?? '';
const acts = async () =>
  (await running.database.db.selectFrom('audit').select('act').orderBy('number').execute()).map(({ act }) => act);

test('CNS-1 (the first admin; the ceremony in the browser) a link of a command lets one person in once, within the hour, and only while there is no admin', async () => {
  const replaced = await firstAdminLink('other@fanilo.example');
  const late = await firstAdminLink();
  expect([late.status, late.link]).toEqual([
    0,
    expect.stringMatching(/^https:\/\/console\.example\/console\/join#[\w-]{43}$/),
  ]);
  expect((await join(replaced.link)).body.error.code).toBe('invitationOver');
  minutes(61);
  expect((await join(late.link)).body.error.code).toBe('invitationOver');

  const { link } = await firstAdminLink();
  const joined = await join(link);
  expect(joined.status).toBe(200);
  const admin = browserOf('boss@fanilo.example', joined.cookie);
  expect((await admin.call('me')).result).toMatchObject({ email: 'boss@fanilo.example', roles: ['admin'] });
  expect((await join(link)).body.error.code).toBe('invitationOver');
  const again = await firstAdminLink();
  expect([again.status, again.lines]).toEqual([1, [expect.stringContaining('There is an admin already')]]);
  expect(await acts()).toEqual([
    'invitation.made',
    'invitation.made',
    'invitation.made',
    'person.joined',
    'session.started',
  ]);
});

test('two who follow links of first admins at once are one admin', async () => {
  const { link } = await firstAdminLink();
  const answers = await Promise.all([join(link), join(link)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
});

test('CNS-1 (signing in) by a passkey, once an answer; not by another site, an unverified person, an older copy or a removed one', async () => {
  const { device, admin } = await firstAdmin();
  await admin.call('signOut');
  const entered = await enter(device);
  expect(entered.status).toBe(200);
  expect((await browserOf('boss', entered.cookie).call('me')).status).toBe(200);
  // The same response replayed.
  expect(await ask('POST', passkeyPaths.signIn, entered.sent)).toMatchObject({ status: 401, cookie: '' });
  for (const flaws of [{ origin: 'https://consoIe.example' }, { isUnverified: true }, { counter: 1 }])
    expect((await enter(device, flaws)).body.error.code, JSON.stringify(flaws)).toBe('passkeyRefused');
  expect((await enter(new Authenticator(origin))).status).toBe(401);
  // A response that arrives after its challenge expired.
  const { body } = await ask('GET', passkeyPaths.signIn);
  minutes(11);
  const response = device.get(body.options);
  expect((await ask('POST', passkeyPaths.signIn, { sealed: body.sealed, response })).status).toBe(401);
});

test('CNS-1 (step-up) before roles change the same person answers once more, and another one is no proof', async () => {
  const { device, admin } = await firstAdmin();
  const care = await invited(admin, ['care']);
  const person = await personOf(admin, 'care@fanilo.example');
  const change = { person, roles: ['care', 'finance'] as Role[], reason: 'helps out' };
  minutes(6);
  expect((await admin.call('setRoles', change)).error?.code).toBe('proveAgain');
  const proved = await enter(device, {}, admin.cookie);
  expect([proved.status, proved.cookie]).toEqual([200, '']);
  expect((await admin.call('setRoles', change)).status).toBe(200);
  // Applies at once, in the open session.
  expect((await care.browser.call('me')).result.roles).toEqual(['care', 'finance']);
  expect((await care.browser.call('review')).status).toBe(200);
  const [written] = await running.database.db
    .selectFrom('audit')
    .selectAll()
    .where('act', '=', 'person.roles')
    .execute();
  expect(written).toMatchObject({
    person: 'boss@fanilo.example',
    subject_id: person,
    before: { roles: ['care'] },
    after: { roles: ['care', 'finance'] },
    reason: 'helps out',
  });
  minutes(6);
  const other = await enter(care.device, {}, admin.cookie);
  expect([other.status, other.body.error.code, other.cookie]).toEqual([409, 'proofOfOther', '']);
  expect((await admin.call('me')).result.email).toBe('boss@fanilo.example');
  expect((await admin.call('setRoles', { ...change, roles: ['care'] })).error?.code).toBe('proveAgain');
});

test('CNS-1 (invitations) one lets in once, with the roles it says; it can be taken back, ends after a day, and names nobody twice', async () => {
  const { device, admin } = await firstAdmin();
  const invite = { email: 'ops@fanilo.example', name: 'Ops', roles: ['operator'] as Role[], reason: 'nights' };
  const first = (await admin.call('invite', invite)).result;
  expect((await admin.call('invitations')).result).toMatchObject([{ email: invite.email, roles: ['operator'] }]);
  const [listed] = (await admin.call('invitations')).result;
  expect((await admin.call('withdrawInvitation', { id: listed?.id ?? '' })).status).toBe(200);
  expect((await join(first.link)).status).toBe(410);
  const second = (await admin.call('invite', invite)).result;
  minutes(24 * 60);
  expect((await join(second.link)).status).toBe(410);

  const fresh = browserOf('boss', (await enter(device)).cookie);
  const third = (await fresh.call('invite', invite)).result;
  const joined = await join(third.link);
  expect((await browserOf(invite.email, joined.cookie).call('me')).result.roles).toEqual(['operator']);
  expect((await join(third.link)).status).toBe(410);
  expect((await fresh.call('invite', invite)).status).toBe(409);
  // The stored digest is no valid token.
  const stored = await running.database.db.selectFrom('console_invitations').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain(tokenIn(third.link));
});

test('CNS-1 (several passkeys) somebody has several, and removes any but the last; one that is gone signs nobody in', async () => {
  const { device, admin } = await firstAdmin();
  const second = new Authenticator(origin);
  const { options, sealed } = (await admin.call('passkeyOptions')).result;
  const made = { sealed, response: second.create(options), name: 'key in the safe' };
  expect((await admin.call('addPasskey', made)).status).toBe(200);
  expect((await admin.call('addPasskey', made)).status).toBe(422);
  expect((await admin.call('passkeys')).result.map(({ name }) => name)).toEqual(['my phone', 'key in the safe']);
  expect((await enter(second)).status).toBe(200);
  expect((await admin.call('removePasskey', { id: device.id })).status).toBe(200);
  expect((await enter(device)).status).toBe(401);
  expect((await admin.call('removePasskey', { id: second.id })).status).toBe(409);
  expect((await enter(second)).status).toBe(200);
});

test('CNS-1 (a lost phone) an admin removes somebody’s passkey, their sessions end, and a new link gives them another', async () => {
  const { admin } = await firstAdmin();
  const care = await invited(admin, ['care']);
  const person = await personOf(admin, 'care@fanilo.example');
  const lost = { person, id: care.device.id, reason: 'the phone was stolen' };
  expect((await admin.call('removePasskeyOf', lost)).status).toBe(200);
  expect((await care.browser.call('me')).error?.code).toBe('sessionEnded');
  expect((await enter(care.device)).status).toBe(401);
  const again = {
    email: 'care@fanilo.example',
    name: 'Care',
    roles: ['care'] as Role[],
    person,
    reason: 'a new phone',
  };
  const joined = await join((await admin.call('invite', again)).result.link);
  expect(joined.status).toBe(200);
  expect(await personOf(admin, 'care@fanilo.example')).toBe(person);
  expect((await enter(joined.device)).status).toBe(200);
});

test('CNS-1 (the last admin) nobody takes the last admin away, not even two admins at once', async () => {
  const { admin } = await firstAdmin();
  const own = await personOf(admin, 'boss@fanilo.example');
  const demoted = { roles: ['care'] as Role[], reason: 'by mistake' };
  expect((await admin.call('setRoles', { person: own, ...demoted })).status).toBe(409);
  const second = await invited(admin, ['admin'], 'second@fanilo.example');
  const other = await personOf(admin, 'second@fanilo.example');
  // Each proposes it about the other, and both approve concurrently.
  const [ofOther, ofOwn] = [
    (await admin.call('setRoles', { person: other, ...demoted })).result.proposal ?? '',
    (await second.browser.call('setRoles', { person: own, ...demoted })).result.proposal ?? '',
  ];
  const answers = await Promise.all([approve(admin, ofOwn), approve(second.browser, ofOther)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});

async function approve(by: DeskBrowser, id: string) {
  const { digest } = (await by.call('approval', { id })).result;
  return by.call('approve', { id, digest });
}

test('roles take two admins once there are two: proposed by one, approved by the other; the link is made once, by who proposed it', async () => {
  const { admin } = await firstAdmin();
  // With one admin there is nobody to approve.
  const second = await invited(admin, ['admin'], 'second@fanilo.example');
  const asked = { email: 'new@fanilo.example', name: 'New', roles: ['finance'] as Role[], reason: 'a new colleague' };
  const { result } = await admin.call('invite', asked);
  expect([result.link, (await admin.call('invitations')).result]).toEqual([null, []]);
  const proposal = result.proposal ?? '';
  const { digest, evidence } = (await second.browser.call('approval', { id: proposal })).result;
  expect(evidence.map(({ detail }) => detail)).toEqual(['New · new@fanilo.example', 'finance']);
  expect((await admin.call('approve', { id: proposal, digest })).error?.code).toBe('ownProposal');
  expect((await admin.call('invitationLink', { proposal })).status).toBe(409);
  expect((await admin.call('invite', asked)).error?.code).toBe('alreadyProposed');
  expect((await approve(second.browser, proposal)).status).toBe(200);
  expect((await second.browser.call('invitationLink', { proposal })).status).toBe(409);
  expect((await admin.call('approvedInvitations')).result).toMatchObject([{ proposal, email: asked.email }]);
  const both = await Promise.all([1, 2].map(() => admin.call('invitationLink', { proposal })));
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const joined = await join(both.find(({ status }) => status === 200)?.result.link ?? null);
  expect(joined.status).toBe(200);
  expect((await admin.call('approvedInvitations')).result).toEqual([]);

  const person = await personOf(admin, asked.email);
  const roles = async () => (await admin.call('people')).result.find(({ id }) => id === person)?.roles;
  const change = { person, roles: ['finance', 'admin'] as Role[], reason: 'helps out' };
  const [one, other] = [await admin.call('setRoles', change), await second.browser.call('setRoles', change)];
  expect([await roles(), other.error?.code]).toEqual([['finance'], 'alreadyProposed']);
  expect((await approve(second.browser, one.result.proposal ?? '')).status).toBe(200);
  expect(await roles()).toEqual(['finance', 'admin']);
  expect((await acts()).slice(-2)).toEqual(['roles.approved', 'person.roles']);
});

test('nobody gets to decide alone by keeping the other admin out, or by a link in their name', async () => {
  const { device, admin } = await firstAdmin();
  await invited(admin, ['admin'], 'second@fanilo.example');
  const person = await personOf(admin, 'second@fanilo.example');
  const again = {
    email: 'second@fanilo.example',
    name: 'Second',
    roles: ['admin'] as Role[],
    person,
    reason: 'a new phone',
  };
  expect((await admin.call('invite', again)).result.link).toBeNull();
  expect((await admin.call('closePerson', { person, isClosed: true, reason: 'they left' })).status).toBe(200);
  const asked = { email: 'new@fanilo.example', name: 'New', roles: ['finance'] as Role[], reason: 'a new colleague' };
  expect((await admin.call('invite', asked)).result.link).toBeNull();
  minutes(7 * 24 * 60 + 1);
  const later = browserOf('boss', (await enter(device)).cookie);
  expect((await later.call('invite', asked)).result.link).toMatch(/#/);
});

test('who has nobody else to ask lets in again the only other admin, and nobody else while that one is kept out', async () => {
  const { admin } = await firstAdmin();
  await invited(admin, ['care']);
  await invited(admin, ['admin'], 'second@fanilo.example');
  const [care, second] = [await personOf(admin, 'care@fanilo.example'), await personOf(admin, 'second@fanilo.example')];
  const set = async (person: string, isClosed: boolean) =>
    (await admin.call('closePerson', { person, isClosed, reason: 'to be safe' })).result.proposal;
  expect([await set(care, true), await set(second, true)]).toEqual([null, null]);
  expect(await set(care, false)).toMatch(/^[\w-]{36}$/);
  expect(await set(second, false)).toBeNull();
  const { result } = await admin.call('people');
  expect(result.filter(({ isClosed }) => isClosed).map(({ email }) => email)).toEqual(['care@fanilo.example']);
});

test('a proposal of roles that somebody changed meanwhile is not carried out', async () => {
  const { admin } = await firstAdmin();
  await invited(admin, ['care']);
  const second = await invited(admin, ['admin'], 'second@fanilo.example');
  const person = await personOf(admin, 'care@fanilo.example');
  const { proposal } = (await admin.call('setRoles', { person, roles: ['editor'], reason: 'moves on' })).result;
  await running.database.db
    .updateTable('console_people')
    .set({ roles: ['finance'] })
    .where('id', '=', person)
    .execute();
  expect((await approve(second.browser, proposal ?? '')).error?.code).toBe('changedMeanwhile');
  expect((await second.browser.call('approval', { id: proposal ?? '' })).result.state).toBe('open');
});

test('what an attacker tries with a passkey: another’s credential, another’s challenge, a note that was changed', async () => {
  const { device, admin } = await firstAdmin();
  const care = await invited(admin, ['care']);
  const asked = await ask('GET', passkeyPaths.signIn);
  const sent = async (response: object, sealed = asked.body.sealed) =>
    (await ask('POST', passkeyPaths.signIn, { sealed, response })).status;
  // Signed with the person's own key, but claiming to be the admin's.
  const own = care.device.get(asked.body.options);
  expect(await sent({ ...own, id: device.id, rawId: device.id })).toBe(401);
  expect(await sent({ ...own, id: device.id })).toBe(401);
  // A response to the challenge of another attempt.
  const other = await ask('GET', passkeyPaths.signIn);
  expect(await sent(care.device.get(other.body.options))).toBe(401);
  // The signature of another response, and a tampered sealed token.
  const stale = care.device.get(asked.body.options).response;
  const mixed = care.device.get(asked.body.options);
  expect(
    await sent({ ...mixed, response: { ...mixed.response, signature: (stale as { signature: string }).signature } }),
  ).toBe(401);
  const sealed = asked.body.sealed as string;
  expect(
    await sent(care.device.get(asked.body.options), `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`),
  ).toBe(401);
  // A challenge for adding a passkey is not accepted for signing in.
  const adding = (await admin.call('passkeyOptions')).result;
  expect(await sent(care.device.get(adding.options), adding.sealed)).toBe(401);
  // None of these invalidated the genuine attempt.
  expect(await sent(care.device.get(asked.body.options))).toBe(200);
});

test('an answer is taken once: of two at the same moment one signs in', async () => {
  const { device } = await firstAdmin();
  const { body } = await ask('GET', passkeyPaths.signIn);
  const sent = { sealed: body.sealed, response: device.get(body.options) };
  const answers = await Promise.all([1, 2].map(() => ask('POST', passkeyPaths.signIn, sent)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
});

test('an invitation that has ended lets nobody in, before or after it was begun with, and not twice', async () => {
  const { admin } = await firstAdmin();
  const asked = { email: 'ops@fanilo.example', name: 'Ops', roles: ['operator'] as Role[], reason: 'nights' };
  const { link } = (await admin.call('invite', asked)).result;
  const invitation = tokenIn(link);
  minutes(24 * 60 - 1);
  const begun = await ask('POST', passkeyPaths.join, { invitation });
  const phone = new Authenticator(origin);
  const response = phone.create(begun.body.options);
  minutes(1);
  const late = { invitation, sealed: begun.body.sealed, response, name: 'late' };
  expect((await ask('POST', passkeyPaths.joined, late)).status).toBe(410);
  expect((await ask('POST', passkeyPaths.joined, late)).status).toBe(410);
  expect((await join(link)).status).toBe(410);
  expect((await enter(phone)).status).toBe(401);
});

test('who is kept out cannot sign in by their passkey', async () => {
  const { admin } = await firstAdmin();
  const care = await invited(admin, ['care']);
  const person = await personOf(admin, 'care@fanilo.example');
  await admin.call('closePerson', { person, isClosed: true, reason: 'left' });
  expect((await enter(care.device)).status).toBe(401);
  expect((await acts()).at(-1)).toBe('session.refused');
});

test('the console answers at its own origin alone, and nothing of the customers’ answers there', async () => {
  const at = async (host: string, url: string) =>
    (await http().inject({ url, headers: { host, accept: 'application/json' } })).statusCode;
  const call = '/orp/bfe/api/portal-service/resource/v1/get-product-config';
  expect(await at('localhost:3000', call)).toBe(200);
  expect(await at('localhost:3000', passkeyPaths.signIn)).toBe(404);
  expect(await at('localhost:3000', '/console/api/me')).toBe(404);
  expect(await at('console.example', passkeyPaths.signIn)).toBe(200);
  expect(await at('console.example', '/console/api/me')).toBe(401);
  expect(await at('console.example', call)).toBe(404);
  expect(await at('console.example', '/')).toBe(302);
  for (const host of ['localhost:3000', 'console.example']) expect(await at(host, '/healthz')).toBe(200);
});

test('switched off there is no console', async () => {
  const without = await testPortal(sandbox, { console: null });
  expect((await without.portal.http.inject({ url: '/console/api/me' })).statusCode).toBe(404);
  expect((await without.portal.http.inject({ url: passkeyPaths.signIn })).statusCode).toBe(404);
  await without.stop();
});
