import { expect, test } from 'vitest';
import { createVisits } from './visits.ts';

const secret = 'a secret of visits';
const open = createVisits({ secret, isSecure: true });
const trial = createVisits({ secret, isSecure: false });

test('SEC-9 over TLS a visit belongs to this host alone: no other host of the domain can give one', () => {
  const visit = open.start();
  expect(visit).toMatch(/^[\w-]{22}$/);
  expect(open.setCookie(visit)).toBe(`__Host-visit=${visit}; Path=/; SameSite=Lax; HttpOnly; Secure`);
  const known = open.of({ cookie: `selectedLanguage=FR; ${open.cookie(visit)}` });
  expect(known).toMatch(/^[\w-]{22}$/);
  expect(known).not.toBe(visit);
  expect(open.of({ cookie: `visit=${visit}` })).toBeNull();
  expect(open.of({ cookie: '__Host-visit=short' })).toBeNull();
  expect(open.of({})).toBeNull();
});

test('a trial without TLS has a name that browsers take there', () => {
  const visit = trial.start();
  expect(trial.setCookie(visit)).toBe(`visit=${visit}; Path=/; SameSite=Lax; HttpOnly`);
  expect(trial.of({ cookie: trial.cookie(visit) })).toBe(open.of({ cookie: open.cookie(visit) }));
});
