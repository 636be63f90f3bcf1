import { passkeyPaths } from '@portal/contract/console/calls.ts';
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { call, Problem, request } from './api.ts';

/** How people sign in here: the server wrote it into the page. */
export const hasPasskeys = document.querySelector<HTMLMetaElement>('meta[name=sign-in]')?.content === 'passkeys';

interface Asked {
  options: Record<string, unknown>;
  sealed: string;
}

/** Somebody who thinks better of it, or whose device does not know them, has done nothing wrong. */
const orCancelled = (): never => {
  throw new Problem('passkeyCancelled');
};

const make = (options: Asked['options']) =>
  startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON }).catch(orCancelled);

/** Signs in; or, for who is signed in, shows once more who they are. */
export async function signInByPasskey(): Promise<void> {
  const { options, sealed } = (await request('GET', passkeyPaths.signIn)) as Asked;
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const response = await startAuthentication({ optionsJSON }).catch(orCancelled);
  await request('POST', passkeyPaths.signIn, { sealed, response });
}

/** Who was invited makes their passkey, and is signed in. */
export async function join(invitation: string, name: string): Promise<void> {
  const { options, sealed } = (await request('POST', passkeyPaths.join, { invitation })) as Asked;
  await request('POST', passkeyPaths.joined, { invitation, sealed, response: await make(options), name });
}

export async function addPasskey(name: string): Promise<void> {
  const { options, sealed } = await call('passkeyOptions');
  await call('addPasskey', { sealed, response: { ...(await make(options)) }, name });
}
