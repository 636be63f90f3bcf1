import { pack } from '@portal/operators/mg/pack.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackWorld, attackWorld, leadOf } from './attack-world.fixture.ts';

let world: AttackWorld;
beforeAll(async () => {
  world = await attackWorld({ rateLimitScale: 1_000 });
});
afterAll(() => world.stop());

test('SEC-23 a form with a pattern that other engines hang on answers whoever fills it in', async () => {
  const { content } = world.running.portal;
  const prefix = pack.languages.find(({ code }) => code === 'EN')?.prefix ?? '';
  const page = `${prefix}/lead-form-schema`;
  const schema = structuredClone(await content.activePackage(page)) as { fields: { name: string; pattern?: string }[] };
  for (const field of schema.fields) if (field.name === 'fullName') field.pattern = '^(([A-Za-z]+) ?)+$';
  await content.editing.activate(page, await content.editing.draft(page, JSON.stringify(schema), 'Mallory'), 'Mallory');
  const sent = leadOf('390000101', 'none', { fullName: `${'a'.repeat(100)}!` });
  const answer = await world.call('submitLead', sent);
  expect(answer, answer.text).toMatchObject({ http: 422, code: 'MALFORMED' });
  expect(answer.text).toContain('fullName');
});

test('SEC-23 an address of as many parts as fit is answered like any other', async () => {
  for (const part of ['1,', 'ab ', '501,101 ', 'Menabe, ', 'ayy', '(']) {
    const address = part.repeat(Math.floor(300 / part.length));
    expect((await world.call('geocode', { address })).http, part).toBe(200);
    expect((await world.call('suggestPlaces', { q: address.slice(0, 100) })).http, part).toBe(200);
  }
});
