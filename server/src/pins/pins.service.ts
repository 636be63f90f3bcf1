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
} from '@portal/domain/verification/limits.ts';
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
  /** What the browser needs to send a PIN for this payment: once, within two minutes. */
  challenge(paymentId: string): Promise<PublicKey & { nonce: string }>;
  /** The PIN in clear; altered, replayed, late or for another payment is one and the same refusal. */
  open(paymentId: string, sealed: { pin: string; keyId?: string }): Promise<string>;
  /** The PIN that was opened went to no wallet: the same payment may be given another one. */
  unused(paymentId: string): Promise<void>;
  /** A wallet number that travelled encrypted before there was a payment. */
  openNumber(sealed: string): Promise<WireNumber>;
  /** None left: the wallet is locked here. */
  triesLeft(wallet: string): Promise<number>;
  /** Counts a try before the wallet sees it; false when none is left, however many ask at once. */
  takeTry(executor: Executor, wallet: string): Promise<boolean>;
  /** The wallet answered, and not about the PIN. */
  giveBackTry(executor: Executor, wallet: string): Promise<void>;
  noteWrong(executor: Executor, wallet: string): Promise<void>;
  noteLocked(executor: Executor, wallet: string): Promise<void>;
  noteRight(executor: Executor, wallet: string): Promise<void>;
}

const modulusLength = 3072;
const numberLabel = 'number';
const keyPurpose = 'pin-key';
const forEver = 100 * 365 * 24 * 3600;
const rememberMs = 60_000;
/** So often at most, a PIN that none of the remembered keys opens is a reason to look for newer ones. */
const lookAgainMs = 1_000;
const generate = promisify(generateKeyPair);

interface LoadedKey {
  id: string;
  publicKey: string;
  privateKey: ReturnType<typeof createPrivateKey>;
  createdAt: Date;
}

/**
 * PINs reach the server only as RSA-OAEP under a key of ours, with the payment's id as label and a nonce inside. Keys are
 * shared by all processes through the database, sealed with the portal's secret; an old one stays live for a PIN's life.
 */
export function createPins(deps: { db: Kysely<Schema>; tokens: SealedTokens; secret: string; now: () => Date }): Pins {
  const { db, tokens } = deps;
  const inSeconds = (seconds: number) => new Date(deps.now().getTime() + seconds * 1000);
  const digestOf = (paymentId: string, nonce: string) =>
    createHmac('sha256', deps.secret).update(`pin\n${paymentId}\n${nonce}`).digest('base64url');
  const refused = () => new PortalError('pinUnreadable');
  const tryRule = (): store.TryRule => ({
    most: walletPin.attempts,
    now: deps.now(),
    wrongSince: inSeconds(-walletLockSeconds),
    unansweredSince: inSeconds(-unansweredPinSeconds),
  });
  let kept: { keys: LoadedKey[]; at: number } | null = null;
  let loading: Promise<LoadedKey[]> | null = null;

  async function load(): Promise<LoadedKey[]> {
    const oldest = inSeconds(-2 * pinKeyLifeSeconds);
    let keys = await openable(oldest);
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
      keys = await openable(oldest);
    }
    kept = { keys, at: deps.now().getTime() };
    return keys;
  }

  /** Newest first. One that was sealed under an earlier secret is as good as lost. */
  async function openable(oldest: Date): Promise<LoadedKey[]> {
    return (await store.liveKeys(db, oldest)).flatMap((row): LoadedKey[] => {
      const der = tokens.open(keyPurpose, row.sealed_private_key);
      if (typeof der !== 'string') return [];
      const privateKey = createPrivateKey({ key: Buffer.from(der, 'base64'), format: 'der', type: 'pkcs8' });
      return [{ id: row.id, publicKey: row.public_key, privateKey, createdAt: row.created_at }];
    });
  }

  async function liveKeys(longestMs = rememberMs): Promise<LoadedKey[]> {
    if (kept && deps.now().getTime() - kept.at < longestMs) return kept.keys;
    loading ??= load().finally(() => {
      loading = null;
    });
    return loading;
  }

  async function publicKey(): Promise<PublicKey> {
    const [newest] = await liveKeys();
    if (!newest) throw new PortalError('pinsUnavailable');
    const expiresAt = new Date(newest.createdAt.getTime() + 2 * pinKeyLifeSeconds * 1000);
    return { key: newest.publicKey, keyId: newest.id, expiresAt: expiresAt.toISOString() };
  }

  /** Another process may have made the key since ours were read. */
  async function decrypt(sealed: string, label: string, keyId?: string): Promise<string | null> {
    const known = await liveKeys();
    const opened = decryptWith(known, sealed, label, keyId);
    if (opened !== null) return opened;
    const fresh = await liveKeys(lookAgainMs);
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
        // Another key may open it.
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
    giveBackTry: store.giveBackTry,
    noteWrong: (executor, wallet) =>
      store.noteWrong(executor, wallet, {
        most: walletPin.attempts,
        now: deps.now(),
        lockUntil: inSeconds(walletLockSeconds),
      }),
    noteLocked: (executor, wallet) =>
      store.lock(executor, wallet, walletPin.attempts, deps.now(), inSeconds(walletLockSeconds)),
    noteRight: store.clearAttempts,
  };
}
