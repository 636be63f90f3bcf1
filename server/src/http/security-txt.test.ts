import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { registerSecurityTxt } from './security-txt.ts';

const site = {
  publicUrl: 'https://portal.example',
  contact: 'mailto:security@operator.example',
  locales: ['fr-FR', 'en-GB', 'en-US'],
  now: () => new Date('2026-03-02T10:11:12Z'),
};

async function ask(contact: string | null) {
  const app = Fastify();
  registerSecurityTxt(app, { ...site, contact });
  const answer = await app.inject('/.well-known/security.txt');
  await app.close();
  return answer;
}

test('SEC-29 security.txt names a contact, its address, the languages and an expiry within a year', async () => {
  const answer = await ask(site.contact);
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(answer.body).toBe(`Contact: mailto:security@operator.example
Expires: 2026-08-29T00:00:00.000Z
Preferred-Languages: fr, en
Canonical: https://portal.example/.well-known/security.txt
`);
});

test('SEC-29 without a contact of the operator, security.txt names the help centre', async () => {
  expect((await ask(null)).body).toContain('Contact: https://portal.example/gethelp\n');
});
