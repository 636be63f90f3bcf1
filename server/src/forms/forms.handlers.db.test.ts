import { callPath } from '@portal/contract/calls.ts';
import { describe, expect, test } from 'vitest';
import { type DeskBrowser, signIn } from '../testing/console.ts';
import { portalTests, running } from '../testing/portal-tests.fixture.ts';

portalTests({}, { rateLimitScale: 1_000_000 });

const db = () => running.database.db;
const care = (): Promise<DeskBrowser> => signIn(running.portal.http, 'care@console.example');

async function written(data: object, more: object = {}): Promise<string> {
  const answer = await running.portal.http.inject({
    method: 'POST',
    url: callPath('saveForm'),
    payload: { formType: 'WEBPORTAL', data, ...more },
    headers: { lang: 'fr' },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().result.formId;
}

describe('what visitors wrote', () => {
  const message = 'No signal in Ampefy, call me on 039 00 007 07 or lova@example.mg';

  test('is listed by topic, opened with numbers and emails masked, and shown in full for a reason', async () => {
    const id = await written({ topic: 'network', message, phone: '261390000707' }, { email: 'lova@example.mg' });
    const browser = await care();
    const { entries } = (await browser.call('feedback', { list: 'open' })).result;
    expect(entries.find((entry) => entry.id === id)).toEqual({
      ...{ id, form: 'WEBPORTAL', topic: 'network', language: 'fr-FR', done: null },
      ...{ createdAt: expect.any(String), wantsAnswer: true },
      beginning: 'No signal in Ampefy, call me on # or #',
    });
    const { result } = await browser.call('feedbackEntry', { id });
    expect(result).toMatchObject({ topic: 'network', email: 'l•••@example.mg' });
    expect(result.fields).toEqual([
      { name: 'message', value: 'No signal in Ampefy, call me on # or #', isMasked: true },
      { name: 'phone', value: '#', isMasked: true },
    ]);
    const shown = (field: string) => browser.call('revealFeedback', { id, field, reason: 'to call them' });
    expect((await shown('message')).result.value).toBe(message);
    expect((await shown('email')).result.value).toBe('lova@example.mg');
    for (const field of ['topics', 'constructor', '__proto__']) expect((await shown(field)).status, field).toBe(404);
    const acts = await db().selectFrom('audit').selectAll().where('subject_id', '=', id).orderBy('number').execute();
    expect(acts.map(({ act, after }) => [act, after])).toEqual([
      ['feedback.revealed', { field: 'message' }],
      ['feedback.revealed', { field: 'email' }],
    ]);
    expect(JSON.stringify(acts)).not.toMatch(/Ampefy|lova@/);
  });

  test('is marked as done by one person once, moves to the other list, and can be reopened', async () => {
    const id = await written({ topic: 'idea', message: 'Please add a dark mode' });
    const [one, other] = [await care(), await care()];
    const marks = await Promise.all([one, other].map((browser) => browser.call('markFeedback', { id, isDone: true })));
    expect(marks.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(marks.find(({ status }) => status === 409)?.error?.code).toBe('changed');
    const listed = async (list: 'open' | 'done') =>
      (await one.call('feedback', { list })).result.entries.some((entry) => entry.id === id);
    expect([await listed('open'), await listed('done')]).toEqual([false, true]);
    expect((await one.call('feedbackEntry', { id })).result.done?.by).toBe('care@console.example');
    expect((await one.call('markFeedback', { id, isDone: false })).status).toBe(200);
    expect([await listed('open'), await listed('done')]).toEqual([true, false]);
    const acts = await db().selectFrom('audit').select('act').where('subject_id', '=', id).orderBy('number').execute();
    expect(acts.map(({ act }) => act)).toEqual(['feedback.done', 'feedback.reopened']);
    expect((await one.call('markFeedback', { id: 'no-such-one', isDone: true })).status).toBe(404);
  });

  test('is paginated, each entry once', async () => {
    await db().deleteFrom('form_entries').execute();
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1) ids.push(await written({ message: `number ${count} of sixty` }));
    const browser = await care();
    const first = (await browser.call('feedback', { list: 'open' })).result;
    const second = (await browser.call('feedback', { list: 'open', before: first.next ?? '' })).result;
    expect([first.entries.length, second.entries.length, second.next]).toEqual([50, 10, null]);
    expect(new Set([...first.entries, ...second.entries].map(({ id }) => id))).toEqual(new Set(ids));
    expect((await browser.call('feedback', { list: 'open', before: 'yesterday' })).status).toBe(422);
  });
});
