import { generateKeyPairSync } from 'node:crypto';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Public keys for PINs and signatures, which are never decrypted here. */
export const publicDer = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

export const isToken = (path: string): boolean => path.endsWith('/token') || path.endsWith('/generate');
