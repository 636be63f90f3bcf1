import { describe, expect, test } from 'vitest';
import type { Failure, FailureCode } from '../../lib/api.ts';
import type { PinChallenge } from '../../lib/pin-encryption.ts';
import { ownCodes } from './payment-failure.ts';
import { firstSmartCashFlow, type SmartCashEvent, type SmartCashFlow, smartCashFlow } from './smartcash-flow.ts';

const now = Date.parse('2026-05-01T10:00:00.000Z');
const challenge: PinChallenge = {
  transactionId: 'one',
  key: 'key',
  keyId: 'k1',
  nonce: 'n1',
  expiresAt: '2026-05-01T10:02:00.000Z',
};
const proof = { uniqueCode: 'unique', authorization: 'Bearer token' };
const refused = (code: FailureCode, more: Partial<Failure> = {}): SmartCashEvent => ({
  type: 'refused',
  failure: { ok: false, code, message: 'said', ...more },
});
const run = (...events: SmartCashEvent[]): SmartCashFlow => events.reduce(smartCashFlow, firstSmartCashFlow);
const signed: SmartCashEvent[] = [{ type: 'proceed' }, { type: 'sealed', sealed: 'x' }, { type: 'verified', proof }];
const atPin: SmartCashEvent[] = [...signed, { type: 'registered', challenge }];
const sending: SmartCashEvent[] = [...atPin, { type: 'submit', now }];

describe('steps to the PIN', () => {
  test('SMC-2 encrypted number, code, registration, and only then the PIN', () => {
    expect(run({ type: 'proceed' })).toEqual({ at: 'sealing' });
    expect(run({ type: 'proceed' }, { type: 'sealed', sealed: 'x' })).toEqual({ at: 'code', sealed: 'x' });
    expect(run(...signed)).toMatchObject({ at: 'registering', isAsking: false });
    expect(run(...atPin)).toMatchObject({ at: 'pin', challenge, isAsking: true, entry: { attemptsLeft: 5 } });
    expect(run(...sending)).toMatchObject({ at: 'sending', challenge });
  });

  test('no step is skipped', () => {
    for (const event of [
      ...signed.slice(1),
      { type: 'registered', challenge },
      { type: 'submit', now },
    ] as SmartCashEvent[])
      expect(run(event)).toEqual(firstSmartCashFlow);
  });

  test('SMC-2 a challenge that expired while the customer typed is registered again first', () => {
    const late = run(...atPin, { type: 'submit', now: now + 120_000 });
    expect(late).toMatchObject({ at: 'registering', isAsking: true });
    const fresh = { ...challenge, nonce: 'n2', expiresAt: '2026-05-01T10:05:00.000Z' };
    const again = smartCashFlow(late, { type: 'registered', challenge: fresh });
    expect(smartCashFlow(again, { type: 'submit', now: now + 121_000 })).toMatchObject({
      at: 'sending',
      challenge: fresh,
    });
  });
});

describe('SMC-3 refusals', () => {
  test('SMC-3 56D005 decrements the tries, says so, and registers again with the dialog open', () => {
    expect(run(...sending, refused('56D005', { attemptsLeft: 4 }))).toMatchObject({
      at: 'registering',
      isAsking: true,
      entry: { attemptsLeft: 4, problem: 'wrongPin' },
    });
  });

  test('SMC-3 1006 or the last attempt locks, and no further PIN is sent', () => {
    for (const event of [refused(1006), refused('56D005', { attemptsLeft: 0 })]) {
      const flow = run(...sending, event);
      expect(flow).toEqual({ at: 'locked' });
      expect(smartCashFlow(flow, { type: 'submit', now })).toEqual({ at: 'locked' });
    }
  });

  test('SMC-3 a wallet that is already locked is reported at the registration', () => {
    expect(run(...signed, refused(1006))).toEqual({ at: 'locked' });
  });

  test('SMC-3 any other failure shows the error and closes', () => {
    expect(run(...sending, refused('NOT_VERIFIED'))).toMatchObject({ at: 'form', failure: { code: 'NOT_VERIFIED' } });
    expect(run(...signed, refused('PRICE_CHANGED'))).toMatchObject({ at: 'form', failure: { code: 'PRICE_CHANGED' } });
    expect(run({ type: 'proceed' }, refused('OFFLINE'))).toMatchObject({ at: 'form', failure: { code: 'OFFLINE' } });
  });

  test('SMC-3 SEC-6 closing resets the shown attempts to five', () => {
    const closed = run(...sending, refused('56D005', { attemptsLeft: 2 }), { type: 'close' });
    expect(closed).toEqual(firstSmartCashFlow);
    expect(atPin.reduce(smartCashFlow, closed)).toMatchObject({ entry: { attemptsLeft: 5, problem: null } });
  });

  test('a PIN that could not be decrypted costs no attempt and needs a new registration', () => {
    expect(run(...sending, refused('PIN_REFUSED'))).toMatchObject({
      at: 'registering',
      entry: { attemptsLeft: 5, problem: 'unreadable' },
    });
  });
});

test('SEC-28 after a further code the payment is registered again and the PIN requested again', () => {
  const flow = run(...sending, refused(ownCodes.pinAgain));
  expect(flow).toMatchObject({ at: 'registering', isAsking: true, entry: { attemptsLeft: 5, problem: 'again' } });
});
