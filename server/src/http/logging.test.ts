import { beforeEach, expect, test } from 'vitest';
import { createLogger, type Logger } from './logging.ts';

let lines: string[];
let log: Logger;
beforeEach(() => {
  lines = [];
  log = createLogger('trace', { write: (line) => void lines.push(line) });
});

const logged = () => JSON.parse(lines[0] ?? '{}');

test('allowed fields are logged', () => {
  log.info({ requestId: 'abc', method: 'GET', route: '/healthz', status: 200, milliseconds: 3 }, 'request');
  expect(logged()).toMatchObject({
    level: 'info',
    message: 'request',
    requestId: 'abc',
    route: '/healthz',
    status: 200,
  });
  expect(logged().time).toMatch(/^\d{4}-\d\d-\d\dT/);
});

test('any other field is dropped, however deeply the secret is nested', () => {
  log.info({
    msisdn: '0390000001',
    pin: '1234',
    body: { otp: '123456' },
    headers: { authorization: 'Bearer canary' },
    password: 'canary',
    event: 'kept',
  });
  expect(logged()).toMatchObject({ event: 'kept' });
  expect(lines.join()).not.toMatch(/0390000001|1234|canary/);
});

test('an object under an allowed name is dropped too', () => {
  log.info({ detail: { msisdn: '0390000001' }, reason: { pin: '1234' } }, 'x');
  expect(lines.join()).not.toMatch(/0390000001|1234/);
});

test('digits that could be a number or a code are masked in texts and lists', () => {
  log.warn(
    { detail: 'no wallet for 261390000001', call: 'find 123456', migrations: ['0001-payments.sql', '0390000001'] },
    'x',
  );
  expect(lines.join()).not.toMatch(/261390000001|123456|0390000001/);
  expect(logged().detail).toBe('no wallet for #');
  expect(logged().migrations[0]).toBe('0001-payments.sql');
});

test('a long number is masked when it is a JSON number too', () => {
  log.warn({ detail: 390000001, reason: 123456 }, 'x');
  expect(lines.join()).not.toMatch(/390000001|123456/);
});

test('an error keeps its type, message, code and stack, with digits masked and other properties dropped', () => {
  const error = Object.assign(new Error('duplicate key 0390000001'), {
    code: '23505',
    detail: 'Key (msisdn)=(0390000001)',
    parameters: ['1234'],
  });
  log.error({ err: error }, 'failed');
  expect(logged().err).toMatchObject({ type: 'Error', message: 'duplicate key #' });
  expect(logged().err.stack).toContain('logging.test.ts');
  expect(lines.join()).not.toMatch(/0390000001|Key \(msisdn\)|"1234"/);
});

test('SEC-22 foreign text can neither forge a log line nor reverse one with bidi characters, in any field', () => {
  const hostile = 'a\nlevel: error\r\u2028b\u202ec\u001b[2J\u009b';
  log.warn({ detail: hostile, reason: [hostile], call: hostile, err: new Error(hostile) }, hostile);
  expect(lines).toHaveLength(1);
  const { detail, message, err, reason, call } = logged();
  for (const text of [detail, message, call, err.message, err.stack, ...reason])
    expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(detail).toBe('a level: error b c [2J');
});

test('a thrown string is masked in the same way', () => {
  log.error({ err: 'code 123456 was wrong' }, 'failed');
  expect(logged().err).toEqual({ message: 'code # was wrong' });
});

test('digits in the log message itself are masked', () => {
  log.info('sent 123456 to 0390000001');
  expect(lines.join()).not.toMatch(/123456|0390000001/);
});
