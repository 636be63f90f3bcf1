import { constants, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { canEncrypt, encryptNumber, encryptPin, type PinChallenge } from './pin-encryption.ts';

const pair = generateKeyPairSync('rsa', { modulusLength: 3072 });
const key = pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
const challenge: PinChallenge = {
  transactionId: 'PAYMENT1',
  key,
  keyId: 'k1',
  nonce: 'fresh-nonce_1',
  expiresAt: '2026-01-01T00:00:00.000Z',
};

const open = (sealed: string, label: string) =>
  privateDecrypt(
    {
      key: pair.privateKey,
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: 'sha256',
      oaepLabel: Buffer.from(label),
    },
    Buffer.from(sealed, 'base64'),
  ).toString('utf8');

afterEach(() => void vi.unstubAllGlobals());

test('SEC-5 the PIN can be decrypted only for its own payment, and contains the nonce', async () => {
  const sealed = await encryptPin(challenge, '1234');
  expect(open(sealed, 'PAYMENT1')).toBe('fresh-nonce_1.1234');
  expect(() => open(sealed, 'PAYMENT2')).toThrow();
  expect(sealed).not.toContain('1234');
});

test('SEC-5 encrypting the same PIN twice gives different ciphertexts', async () => {
  expect(await encryptPin(challenge, '1234')).not.toBe(await encryptPin(challenge, '1234'));
});

test('SMC-1 a number is sent encrypted, with its leading 0', async () => {
  expect(open(await encryptNumber(key, '0390000001'), 'number')).toBe('0390000001');
});

test('without a secure context there is no cryptography, which can be tested for', () => {
  expect(canEncrypt()).toBe(true);
  vi.stubGlobal('crypto', {});
  expect(canEncrypt()).toBe(false);
  vi.stubGlobal('crypto', undefined);
  expect(canEncrypt()).toBe(false);
});
