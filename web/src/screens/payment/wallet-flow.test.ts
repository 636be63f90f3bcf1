import { describe, expect, test } from 'vitest';
import type { Failure, FailureCode } from '../../lib/api.ts';
import { ownCodes } from './payment-failure.ts';
import { firstWalletFlow, type WalletEvent, type WalletFlow, walletFlow } from './wallet-flow.ts';

const proof = { uniqueCode: 'unique', authorization: 'Bearer token' };
const refused = (code: FailureCode, more: Partial<Failure> = {}): WalletEvent => ({
  type: 'refused',
  failure: { ok: false, code, message: 'said', ...more },
});
const run = (...events: WalletEvent[]): WalletFlow => events.reduce(walletFlow, firstWalletFlow);
const atPin: WalletEvent[] = [{ type: 'proceed' }, { type: 'verified', proof }];
const sending: WalletEvent[] = [...atPin, { type: 'submit' }];

describe('WAL-2 the wallet with a PIN', () => {
  test('WAL-2 code first, then the PIN with five attempts shown', () => {
    expect(run({ type: 'proceed' })).toEqual({ at: 'code' });
    expect(run(...atPin)).toEqual({ at: 'pin', proof, entry: { attemptsLeft: 5, problem: null } });
  });

  test('WAL-2 1004 shows the server’s count, and the dialog stays open', () => {
    const flow = run(...sending, refused(1004, { attemptsLeft: 3 }));
    expect(flow).toMatchObject({ at: 'pin', entry: { attemptsLeft: 3, problem: 'wrongPin' } });
    expect(run(...sending, refused(1004))).toMatchObject({ entry: { attemptsLeft: 4 } });
  });

  test('WAL-2 SEC-6 1006 or no attempts left locks, and no further PIN is sent', () => {
    for (const event of [refused(1006), refused(1004, { attemptsLeft: 0 })]) {
      const flow = run(...sending, event);
      expect(flow).toEqual({ at: 'locked' });
      expect(walletFlow(flow, { type: 'submit' })).toEqual({ at: 'locked' });
    }
  });

  test('D15 the server’s message about a PIN is shown until the next try', () => {
    const isSaid = { isSaid: true } as const;
    const wrong = run(...sending, refused(1004, { attemptsLeft: 3, ...isSaid }));
    expect(wrong).toMatchObject({ entry: { problem: 'wrongPin', said: 'said' } });
    expect(walletFlow(wrong, { type: 'submit' })).toMatchObject({ entry: { problem: null } });
    expect(run(...sending, refused('PIN_REFUSED', isSaid))).toMatchObject({ entry: { said: 'said' } });
    expect(run(...sending, refused(1006, isSaid))).toEqual({ at: 'locked', said: 'said' });
  });

  test('SEC-6 closing resets the display, and stores nothing', () => {
    const closed = run(...sending, refused(1004, { attemptsLeft: 2 }), { type: 'close' });
    expect(closed).toEqual(firstWalletFlow);
    expect(
      [{ type: 'proceed' }, { type: 'verified', proof }].reduce(
        (flow, event) => walletFlow(flow, event as WalletEvent),
        closed,
      ),
    ).toMatchObject({
      entry: { attemptsLeft: 5 },
    });
  });

  test('a PIN that could not be decrypted is requested again without losing an attempt', () => {
    expect(run(...sending, refused('PIN_REFUSED'))).toMatchObject({
      at: 'pin',
      entry: { attemptsLeft: 5, problem: 'unreadable' },
    });
  });

  test('MNY-3 any other refusal closes the dialog and is shown above the form', () => {
    expect(run(...sending, refused('UPSTREAM_FAILED'))).toMatchObject({
      at: 'form',
      failure: { code: 'UPSTREAM_FAILED' },
    });
  });

  test('a repeated purchase asks for confirmation while the dialog waits', () => {
    expect(run(...sending, { type: 'interrupted' })).toMatchObject({ at: 'pin', proof });
  });

  test('a second PIN is not sent while the first is being processed', () => {
    const flow = run(...sending);
    expect(walletFlow(flow, { type: 'submit' })).toBe(flow);
    expect(walletFlow(firstWalletFlow, { type: 'submit' })).toBe(firstWalletFlow);
  });
});

test('SEC-28 after a further code the PIN is requested again, without losing an attempt', () => {
  const flow = run(...sending, refused(ownCodes.pinAgain));
  expect(flow).toEqual({ at: 'pin', proof, entry: { attemptsLeft: 5, problem: 'again' } });
});
