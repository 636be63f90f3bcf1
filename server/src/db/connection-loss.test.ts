import { expect, test } from 'vitest';
import { isConnectionLoss, isUnreplicated } from './connection-loss.ts';

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
])('%s says that the database is gone, or no longer the one to write to', (code) => {
  expect(isConnectionLoss(Object.assign(new Error('any words'), { code }))).toBe(true);
});

test.each(['23505', '40001', '57014', '22021', ''])('"%s" is an answer of a database that is there', (code) => {
  expect(isConnectionLoss(Object.assign(new Error('any words'), { code }))).toBe(false);
});

test('a connection that was cut or says nothing is told by its words alone', () => {
  expect(isConnectionLoss(new Error('Query read timeout'))).toBe(true);
  expect(isConnectionLoss(new Error('Connection terminated unexpectedly'))).toBe(true);
  expect(isConnectionLoss(undefined)).toBe(false);
});

test('only the warning about a commit without its standby makes one void', () => {
  expect(isUnreplicated('canceling wait for synchronous replication due to user request')).toBe(true);
  expect(isUnreplicated('there is no transaction in progress')).toBe(false);
});
