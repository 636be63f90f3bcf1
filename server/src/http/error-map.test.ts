import { describe, expect, test } from 'vitest';
import { toPortalError } from './error-map.ts';
import { PortalError } from './portal-error.ts';

const failing = (message: string, more: object = {}) => Object.assign(new Error(message), more);

describe('an error mapped to a refusal', () => {
  test.each([
    ['refused', { code: 'ECONNREFUSED' }],
    ['reset', { code: 'ECONNRESET' }],
    ['shut down by its administrator', { code: '57P01' }],
    ['crashed', { code: '57P02' }],
    ['starting', { code: '57P03' }],
    ['out of connections', { code: '53300' }],
    ['lost', { code: '08006' }],
  ])('a database that is %s gives "unavailable", not "internal"', (_what, more) => {
    expect(toPortalError(failing('x', more))).toMatchObject({ kind: 'unavailable', httpStatus: 503 });
  });

  test.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect'])(
    'and so is "%s"',
    (message) => {
      expect(toPortalError(failing(message))).toMatchObject({ kind: 'unavailable' });
    },
  );

  test('any other error gives one generic message without internals', () => {
    const answer = toPortalError(
      failing('duplicate key value violates "payments_pkey" (0390000001)', { code: '23505' }),
    );
    expect(answer.httpStatus).toBe(500);
    expect(answer.envelope()).toEqual({
      statusCode: 'INTERNAL',
      status: 'failure',
      message: 'Something Went Wrong!',
      result: null,
      error: { message: 'Something Went Wrong!' },
    });
  });

  test('a PortalError is passed on unchanged', () => {
    const refusal = new PortalError('lineUnknown', { field: 'msisdn' });
    expect(toPortalError(refusal)).toBe(refusal);
    expect(refusal.envelope()).toMatchObject({ statusCode: 'LINE_UNKNOWN', error: { field: 'msisdn' } });
  });

  test('a client error is never a 5xx', () => {
    for (const statusCode of [400, 404, 406, 414, 431]) {
      const { httpStatus } = toPortalError(failing('x', { statusCode }));
      expect(httpStatus).toBeGreaterThanOrEqual(400);
      expect(httpStatus).toBeLessThan(500);
    }
  });
});

test('MNY-3 "nothing was taken" is said only if an order could not be stored', () => {
  const lost = failing('x', { code: 'ECONNREFUSED' });
  expect(toPortalError(lost, 'initiate').message).toContain('Nothing was taken.');
  for (const call of ['process', 'transactionStatus', undefined])
    expect(toPortalError(lost, call).message).toBe('We cannot answer right now. Please try again in a moment.');
});
