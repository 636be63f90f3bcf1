import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callbackAddress, openPopup, type PopupData, popupOptions } from './paystack-popup.ts';

const data: PopupData = {
  scriptUrl: 'https://js.example/v2/inline.js',
  key: 'pk_test_1',
  accessCode: 'access-1',
  reference: 'REF1',
  amount: 500_000,
  currency: 'NGN',
  channels: ['ussd', 'bank', 'card', 'mobile_money', 'bank_transfer', 'qr'],
};

interface FakeScript {
  src: string;
  onload?: () => void;
  onerror?: () => void;
}
let scripts: FakeScript[];

beforeEach(() => {
  scripts = [];
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {
    createElement: () => ({ src: '' }),
    head: { append: (script: FakeScript) => scripts.push(script) },
  });
});
afterEach(() => void vi.unstubAllGlobals());

test('CRD-2 success and cancel both go to the callback, with txref, PnrID and status', () => {
  const query = (address: string) => Object.fromEntries(new URL(address, 'https://portal.example').searchParams);
  const address = callbackAddress('PAYMENT1', data, 'success');
  expect(address).toMatch(/\/transaction\/v1\/pg-callback\/status\/ORP\/paystack\?/);
  expect(query(address)).toEqual({ txref: 'REF1', PnrID: 'PAYMENT1', status: 'success' });
  expect(query(callbackAddress('PAYMENT1', data, 'cancelled')).status).toBe('cancelled');
});

test('CRD-2 the popup gets key, amount in hundredths, currency and channels as the server gave them', () => {
  const ends: string[] = [];
  const options = popupOptions(data, (how) => ends.push(how));
  const { key, amount, currency, channels, reference } = data;
  expect(options).toMatchObject({ key, amount, currency, channels, reference });
  options.onSuccess();
  options.onCancel();
  options.onError();
  expect(ends).toEqual(['success', 'cancelled', 'failed']);
});

test('CRD-2 the gateway’s script is loaded once, and the transaction resumed with the access code', async () => {
  const resumed: unknown[] = [];
  class PaystackPop {
    resumeTransaction(...given: unknown[]) {
      resumed.push(given);
    }
  }
  const opening = openPopup(data, () => {});
  expect(scripts.map(({ src }) => src)).toEqual([data.scriptUrl]);
  Object.assign(window, { PaystackPop });
  scripts[0]?.onload?.();
  await opening;
  await openPopup(data, () => {});
  expect(scripts).toHaveLength(1);
  expect(resumed).toEqual([
    ['access-1', expect.objectContaining({ key: 'pk_test_1' })],
    ['access-1', expect.objectContaining({ amount: 500_000 })],
  ]);
});

test('a script that fails to load, or is not the expected one, is an error', async () => {
  const blocked = openPopup(data, () => {});
  scripts[0]?.onerror?.();
  await expect(blocked).rejects.toThrow('could not be loaded');
  const other = openPopup(data, () => {});
  scripts[1]?.onload?.();
  await expect(other).rejects.toThrow('not what was loaded');
});
