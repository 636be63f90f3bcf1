import { constants, createPublicKey, publicEncrypt } from 'node:crypto';

/** Encrypts a text for the owner of the key; null if the key is invalid. */
export function rsaEncrypt(text: string, key: { base64Der: string; oaepHash: string }): string | null {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key.base64Der, 'base64'), format: 'der', type: 'spki' });
    const padding = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: key.oaepHash };
    return publicEncrypt({ key: publicKey, ...padding }, Buffer.from(text)).toString('base64');
  } catch {
    return null;
  }
}
