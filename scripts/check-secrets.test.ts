import { expect, test } from 'vitest';
import { secretProblems } from './check-secrets.ts';

const problemsOf = (line: string) => secretProblems(new Map([['ops/portal.env', `first\n${line}`]]));
const long = 'a1B2c3D4'.repeat(6);

// Put together here, so that this file itself holds none.
test.each([
  ['-----BEGIN RSA', 'PRIVATE KEY-----'].join(' '),
  `key: sk_${'live'}_${long}`,
  `AKIA${'ABCDEFGH12345678'}`,
  `token=ghp_${long}`,
  ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', long].join('.'),
  `DATABASE_URL=postgresql://${['portal', 'hunter22'].join(':')}@db.internal/portal`,
  `WALLET_CLIENT_SECRET=${long}`,
])('refuses %# and says where, without repeating it', (line) => {
  const [problem] = problemsOf(line);
  expect(problem).toMatch(/^ops\/portal\.env:2 holds /);
  expect(problem).not.toContain(long);
});

test.each([
  'DATABASE_URL=postgresql://portal@localhost/portal',
  'WALLET_CLIENT_SECRET_FILE=%d/wallet-client-secret',
  'PORTAL_SECRET=$(cat secret)',
  "clientSecret: 'sandbox-wallet-secret'",
  ['postgresql://$', '{user}:$', '{password}@db/portal'].join(''),
])('lets %s pass', (line) => {
  expect(problemsOf(line)).toEqual([]);
});
