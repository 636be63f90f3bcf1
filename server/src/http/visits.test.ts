import { expect, test } from 'vitest';
import { createVisits, isOfBrowser } from './visits.ts';

const secret = 'a secret of visits';
const open = createVisits({ secret, isSecure: true });
const trial = createVisits({ secret, isSecure: false });

test('SEC-9 over TLS a visit belongs to this host alone: no other host of the domain can give one', () => {
  const visit = open.start();
  expect(visit).toMatch(/^[\w-]{22}$/);
  expect(open.setCookie(visit)).toBe(`__Host-visit=${visit}; Path=/; SameSite=Lax; HttpOnly; Secure`);
  const known = open.ofBrowser({ cookie: `selectedLanguage=FR; ${open.cookie(visit)}` });
  expect(known).toMatch(/^[\w-]{22}$/);
  expect(known).not.toBe(visit);
  expect(open.ofBrowser({ cookie: `visit=${visit}` })).toBeNull();
  expect(open.ofBrowser({ cookie: '__Host-visit=short' })).toBeNull();
  expect(open.ofBrowser({})).toBeNull();
});

test('a trial without TLS has a name that browsers take there', () => {
  const visit = trial.start();
  expect(trial.setCookie(visit)).toBe(`visit=${visit}; Path=/; SameSite=Lax; HttpOnly`);
  expect(trial.ofBrowser({ cookie: trial.cookie(visit) })).toBe(open.ofBrowser({ cookie: open.cookie(visit) }));
});

test('SEC-27 clients that keep no cookies are told apart by their network, and from every browser', () => {
  const [one, other] = ['203.0.113.1', '203.0.113.2'].map((ip) => trial.of({ headers: {}, ip }));
  expect(one).not.toBe(other);
  expect(trial.of({ headers: {}, ip: '203.0.113.1' })).toBe(one);
  const cookie = trial.cookie(trial.start());
  const browser = trial.of({ headers: { cookie }, ip: '203.0.113.1' });
  expect(browser).toBe(trial.ofBrowser({ cookie }));
  expect([isOfBrowser(browser), isOfBrowser(one ?? null), isOfBrowser(null)]).toEqual([true, false, false]);
});
