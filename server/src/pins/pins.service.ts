import { constants, createHmac, createPrivateKey, generateKeyPair, privateDecrypt, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { walletPin } from '@portal/domain/constants.ts';
import { isWireNumber, type WireNumber } from '@portal/domain/msisdn.ts';
import {
  pinKeyLifeSeconds,
  pinLifeSeconds,
  pinTriesLeft,
  unansweredPinSeconds,
  walletLockSeconds,
} from '@portal/domain/verification/lifetimes.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import * as store from './pins.store.ts';

type Executor = Kysely<Schema>;

export interface PublicKey {
  /** SubjectPublicKeyInfo, base64. */
  key: string;
  keyId: string;
  expiresAt: string;
}

export interface Pins {
  publicKey(): Promise<PublicKey>;
  /** What the browser needs to encrypt a PIN for this payment. Valid once, for two minutes. */
  challenge(paymentId: string): Promise<PublicKey & { nonce: string }>;
  /** Decrypts the PIN. One that is altered, replayed, late or for another payment gets the same refusal. */
  open(paymentId: string, sealed: { pin: string; keyId?: string }): Promise<string>;
  /** The PIN was not sent to a wallet, so another one may be entered for the same payment. */
  unused(paymentId: string): Promise<void>;
  /** Decrypts a wallet number that was sent before there was a payment. */
  openNumber(sealed: string): Promise<WireNumber>;
  /** 0 if the wallet is locked here. */
  triesLeft(wallet: string): Promise<number>;
  /** Counts an attempt before the wallet sees it; false if none is left, also under concurrency. */
  takeTry(executor: Executor, wallet: string): Promise<boolean>;
  /** The wallet's response was not about the PIN. */
  returnAttempt(executor: Executor, wallet: string): Promise<void>;
  noteWrong(executor: Executor, wallet: string): Promise<void>;
  noteLocked(executor: Executor, wallet: string): Promise<void>;
  noteRight(executor: Executor, wallet: string): Promise<void>;
}

const modulusLength = 3072;
const numberLabel = 'number';
const keyPurpose = 'pin-key';
const forEver = 100 * 365 * 24 * 3600;
const cacheMs = 60_000;
/** If no cached key decrypts a PIN, newer keys are looked up at max this often. */
const reloadMs = 1_000;
const generate = promisify(generateKeyPair);

interface LoadedKey {
  id: string;
  publicKey: string;
  privateKey: ReturnType<typeof createPrivateKey>;
  createdAt: Date;
}

/**
 * PINs reach the server only encrypted with RSA-OAEP under our key, with the payment's id as label and a nonce inside.
 * All processes share the keys through the database, sealed with the portal's secret. An old key stays valid as long as
 * a PIN under it may arrive.
 */
export function createPins(deps: { db: Kysely<Schema>; tokens: SealedTokens; secret: string; now: () => Date }): Pins {
  const { db, tokens } = deps;
  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const digestOf = (paymentId: string, nonce: string) =>
    createHmac('sha256', deps.secret).update(`pin\n${paymentId}\n${nonce}`).digest('base64url');
  const refused = () => new PortalError('pinUnreadable');
  const tryRule = (): store.TryRule => ({
    max: walletPin.attempts,
    now: deps.now(),
    wrongSince: inSeconds(-walletLockSeconds),
    unansweredSince: inSeconds(-unansweredPinSeconds),
  });
  let cached: { keys: LoadedKey[]; at: number } | null = null;
  let loading: Promise<LoadedKey[]> | null = null;

  async function load(): Promise<LoadedKey[]> {
    const oldest = inSeconds(-2 * pinKeyLifeSeconds);
    let keys = await loadKeys(oldest);
    if (!keys[0] || keys[0].createdAt <= inSeconds(-pinKeyLifeSeconds)) {
      const pair = await generate('rsa', { modulusLength, publicExponent: 0x10001 });
      await store.insertKey(db, {
        id: randomBytes(9).toString('hex'),
        public_key: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        sealed_private_key: tokens.seal(
          keyPurpose,
          pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
          forEver,
        ),
        created_at: deps.now(),
      });
      await store.dropKeys(db, oldest);
      keys = await loadKeys(oldest);
    }
    cached = { keys, at: deps.now().getTime() };
    return keys;
  }

  /** Newest first. A key sealed under an earlier secret cannot be used any more. */
  async function loadKeys(oldest: Date): Promise<LoadedKey[]> {
    return (await store.currentKeys(db, oldest)).flatMap((row): LoadedKey[] => {
      const der = tokens.open(keyPurpose, row.sealed_private_key);
      if (typeof der !== 'string') return [];
      const privateKey = createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' });
      return [{ id: row.id, publicKey: row.public_key, privateKey, createdAt: row.created_at }];
    });
  }

  async function currentKeys(longestMs = cacheMs): Promise<LoadedKey[]> {
    if (cached && deps.now().getTime() - cached.at < longestMs) return cached.keys;
    loading ??= load().finally(() => {
      loading = null;
    });
    return loading;
  }

  async function publicKey(): Promise<PublicKey> {
    const [newest] = await currentKeys();
    if (!newest) throw new PortalError('pinsUnavailable');
    const expiresAt = new Date(newest.createdAt.getTime() + 2 * pinKeyLifeSeconds * 1000);
    return { key: newest.publicKey, keyId: newest.id, expiresAt: expiresAt.toISOString() };
  }

  /** Another process may have created the key after ours were loaded. */
  async function decrypt(sealed: string, label: string, keyId?: string): Promise<string | null> {
    const known = await currentKeys();
    const opened = decryptWith(known, sealed, label, keyId);
    if (opened !== null) return opened;
    const fresh = await currentKeys(reloadMs);
    return fresh === known ? null : decryptWith(fresh, sealed, label, keyId);
  }

  function decryptWith(keys: LoadedKey[], sealed: string, label: string, keyId?: string): string | null {
    for (const { id, privateKey } of keys) {
      if (keyId !== undefined && keyId !== id) continue;
      try {
        return privateDecrypt(
          {
            key: privateKey,
            padding: constants.RSA_PKCS1_OAEP_PADDING,
            oaepHash: 'sha256',
            oaepLabel: Buffer.from(label),
          },
          Buffer.from(sealed, 'base64'),
        ).toString('utf8');
      } catch {
        // Another key may decrypt it.
      }
    }
    return null;
  }

  return {
    publicKey,

    async challenge(paymentId) {
      const nonce = randomBytes(16).toString('base64url');
      const expiresAt = inSeconds(pinLifeSeconds);
      const key = await publicKey();
      await store.putChallenge(db, { paymentId, digest: digestOf(paymentId, nonce), expiresAt });
      return { ...key, nonce, expiresAt: expiresAt.toISOString() };
    },

    async open(paymentId, { pin, keyId }) {
      const text = (await decrypt(pin, paymentId, keyId)) ?? '';
      const [nonce = '', digits = ''] = text.split('.');
      if (!new RegExp(`^\\d{${walletPin.digits}}$`).test(digits)) throw refused();
      if (!(await store.useChallenge(db, paymentId, digestOf(paymentId, nonce), deps.now()))) throw refused();
      return digits;
    },

    unused: (paymentId) => store.dropChallenge(db, paymentId),

    async openNumber(sealed) {
      const number = await decrypt(sealed, numberLabel);
      if (!number || !isWireNumber(number)) throw new PortalError('payerNumberUnreadable', { field: 'paymentMobile' });
      return number;
    },

    async triesLeft(wallet) {
      const attempts = await store.findAttempts(db, wallet, tryRule());
      if (!attempts) return walletPin.attempts;
      return attempts.locked_until ? 0 : pinTriesLeft(attempts.wrong);
    },

    takeTry: (executor, wallet) => store.takeTry(executor, wallet, tryRule()),
    returnAttempt: store.returnAttempt,
    noteWrong: (executor, wallet) =>
      store.noteWrong(executor, wallet, {
        max: walletPin.attempts,
        now: deps.now(),
        lockUntil: inSeconds(walletLockSeconds),
      }),
    noteLocked: (executor, wallet) =>
      store.lock(executor, wallet, walletPin.attempts, deps.now(), inSeconds(walletLockSeconds)),
    noteRight: store.clearAttempts,
  };
}
