import { callPath } from '@portal/contract/calls.ts';
import type { ConsoleInput } from '@portal/contract/console/contract.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type Answered, approveAs, type DeskBrowser, signIn } from '../testing/console.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';

let sandbox: Sandbox;
let running: TestPortal;
let clock: Date;
let operator: DeskBrowser;

beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 3_600_000 });
  clock = new Date();
  running = await testPortal(sandbox, { rateLimitScale: 1_000 }, () => clock);
  sandbox.setCallbackBase(await running.portal.http.listen({ port: 0, host: '127.0.0.1' }));
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
beforeEach(async () => {
  clock = new Date();
  operator = await signIn(running.portal.http, 'operator@console.example');
});

const languages = { English: 'EN', French: 'FR', Malagasy: 'MG' } as const;
const minutes = (count: number) => new Date(clock.getTime() + count * 60_000);

async function ask(
  name: 'paymentOptions' | 'initiate' | 'process' | 'sendCode' | 'announcements' | 'transactionStatus',
  payload: object | null,
  { lang = 'EN', query = {} }: { lang?: string; query?: Record<string, string> } = {},
) {
  const answer = await running.portal.http.inject({
    method: payload ? 'POST' : 'GET',
    url: callPath(name),
    query,
    headers: { lang },
    ...(payload ? { payload } : {}),
  });
  return answer.json();
}

const order = (number: string) => ({
  amount: 1_000,
  mobileNumber: number,
  paymentMobile: number,
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'FANILO_MONEY',
  confirmRepeat: true,
});
const offered = async (lang = 'EN') => {
  const { result } = await ask('paymentOptions', { amount: 1_000, transactionType: 'PREPAID_RECHARGE' }, { lang });
  return {
    modes: (result.paymentOption as { paymentMode: string }[]).map(({ paymentMode }) => paymentMode),
    closed: result.closed as { name: string; text: string }[],
  };
};
const told = async (lang = 'EN') => (await ask('announcements', null, { lang })).result.announcements;

const wallet = async () => {
  const way = (await operator.call('ways')).result.ways.find(({ gateway }) => gateway === 'wallet');
  if (!way) throw new Error('there is no wallet');
  return way;
};
async function switchWallet(isOff: boolean, changes: Partial<ConsoleInput<'switchWay'>> = {}) {
  const { version, texts } = await wallet();
  return byTwo(
    await operator.call('switchWay', { gateway: 'wallet', isOff, texts, version, reason: 'many fail', ...changes }),
  );
}
/** If it needs approval, the other operator approves it at once. */
async function byTwo(asked: Answered<'switchWay' | 'announce'>) {
  const { proposal } = asked.result ?? {};
  if (proposal) expect((await approveAs(running.portal.http, 'operator2@console.example', proposal)).status).toBe(200);
  return asked;
}
async function announce(changes: Partial<ConsoleInput<'announce'>> & Pick<ConsoleInput<'announce'>, 'subject'>) {
  const { version } = (await operator.call('ways')).result[changes.subject];
  const usual = { isOn: true, texts: {}, startsAt: null, endsAt: null, version, reason: 'as planned' };
  return byTwo(await operator.call('announce', { ...usual, ...changes }));
}
const lastAct = () =>
  running.database.db.selectFrom('audit').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirstOrThrow();

