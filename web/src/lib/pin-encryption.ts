export interface PinChallenge {
  transactionId: string;
  /** SubjectPublicKeyInfo, base64. */
  key: string;
  keyId: string;
  nonce: string;
  expiresAt: string;
}

/** Browsers offer WebCrypto only on pages from a secure connection. */
export function canEncrypt(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** Bound to its payment by the OAEP label and to one use by the nonce; only the server can decrypt it. */
export function encryptPin({ key, transactionId, nonce }: PinChallenge, pin: string): Promise<string> {
  return encrypt(key, transactionId, `${nonce}.${pin}`);
}

/** A wallet's number in wire format: with its leading 0. */
export function encryptNumber(key: string, wireNumber: string): Promise<string> {
  return encrypt(key, 'number', wireNumber);
}

async function encrypt(key: string, label: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const spki = Uint8Array.from(atob(key), (character) => character.charCodeAt(0));
  const publicKey = await crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, [
    'encrypt',
  ]);
  const sealed = await crypto.subtle.encrypt(
    { name: 'RSA-OAEP', label: encoder.encode(label) },
    publicKey,
    encoder.encode(text),
  );
  return btoa(String.fromCharCode(...new Uint8Array(sealed)));
}
