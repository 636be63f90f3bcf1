import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Selectable } from 'kysely';
import type { Schema } from '../db/schema.ts';
import type { SealedTokens } from '../http/sealed-token.ts';

export type WebAuthnOptions = Record<string, unknown>;

/** The options for the browser, and the sealed token that it sends back with its response. */
export interface Asked {
  options: WebAuthnOptions;
  sealed: string;
}

type Passkey = Selectable<Schema['console_passkeys']>;
type Credential = NonNullable<Awaited<ReturnType<ReturnType<typeof createWebAuthn>['registered']>>>;

export type { Credential };

/** How long the browser's response is accepted. */
export const answerSeconds = 600;

/** EdDSA, ES256 and RS256: the algorithms of phones, computers and security keys. */
const algorithms = [-8, -7, -257];

const purposes = { registration: 'console registration', signIn: 'console sign-in' } as const;

/** WebAuthn options and responses: valid for ten minutes, and only with user verification. */
export function createWebAuthn({ origin, brand, tokens }: { origin: string; brand: string; tokens: SealedTokens }) {
  const rpID = new URL(origin).hostname;
  const usual = { expectedOrigin: origin, expectedRPID: rpID, requireUserVerification: true };

  return {
    async askToRegister(
      who: { id: string; email: string; name: string },
      known: readonly Passkey[],
      note: { invitation: string } | { person: string },
    ): Promise<Asked> {
      const options = await generateRegistrationOptions({
        rpName: brand,
        rpID,
        userName: who.email,
        userDisplayName: who.name,
        userID: new TextEncoder().encode(who.id),
        attestationType: 'none',
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        supportedAlgorithmIDs: algorithms,
        timeout: answerSeconds * 1000,
      });
      const sealed = tokens.seal(purposes.registration, { challenge: options.challenge, ...note }, answerSeconds);
      return { options: { ...options }, sealed };
    },

    /** The passkey that the browser created; null if the response does not match the challenge. */
    async registered(response: WebAuthnOptions, challenge: string) {
      const verified = await verifyRegistrationResponse({
        ...usual,
        response: response as unknown as RegistrationResponseJSON,
        expectedChallenge: challenge,
        supportedAlgorithmIDs: algorithms,
      }).catch(() => null);
      return verified?.verified ? verified.registrationInfo.credential : null;
    },

    async askToSignIn(own: readonly Passkey[]): Promise<Asked> {
      const options = await generateAuthenticationOptions({
        rpID,
        allowCredentials: own.map(({ id, transports }) => ({ id, transports })),
        userVerification: 'required',
        timeout: answerSeconds * 1000,
      });
      const sealed = tokens.seal(purposes.signIn, { challenge: options.challenge }, answerSeconds);
      return { options: { ...options }, sealed };
    },

    /** The passkey's new signature counter; null if the response does not match the challenge. */
    async countAfter(
      passkey: Pick<Passkey, 'id' | 'public_key' | 'counter' | 'transports'>,
      response: WebAuthnOptions,
      challenge: string,
    ): Promise<number | null> {
      const { id, public_key, counter, transports } = passkey;
      const verified = await verifyAuthenticationResponse({
        ...usual,
        response: response as unknown as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        credential: { id, publicKey: new Uint8Array(Buffer.from(public_key, 'base64url')), counter, transports },
      }).catch(() => null);
      return verified?.verified ? verified.authenticationInfo.newCounter : null;
    },

    /** The content of the sealed token; null if it is not ours or has expired. */
    noteIn: (of: keyof typeof purposes, sealed: string) =>
      tokens.open(purposes[of], sealed) as { challenge: string; invitation?: string; person?: string } | null,
  };
}
