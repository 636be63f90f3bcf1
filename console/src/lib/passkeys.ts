import { passkeyPaths } from '@portal/contract/console/calls.ts';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { call, Problem, request } from './api.ts';

/** How people sign in; the server embeds it in the page. */
export const hasPasskeys = document.querySelector<HTMLMetaElement>('meta[name=sign-in]')?.content === 'passkeys';

interface Asked {
  options: Record<string, unknown>;
  sealed: string;
}

/** Cancelling, or a device without a passkey, is no error. */
const orCancelled = (): never => {
  throw new Problem('passkeyCancelled');
};

const make = (options: Asked['options']) =>
  startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }).catch(orCancelled);

/** Signs in; for a signed-in person it is a step-up. */
export async function signInByPasskey(): Promise<void> {
  const { options, sealed } = (await request('GET', passkeyPaths.signIn)) as Asked;
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON }).catch(orCancelled);
  await request('POST', passkeyPaths.signIn, { sealed, response });
}

/** An invited person creates a passkey and is signed in. */
export async function join(invitation: string, name: string): Promise<void> {
  const { options, sealed } = (await request('POST', passkeyPaths.join, { invitation })) as Asked;
  await request('POST', passkeyPaths.joined, { invitation, sealed, response: await make(options), name });
}

export async function addPasskey(name: string): Promise<void> {
  const { options, sealed } = await call('passkeyOptions');
  await call('addPasskey', { sealed, response: { ...(await make(options)) }, name });
}
