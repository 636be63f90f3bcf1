import { callPath } from '@portal/contract/calls.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PhoneClient } from '../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';

let sandbox: Sandbox;
let phone: PhoneClient;
let running: TestPortal;

beforeAll(async () => {
  sandbox = await startSandbox();
  phone = new PhoneClient(sandbox.http);
  running = await testPortal(sandbox, { rateLimitScale: 1_000 });
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
beforeEach(() => phone.post('/reset'));

const french = '/sw/translation';
const shown = async () => (await running.portal.content.editing.show(french)) as Record<string, string>;
const draft = async (change: object) =>
  running.portal.content.editing.draft(french, JSON.stringify({ ...(await shown()), ...change }), 'Rina');
const activate = async (version: number) => {
  await running.portal.content.editing.activate(french, version, 'Rina');
  await running.portal.content.rereadTexts();
};

const withoutCode = (text: string) => text.replace(/\d{6}/, '');

let asked = 0;

/** A new number each time: within a minute the same number gets no second SMS. */
async function codeMessage(lang: string): Promise<string> {
  asked += 1;
  const line = `3900007${String(asked).padStart(2, '0')}`;
  const payload = { data: { msisdn: `0${line}` } };
  const sent = await running.portal.http.inject({
    method: 'POST',
    url: callPath('sendCode'),
    payload,
    headers: { lang },
  });
  expect(sent.statusCode, sent.body).toBe(200);
  await expect.poll(async () => (await phone.messages(line)).length).toBe(1);
  const [words = ''] = (await phone.messages(line))[0]?.text.split('\n') ?? [];
  return words;
}

test('CMS-1 an edited translation changes the SMS as it changes the page, in its language alone, and back again', async () => {
  const before = await codeMessage('fr');
  const version = await draft({ 'notices.code': 'Code {brand} : {code}, valable {minutes} min.' });
  expect(withoutCode(await codeMessage('fr'))).toBe(withoutCode(before));
  await activate(version);
  expect(await codeMessage('fr')).toMatch(/^Code \S+ : \d{6}, valable \d+ min\.$/);
  expect(await codeMessage('en')).not.toMatch(/valable/);
  await running.portal.content.editing.rollBack(french, 'Rina');
  await running.portal.content.rereadTexts();
  expect(withoutCode(await codeMessage('fr'))).toBe(withoutCode(before));
});

test('CMS-1 a message that would lose its code or cost double is refused in a sentence', async () => {
  const refused = (text: string) => expect(draft({ 'notices.code': text })).rejects;
  await refused('Votre code').toThrow('notices.code has to hold {brand}, {code}, {minutes} and no other placeholder.');
  await refused('{brand} {code} {minutes} {amount}').toThrow('no other placeholder');
  await refused('{brand} {code} {minutes} forêt «').toThrow(
    'notices.code is sent by SMS, whose alphabet has no “ê”, “«”.',
  );
  await refused(' ').toThrow('notices.code says nothing.');
  expect(await draft({ 'status.title': 'forêt « d’été »' })).toBeGreaterThan(1);
});

test('one that was stored by another hand and cannot be sent stays as the pack has it; the rest is followed', async () => {
  const before = withoutCode(await codeMessage('fr'));
  const version = await draft({ 'notices.codeSubject': 'Votre code secret' });
  const body = { ...(await shown()), 'notices.code': 'Rien', 'notices.codeSubject': 'Votre code secret' };
  await running.database.db
    .updateTable('content_packages')
    .set({ body: JSON.stringify(body) })
    .where('page', '=', french)
    .where('version', '=', version)
    .execute();
  await activate(version);
  expect(withoutCode(await codeMessage('fr'))).toBe(before);
  const { locale } = running.portal.content.languageOf({ lang: 'fr' });
  expect(running.portal.content.text(locale, 'notices.codeSubject')).toBe('Votre code secret');
});
