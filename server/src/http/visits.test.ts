import { expect, test } from 'vitest';
import { createVisits, isOfBrowser } from './visits.ts';

const secret = 'a secret of visits';
const open = createVisits({ secret, isSecure: true });
const trial = createVisits({ secret, isSecure: false });

test('SEC-9 over TLS the visit cookie belongs to this host alone: no other host of the domain can set it', () => {
  const visit = open.start('203.0.113.1');
  expect(visit).toMatch(/^[\w-]{55}$/);
  expect(open.setCookie(visit)).toBe(`__Host-visit=${visit}; Path=/; SameSite=Lax; HttpOnly; Secure`);
  const known = open.ofBrowser({ cookie: `selectedLanguage=FR; ${open.cookie(visit)}` });
  expect(known).toMatch(/^[\w-]{22}$/);
  expect(known).not.toBe(visit);
  expect(open.ofBrowser({ cookie: `visit=${visit}` })).toBeNull();
  expect(open.ofBrowser({ cookie: '__Host-visit=short' })).toBeNull();
  expect(open.ofBrowser({})).toBeNull();
});

test('without TLS the cookie has a name that browsers accept there', () => {
  const visit = trial.start('203.0.113.1');
  expect(trial.setCookie(visit)).toBe(`visit=${visit}; Path=/; SameSite=Lax; HttpOnly`);
  expect(trial.ofBrowser({ cookie: trial.cookie(visit) })).toBe(open.ofBrowser({ cookie: open.cookie(visit) }));
});

test('SEC-27 clients without cookies are told apart by their network, and from every browser', () => {
  const [one, other] = ['203.0.113.1', '203.0.113.2'].map((ip) => trial.of({ headers: {}, ip }));
  expect(one).not.toBe(other);
  expect(trial.of({ headers: {}, ip: '203.0.113.1' })).toBe(one);
  const cookie = trial.cookie(trial.start('203.0.113.1'));
  const browser = trial.of({ headers: { cookie }, ip: '203.0.113.1' });
  expect(browser).toBe(trial.ofBrowser({ cookie }));
  expect([isOfBrowser(browser), isOfBrowser(one ?? null), isOfBrowser(null)]).toEqual([true, false, false]);
});

test('SEC-27 a visit that is made up, altered or issued with another secret is ignored', () => {
  const visit = trial.start('203.0.113.1');
  const inCookie = (value: string, of = trial) => of.inCookie(trial.cookie(value));
  expect(inCookie(visit)).toBe(visit);
  const another = createVisits({ secret: 'another secret of visits', isSecure: false });
  const unsigned = 'u'.repeat(22);
  const other = trial.start('203.0.113.1');
  const madeUp = [
    unsigned,
    'u'.repeat(55),
    visit.slice(0, 33),
    unsigned + visit.slice(22),
    other.slice(0, 33) + visit.slice(33),
  ];
  for (const value of madeUp) expect(inCookie(value), value).toBeNull();
  for (let at = 0; at < visit.length; at += 1) {
    const altered = `${visit.slice(0, at)}${visit[at] === 'A' ? 'B' : 'A'}${visit.slice(at + 1)}`;
    expect(inCookie(altered), `letter ${at}`).toBeNull();
  }
  expect(inCookie(visit, another)).toBeNull();
  expect(trial.of({ headers: { cookie: trial.cookie(unsigned) }, ip: '203.0.113.1' })).toBe(
    trial.of({ headers: {}, ip: '203.0.113.1' }),
  );
});

test('SEC-17 a visit names the network it was issued to, wherever it is used from; without a visit the current network counts', () => {
  const cookie = trial.cookie(trial.start('203.0.113.1'));
  const got = trial.gotBy({ headers: { cookie }, ip: '198.51.100.7' });
  expect(got).toBe(trial.gotBy({ headers: {}, ip: '203.0.113.1' }));
  expect(got).not.toBe(trial.gotBy({ headers: {}, ip: '198.51.100.7' }));
  expect(cookie).not.toContain('203.0');
});
