import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

interface Options {
  challenge: string;
  rpId?: string;
  rp?: { id?: string };
  allowCredentials?: { id: string }[];
}

/** Deviations from a correct authenticator. */
export interface Flaws {
  origin?: string;
  isUnverified?: boolean;
  counter?: number;
}

/** A software passkey with real keys and signatures, which responds like a phone. */
export class Authenticator {
  readonly id = randomBytes(16).toString('base64url');
  readonly #origin: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;
  #counter = 0;

  constructor(origin: string) {
    this.#origin = origin;
    const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.#privateKey = pair.privateKey;
    this.#publicKey = pair.publicKey;
  }

  /** The result of navigator.credentials.create. */
  create(given: object, flaws: Flaws = {}) {
    const options = given as Options;
    const credentialId = Buffer.from(this.id, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, this.#coseKey()]);
    const authData = Buffer.concat([this.#data(options.rp?.id ?? '', 0x40, flaws), attested]);
    const attestationObject = Buffer.concat([
      Buffer.from([0xa3]),
      text('fmt'),
      text('none'),
      text('attStmt'),
      Buffer.from([0xa0]),
      text('authData'),
      bytes(authData),
    ]);
    const clientDataJSON = this.#clientData('webauthn.create', options, flaws);
    return this.#answer({
      clientDataJSON: clientDataJSON.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** The result of navigator.credentials.get. */
  get(given: object, flaws: Flaws = {}) {
    const options = given as Options;
    const authenticatorData = this.#data(options.rpId ?? '', 0, flaws);
    const clientDataJSON = this.#clientData('webauthn.get', options, flaws);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
    return this.#answer({
      clientDataJSON: clientDataJSON.toString('base64url'),
      authenticatorData: authenticatorData.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
    });
  }

  #answer(response: object) {
    return { id: this.id, rawId: this.id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, { challenge }: Options, { origin = this.#origin }: Flaws): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  /** Authenticator data, with the flags for user present and user verified. */
  #data(rpId: string, more: number, { isUnverified = false, counter }: Flaws): Buffer {
    this.#counter += 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter ?? this.#counter);
    const flags = Buffer.from([0x01 | (isUnverified ? 0 : 0x04) | more]);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), flags, count]);
  }

  /** The ES256 public key in COSE encoding. */
  #coseKey(): Buffer {
    const { x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    const part = (value: string) => bytes(Buffer.from(value, 'base64url'));
    const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
    return Buffer.concat([head, part(x), Buffer.from([0x22]), part(y)]);
  }
}

/** The two CBOR types that are needed. */
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
function bytes(value: Buffer): Buffer {
  const head = value.length < 256 ? [0x58, value.length] : [0x59, value.length >> 8, value.length & 0xff];
  return Buffer.concat([Buffer.from(head), value]);
}
