import { expect, test } from 'vitest';
import { isConnectionLoss, isRolledBack, isUnreplicated } from './connection-loss.ts';

test.each([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  '57P01',
  '57P03',
  '53300',
  '25006',
  '08006',
  '08007',
])('%s means that the database is unreachable or no longer the primary', (code) => {
  expect(isConnectionLoss(Object.assign(new Error('any words'), { code }))).toBe(true);
});

test.each(['23505', '40001', '57014', '22021', ''])('"%s" is an error from a reachable database', (code) => {
  expect(isConnectionLoss(Object.assign(new Error('any words'), { code }))).toBe(false);
});

test('a cut or silent connection is recognised by its message, since it has no code', () => {
  expect(isConnectionLoss(new Error('Query read timeout'))).toBe(true);
  expect(isConnectionLoss(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isConnectionLoss(undefined)).toBe(false);
});

test('only the warning about a commit without its standby counts as unreplicated', () => {
  expect(isUnreplicated('canceling wait for synchronous replication due to user request')).toBe(true);
  expect(isUnreplicated('there is no transaction in progress')).toBe(false);
});

test('the transaction that lost a deadlock may be retried', () => {
  for (const code of ['40001', '40P01']) expect(isRolledBack(Object.assign(new Error('x'), { code }))).toBe(true);
  for (const other of [Object.assign(new Error('x'), { code: '23505' }), new Error('40001'), null, 'x'])
    expect(isRolledBack(other)).toBe(false);
});
