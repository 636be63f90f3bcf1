import { generateKeyPairSync } from 'node:crypto';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

/** What wallets have PINs and signatures locked with; nobody opens them here. */
export const publicDer = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

export const isToken = (path: string): boolean => path.endsWith('/token') || path.endsWith('/generate');