describe('a way to pay', () => {
  test('CNS-8 (this process; several on PostgreSQL, the pages in the browser) that is switched off is not offered, and refused in plain words where it is asked for; on again it is as before', async () => {
    const before = await offered();
    expect(before.modes).toContain('FANILO_MONEY');
    const earlier = (await ask('initiate', order('0390000101'))).result.transactionId;

    expect((await switchWallet(true)).status).toBe(200);
    expect(await lastAct()).toMatchObject({
      act: 'way.switchedOff',
      person: 'operator2@console.example',
      subject_kind: 'way',
      subject_id: 'wallet',
      // The reason is recorded with the proposer.
      reason: null,
      after: { proposer: 'operator@console.example' },
    });
    const usual = 'Paying with Fanilo Money is not possible at the moment. Please choose another way to pay.';
    expect(await offered()).toEqual({
      modes: before.modes.filter((mode) => mode !== 'FANILO_MONEY'),
      closed: [{ name: 'Fanilo Money', text: usual }],
    });
    const refusal = { message: `${usual} Nothing was taken.`, error: { field: 'paymentMode' } };
    expect(await ask('initiate', order('0390000101'))).toMatchObject(refusal);
    // Ordered before it was switched off, and not started.
    expect(await ask('process', { transactionId: earlier })).toMatchObject(refusal);

    expect((await switchWallet(false)).status).toBe(200);
    expect((await lastAct()).act).toBe('way.switchedOn');
    expect(await offered()).toEqual(before);
    expect((await ask('process', { transactionId: earlier })).result.status).toBe('IN_PROCESS');
  });

  test('CNS-8 (the open payment) one that began before it was switched off is asked about, called back about and delivered', async () => {
    const id = (await ask('initiate', order('0390000102'))).result.transactionId;
    expect((await ask('process', { transactionId: id })).result.status).toBe('IN_PROCESS');
    await switchWallet(true);
    // A retry after a lost response gets the payment that has started.
    expect((await ask('process', { transactionId: id })).result.status).toBe('ALREADY_PROCESSED');
    const phone = new PhoneClient(sandbox.http);
    const [prompt] = await phone.prompts('390000102');
    await phone.post(`/prompts/${prompt?.id}`, { action: 'approve' });
    const state = async () => (await ask('transactionStatus', null, { query: { tid: id } })).result.status;
    await expect.poll(state).toBe('SUCCESS');
    await switchWallet(false);
  });

  test('credit that is switched off is told of by its name in each language', async () => {
    const { ways } = (await operator.call('ways')).result;
    const texts = ways.find(({ gateway }) => gateway === 'airtime')?.texts;
    expect(texts?.['en-GB']).toContain('Airtime');
    expect(texts?.['fr-FR']).toContain('Crédit');
    expect(texts?.['mg-MG']).toContain('Fahana');
    expect(`${texts?.['fr-FR']} ${texts?.['mg-MG']}`).not.toContain('Airtime');
  });

  test('says what the operator wrote, in each language; what was not written is the usual sentence', async () => {
    const { usualTexts } = await wallet();
    expect(Object.keys(usualTexts)).toEqual(['en-GB', 'fr-FR', 'mg-MG']);
    const texts = { 'en-GB': 'The wallet sleeps\nuntil noon.', 'fr-FR': 'Le porte-monnaie dort.', 'xx-XX': 'nobody' };
    await switchWallet(true, { texts });
    const texted = async (lang: string) => (await offered(lang)).closed[0]?.text;
    expect(await texted(languages.English)).toBe('The wallet sleeps until noon.');
    expect(await texted(languages.French)).toBe('Le porte-monnaie dort.');
    expect(await texted(languages.Malagasy)).toBe(usualTexts['mg-MG']);
    expect((await ask('initiate', order('0390000101'), { lang: 'FR' })).message).toBe(
      'Le porte-monnaie dort. Rien n’a été débité.',
    );
    await switchWallet(false);
  });

  test('no code is sent for one that is off', async () => {
    const { version } = (await operator.call('ways')).result.ways.find(({ gateway }) => gateway === 'airtime') ?? {};
    const change = { gateway: 'airtime', texts: {}, reason: 'no codes' };
    await byTwo(await operator.call('switchWay', { ...change, isOff: true, version: version ?? 0 }));
    const { paymentMode: _, paymentMobile: __, confirmRepeat: ___, ...payment } = order('0390000103');
    const data = { msisdn: '0390000103', paymentMode: 'AIRTIME', payment };
    expect((await ask('sendCode', { data })).message).toMatch(/^Paying with Airtime is not possible/);
    expect(await new PhoneClient(sandbox.http).messages('390000103')).toEqual([]);
    await operator.call('switchWay', { ...change, isOff: false, version: (version ?? 0) + 1 });
    expect((await ask('sendCode', { data })).result.refId).toBeTruthy();
  });

  test('takes two to switch off: who proposed it does not approve it, two who propose or approve at once do it once, and one suffices to switch it on', async () => {
    const { version, texts } = await wallet();
    const second = await signIn(running.portal.http, 'operator2@console.example');
    const change = { gateway: 'wallet', texts, version, isOff: true, reason: 'many fail' };
    const proposals = await Promise.all([operator.call('switchWay', change), second.call('switchWay', change)]);
    expect(proposals.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(proposals.find(({ status }) => status === 409)?.error).toEqual({ code: 'alreadyProposed' });
    expect(await wallet()).toMatchObject({ isOff: false, version });
    expect((await offered()).modes).toContain('FANILO_MONEY');

    const id = String((await wallet()).proposal);
    const [first, other] = proposals[0]?.status === 200 ? [operator, second] : [second, operator];
    const { digest, evidence } = (await other.call('approval', { id })).result;
    const told = evidence.filter(({ what }) => what === 'told').map(({ locale }) => locale);
    expect(told.sort()).toEqual(['en-GB', 'fr-FR', 'mg-MG']);
    expect((await first.call('approve', { id, digest })).error).toEqual({ code: 'ownProposal' });
    const finance = await signIn(running.portal.http, 'finance@console.example');
    expect((await finance.call('approve', { id, digest })).status).toBe(404);
    const both = await Promise.all([other.call('approve', { id, digest }), other.call('approve', { id, digest })]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await wallet()).toMatchObject({ isOff: true, version: version + 1, proposal: null });
    const names = first === operator ? ['operator', 'operator2'] : ['operator2', 'operator'];
    const [proposedBy, by] = names.map((name) => `${name}@console.example`);
    expect((await wallet()).changed).toMatchObject({ proposedBy, by });
    expect((await operator.call('switchWay', { ...change, isOff: false })).error).toEqual({ code: 'changedMeanwhile' });
    expect((await switchWallet(false)).result).toEqual({ proposal: null });
    expect((await wallet()).changed?.proposedBy).toBeNull();
  });

  test('what was proposed of a state that somebody has changed since is not carried out', async () => {
    const { version, texts } = await wallet();
    const change = { gateway: 'wallet', texts, version, reason: 'many fail' };
    const { proposal } = (await operator.call('switchWay', { ...change, isOff: true })).result;
    await operator.call('switchWay', { ...change, isOff: false, texts: {} });
    const late = await approveAs(running.portal.http, 'operator2@console.example', String(proposal));
    expect(late.error).toEqual({ code: 'changedMeanwhile' });
    expect((await wallet()).isOff).toBe(false);
    await operator.call('withdrawProposal', { id: String(proposal) });
  });

  test('a proposal that was overtaken waits for nobody: the page does not show it, and the next one takes its place', async () => {
    const { version, texts } = await wallet();
    const change = { gateway: 'wallet', texts, version, reason: 'many fail' };
    const first = String((await operator.call('switchWay', { ...change, isOff: true })).result.proposal);
    expect((await wallet()).proposal).toBe(first);
    await operator.call('switchWay', { ...change, isOff: false, texts: {} });
    expect((await wallet()).proposal).toBeNull();
    const again = await operator.call('switchWay', { ...change, isOff: true, version: version + 1 });
    const second = String(again.result.proposal);
    expect([again.status, (await wallet()).proposal]).toEqual([200, second]);
    expect((await operator.call('approval', { id: first })).result).toMatchObject({
      state: 'expired',
      overtaken: null,
    });
    expect((await operator.call('approvals', { list: 'open' })).result.proposals.map(({ id }) => id)).toEqual([second]);
    await operator.call('withdrawProposal', { id: second });
  });

  test('maintenance whose time has passed waits for nobody, and new maintenance is proposed', async () => {
    const propose = async (from: number, until: number) => {
      const { version } = (await operator.call('ways')).result.maintenance;
      const times = { startsAt: minutes(from).toISOString(), endsAt: minutes(until).toISOString() };
      const asked = { subject: 'maintenance', isOn: true, texts: {}, version, reason: 'as planned' } as const;
      return (await operator.call('announce', { ...asked, ...times })).result.proposal;
    };
    const shown = async () => (await operator.call('ways')).result.maintenance.proposal;
    const first = await propose(5, 10);
    expect(await shown()).toBe(first);
    clock = minutes(11);
    expect(await shown()).toBeNull();
    const second = await propose(5, 10);
    expect(await shown()).toBe(second);
    expect(second).not.toBe(first);
    await operator.call('withdrawProposal', { id: String(second) });
  });

  test('that nobody has cannot be switched', async () => {
    expect((await switchWallet(true, { gateway: 'barter' })).status).toBe(404);
  });
});

describe('what every customer is told', () => {
  const banner = { 'en-GB': 'Storm in the east.', 'fr-FR': 'Tempête à l’est.', 'mg-MG': 'Rivotra any atsinanana.' };

  test('a banner is told in the reader’s language, from when it begins until it ends or is taken back', async () => {
    expect(await told()).toEqual([]);
    const span = { startsAt: minutes(10).toISOString(), endsAt: minutes(20).toISOString() };
    expect((await announce({ subject: 'banner', texts: banner, ...span })).status).toBe(200);
    expect(await lastAct()).toMatchObject({ act: 'banner.set', subject_kind: 'announcement', reason: 'as planned' });
    expect(await told()).toEqual([]);
    clock = minutes(10);
    expect(await told()).toEqual([{ kind: 'banner', text: banner['en-GB'] }]);
    expect(await told(languages.French)).toEqual([{ kind: 'banner', text: banner['fr-FR'] }]);
    expect(await told(languages.Malagasy)).toEqual([{ kind: 'banner', text: banner['mg-MG'] }]);
    clock = minutes(10);
    expect(await told()).toEqual([]);

    operator = await signIn(running.portal.http, 'operator@console.example');
    await announce({ subject: 'banner', texts: banner });
    expect(await told()).toHaveLength(1);
    await announce({ subject: 'banner', isOn: false, texts: banner });
    expect(await told()).toEqual([]);
    expect((await lastAct()).act).toBe('banner.takenBack');
  });

  test('a banner without words in one of the languages is refused, and so are times that cannot be, each by its field and why', async () => {
    const { 'mg-MG': _, ...two } = banner;
    const refused = async (changes: Parameters<typeof announce>[0]) => (await announce(changes)).error;
    expect(await refused({ subject: 'banner', texts: two })).toEqual({ code: 'invalid', field: 'texts.mg-MG' });
    const [soon, later] = [minutes(5).toISOString(), minutes(9).toISOString()];
    for (const [startsAt, endsAt, code] of [
      [later, soon, 'endBeforeStart'],
      [null, minutes(-1).toISOString(), 'timePast'],
    ] as const)
      expect(await refused({ subject: 'banner', texts: banner, startsAt, endsAt })).toEqual({ code, field: 'endsAt' });
    expect(await refused({ subject: 'maintenance', endsAt: later })).toEqual({
      code: 'timeMissing',
      field: 'startsAt',
    });
    expect(await refused({ subject: 'maintenance', startsAt: soon })).toEqual({ code: 'timeMissing', field: 'endsAt' });
    const nextYear = minutes(366 * 24 * 60).toISOString();
    const slip = { subject: 'maintenance', startsAt: soon, endsAt: nextYear } as const;
    expect(await refused(slip)).toEqual({ code: 'lastsTooLong', field: 'endsAt', parameters: { days: 3 } });
    expect(await told()).toEqual([]);
  });

  test('CNS-8 (maintenance; the pages in the browser) is told of with its time, refuses what begins while it lasts, and lets go on what began', async () => {
    const times = { startsAt: '2027-03-02T09:00:00Z', endsAt: '2027-03-02T10:30:00Z' };
    await announce({ subject: 'maintenance', texts: { 'en-GB': 'We move to a larger house.' }, ...times });
    clock = new Date('2027-03-02T08:00:00Z');
    const id = (await ask('initiate', order('0390000104'))).result.transactionId;
    const open = (await ask('initiate', order('0390000105'))).result.transactionId;
    await ask('process', { transactionId: open });
    expect(await told()).toEqual([
      {
        kind: 'maintenance',
        text: 'Planned maintenance: from 2 Mar 2027, 12:00 to 2 Mar 2027, 13:30 no new payments are possible. We move to a larger house.',
      },
    ]);
    expect((await told(languages.Malagasy))[0].text).toContain('manomboka amin’ny 2 Martsa 2027, 12:00');
    expect((await offered()).modes).toContain('FANILO_MONEY');

    clock = new Date('2027-03-02T09:00:00Z');
    expect((await told())[0].text).toMatch(
      /^We are doing maintenance: new payments are possible again from 2 Mar 2027, 13:30\./,
    );
    const refusal = {
      message: 'We are doing maintenance: new payments are possible again from 2 Mar 2027, 13:30. Nothing was taken.',
      error: { retryAfterSeconds: 5_400 },
    };
    expect(await ask('initiate', order('0390000106'))).toMatchObject(refusal);
    expect(await ask('process', { transactionId: id })).toMatchObject(refusal);
    expect(await ask('paymentOptions', { amount: 1_000, transactionType: 'PREPAID_RECHARGE' })).toMatchObject(refusal);
    expect((await ask('process', { transactionId: open })).result.status).toBe('ALREADY_PROCESSED');

    clock = new Date('2027-03-02T10:30:00Z');
    expect(await told()).toEqual([]);
    expect((await offered()).modes).toContain('FANILO_MONEY');
    expect((await ask('initiate', order('0390000106'))).result.transactionId).toBeTruthy();
  });
});
