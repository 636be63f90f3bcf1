import {
  constants,
  createDecipheriv,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  randomUUID,
} from 'node:crypto';

const yearMs = 365 * 24 * 60 * 60 * 1000;

/** The wallet's RSA key pair, which only decrypts what the merchant encrypted with the public key. */
export class WalletKeys {
  readonly keyId = randomUUID();
  readonly publicKey: string;
  readonly validUntil = new Date(Date.now() + yearMs).toISOString();
  #privateKey: KeyObject;
  #oaepHash: string;

  constructor(oaepHash: string) {
    const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.publicKey = pair.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    this.#privateKey = pair.privateKey;
    this.#oaepHash = oaepHash;
  }

  /** The decrypted text, or undefined if decryption fails. */
  open(base64: string): string | undefined {
    try {
      return privateDecrypt(
        { key: this.#privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: this.#oaepHash },
        Buffer.from(base64, 'base64'),
      ).toString('utf8');
    } catch {
      return undefined;
    }
  }

  /** Whether the signature is the AES encryption of exactly these bytes under the key that x-key carries. */
  matches(body: Buffer, signature: string | undefined, lockedKey: string | undefined): boolean {
    if (!signature || !lockedKey) return false;
    const [key = '', iv = ''] = this.open(lockedKey)?.split(':') ?? [];
    try {
      const decipher = createDecipheriv('aes-256-cbc', Buffer.from(key, 'base64'), Buffer.from(iv, 'base64'));
      const opened = Buffer.concat([decipher.update(Buffer.from(signature, 'base64')), decipher.final()]);
      return opened.equals(body);
    } catch {
      return false;
    }
  }
}
